import fc from 'fast-check';
import { plainText, visibleText } from '../../../src/examiners/rules/plain-text';
import { wordsOf } from '../../../src/examiners/rules/words';
import { tries } from '../../setup/sample';

/** Keeps a text from being taken for ordinary, so that every rule is applied to it. */
const FOREIGN = ' é';
const ALPHABET = 'aZ09 .,;:!?\'"()%/$=+@-_*&<>|[]`~#\n\t';
const texts = fc.array(fc.constantFrom(...ALPHABET), { maxLength: 40 }).map((characters) => characters.join(''));
const ordinary = texts.map((text) => text.replaceAll(/[_*&<>|[\]`~#\n\t]/g, ''));

describe('Ordinary text is read without its rules and says the same', () => {
  it('as visible and plain text', () => {
    fc.assert(
      fc.property(ordinary, (text) => {
        expect(`${visibleText(text)}${FOREIGN}`.trim()).toBe(visibleText(`${text}${FOREIGN}`));
        // A list's number is one only before other words.
        if (!/^[a-z]/i.test(text)) return;
        expect(`${plainText(text)}${FOREIGN}`).toBe(plainText(`${text}${FOREIGN}`));
      }),
      { numRuns: tries({ inCi: 2_000, elsewhere: 300 }) },
    );
  });

  it('as words', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect([...wordsOf(text), 'é']).toEqual(wordsOf(`${text}${FOREIGN}`));
      }),
      { numRuns: tries({ inCi: 2_000, elsewhere: 300 }) },
    );
  });

  it.each([
    ['two  spaces', 'two spaces'],
    ['a *mark* of emphasis', 'a mark of emphasis'],
    ['- an item', 'an item'],
    ['1. a numbered item', 'a numbered item'],
    ['fish &amp; chips', 'fish & chips'],
    ['ends in a blank ', 'ends in a blank'],
  ])('while %j is still made plain', (text, plain) => {
    expect(plainText(text)).toBe(plain);
  });
});
