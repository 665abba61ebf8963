import fc from 'fast-check';
import { TooManyWords, wordErrorRate, wordErrors } from '../../../src/engine/audio/word-errors';

const words = (text: string) => text.split(' ').filter((word) => word !== '');
const totalOf = (said: readonly string[], heard: readonly string[]) => {
  const { substitutions, deletions, insertions } = wordErrors(said, heard);
  return substitutions + deletions + insertions;
};

it.each([
  ['I take fifteen milligrams', 'I take fifteen milligrams', [0, 0, 0]],
  ['I take fifteen milligrams', 'I take fifty milligrams', [1, 0, 0]],
  ['I take fifteen milligrams', 'I take milligrams', [0, 1, 0]],
  ['I take fifteen milligrams', 'I will take fifteen milligrams', [0, 0, 1]],
  ['a b c d e f g', 'a x c e f g h', [1, 1, 1]],
  ['', 'a b', [0, 0, 2]],
  ['a b', '', [0, 2, 0]],
  ['', '', [0, 0, 0]],
])('"%s" heard as "%s"', (said, heard, [substitutions, deletions, insertions]) => {
  const expected = { substitutions, deletions, insertions, words: words(said).length };
  expect(wordErrors(words(said), words(heard))).toEqual(expected);
});

const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 });

/** The definition itself, without a table. */
function distance(said: readonly string[], heard: readonly string[]): number {
  const [[word, ...rest], [other, ...others]] = [said, heard];
  if (word === undefined || other === undefined) return said.length + heard.length;
  if (word === other) return distance(rest, others);
  return 1 + Math.min(distance(rest, others), distance(rest, heard), distance(said, others));
}

it('the sum is the edit distance, and the kinds fit the lengths', () => {
  fc.assert(
    fc.property(
      text.map((said) => said.slice(0, 6)),
      text.map((heard) => heard.slice(0, 6)),
      (said, heard) => {
        expect(totalOf(said, heard)).toBe(distance(said, heard));
        const { insertions, deletions } = wordErrors(said, heard);
        expect(said.length - deletions + insertions).toBe(heard.length);
      },
    ),
  );
});

it('is a distance: symmetric, zero for equals alone, and no detour is shorter', () => {
  fc.assert(
    fc.property(text, text, text, (one, other, third) => {
      expect(totalOf(one, other)).toBe(totalOf(other, one));
      expect(totalOf(one, other) === 0).toBe(one.join(' ') === other.join(' '));
      expect(totalOf(one, third)).toBeLessThanOrEqual(totalOf(one, other) + totalOf(other, third));
    }),
  );
});

it('a rate weighs each word alike, and is none where nothing was said', () => {
  expect(wordErrorRate([wordErrors(words('a b c'), words('a b')), wordErrors(['a'], ['a', 'b'])])).toBe(2 / 4);
  expect(wordErrorRate([wordErrors(['a'], words('x y z'))])).toBe(3);
  expect(wordErrorRate([wordErrors([], ['a'])])).toBeNull();
});

it('refuses texts that would take minutes', () => {
  const long = Array.from({ length: 10_001 }, () => 'a');
  expect(() => wordErrors(long, [])).toThrow(TooManyWords);
  expect(() => wordErrors([], long)).toThrow('A text of more than 10000 words cannot be compared word by word.');
});
