import fc from 'fast-check';
import { holdsText, indexOfWords, Needle } from '../../src/domain/text-search';
import { tries } from '../setup/sample';

const RUNS = tries({ inCi: 1_000, elsewhere: 200 });

/** Few letters, so that needles are found, nearly found, and overlap themselves; some halves of a pair. */
const text = (maxLength: number) =>
  fc.array(fc.constantFrom('a', 'b', '\ud83d', '\ude00', 'ab'), { maxLength }).map((letters) => letters.join(''));
/** Longer than what V8 is asked for. */
const needles = fc.oneof(
  text(6),
  fc.tuple(text(3), fc.nat(40)).map(([piece, times]) => `${piece.repeat(times)}b`),
);

test('finds what V8 finds, where V8 finds it', () => {
  fc.assert(
    fc.property(text(120), needles, fc.nat(130), (said, needle, from) => {
      const haystack = `${said}${needle}${said}`;
      for (const one of [said, haystack]) {
        expect(new Needle(needle).indexIn(one, from)).toBe(one.indexOf(needle, from));
        expect(holdsText(one, needle)).toBe(one.includes(needle));
        if (needle !== '') expect(new Needle(needle).replaceIn(one, '-')).toBe(one.replaceAll(needle, () => '-'));
      }
    }),
    { numRuns: RUNS },
  );
});

test('finds a text that repeats itself, wherever it has only seemed to begin', () => {
  const needle = new Needle(`${'a'.repeat(39)}b`);
  expect(needle.indexIn(`${'a'.repeat(60)}b`)).toBe(21);
  expect([...new Needle('a'.repeat(40)).placesIn('a'.repeat(42))]).toEqual([0, 1, 2]);
});

test('an empty text is replaced nowhere', () => {
  expect(new Needle('').replaceIn('abc', '-')).toBe('abc');
});

test('finds every place, overlapping ones too', () => {
  fc.assert(
    fc.property(text(120), needles, fc.nat(130), (said, needle, from) => {
      const haystack = `${said}${needle}${said}`;
      const places: number[] = [];
      for (let at = haystack.indexOf(needle, from); needle !== '' && at >= 0; at = haystack.indexOf(needle, at + 1)) {
        places.push(at);
      }
      expect([...new Needle(needle).placesIn(haystack, from)]).toEqual(places);
    }),
    { numRuns: RUNS },
  );
});

test.each<[string, string, string, number]>([
  ['where they stand as words', 'a painful pain', 'pain', 10],
  ['where they stand at all, when nowhere as words', 'a painful spain', 'pain', 2],
  ['at the first place, when nowhere as words', 'painful spain', 'pain', 0],
  ['beside marks of punctuation', '(Call an ambulance now, and rest.)', 'Call an ambulance now', 1],
  ['as words, after many that overlap', `${'ab'.repeat(40)} ${'ab'.repeat(20)}`, 'ab'.repeat(20), 81],
  ['nowhere', 'A doctor.', 'nurse', -1],
  ['nowhere when there are none', 'A doctor.', '', -1],
])('finds words %s', (_where, said, words, at) => {
  expect(indexOfWords(said, words)).toBe(at);
});
