import fc from 'fast-check';
import { EffectFailed } from '../../src/domain/failure';
import { listClauses, listNames, LONGEST_SENTENCE, sentenceWithin } from '../../src/domain/sentence';

const characters = fc.constantFrom('a', ' ', 'é', '漢', '😀', '👩‍⚕️', '\u0000', '\n');
const texts = fc.array(characters, { maxLength: 4_000, size: 'max' }).map((parts) => parts.join(''));

describe('a sentence that tells of a failure', () => {
  it('is never longer than its bound, keeps its beginning and whole characters, and says when it was cut', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const sentence = sentenceWithin(text);
        expect(sentence.length).toBeLessThanOrEqual(LONGEST_SENTENCE);
        if (text.length <= LONGEST_SENTENCE) expect(sentence).toBe(text);
        else {
          const [kept = ''] = sentence.split(' … (the rest is cut)');
          expect(sentence).toMatch(/ … \(the rest is cut\)$/);
          expect(text.startsWith(kept)).toBe(true);
          expect(sentence.isWellFormed()).toBe(true);
        }
        expect(sentenceWithin(sentence)).toBe(sentence);
      }),
    );
  });

  it.each(['\u{10000}', '\u{10fc00}', '\u{10ffff}', '\ud7ff', '\ue000'])(
    'cuts no character in two: %j',
    (character) => {
      for (let most = 100; most < 110; most += 1) {
        expect(sentenceWithin(character.repeat(200), most).isWellFormed()).toBe(true);
        expect(sentenceWithin(`x${character.repeat(200)}y`, most).isWellFormed()).toBe(true);
      }
    },
  );

  it.each(['\ue000', '\uffff', '\ud7ff'])(
    'is as long as its bound where no character is in the way: %j',
    (character) => {
      expect(sentenceWithin(character.repeat(200), 100)).toHaveLength(100);
    },
  );

  it('bounds what an effect fails with, whoever made the message', () => {
    const { failure, message } = new EffectFailed({ code: 'internal', message: '😀'.repeat(100_000) });
    expect(failure.message.length).toBeLessThanOrEqual(LONGEST_SENTENCE);
    expect(message).toBe(failure.message);
  });
});

describe('a list in a sentence', () => {
  it('is whole while there is room, and then says how many it does not name', () => {
    expect(listNames([])).toBe('');
    expect(listNames(['a', 'b'])).toBe('a, b');
    expect(listClauses(['a is missing', 'b is no number'])).toBe('a is missing; b is no number');
    const half = 'x'.repeat(899);
    expect(listNames([half, half])).toHaveLength(1_800);
    expect(listNames([half, `${half}y`])).toBe(`${half} and 1 more`);
    const names = Array.from({ length: 60_000 }, (_, index) => `name ${index}`);
    const [listed = '', more] = listNames(names).split(' and ');
    expect(`${listed.split(', ').length + Number.parseInt(more ?? '', 10)}`).toBe('60000');
    expect(listNames(names).length).toBeLessThan(LONGEST_SENTENCE);
    expect(listClauses(names)).toMatch(/; and \d+ more$/);
    expect(listNames(['x'.repeat(9_999), 'y']).length).toBeLessThan(LONGEST_SENTENCE);
  });
});
