import fc from 'fast-check';
import { lineDiff, type DiffLine } from '../../src/domain/line-diff';

const MARKS = { same: ' ', old: '-', new: '+' } as const;

const lines = (text: string): string[] => [...text];
const shown = (diff: readonly DiffLine[]): string => diff.map(({ kind, text }) => MARKS[kind] + text).join(' ');
const kept = (diff: readonly DiffLine[], left: 'old' | 'new'): string[] =>
  diff.filter(({ kind }) => kind !== left).map(({ text }) => text);

/** As many lines as both texts have in the same order, by the textbook's table. */
function longestCommon(before: readonly string[], after: readonly string[]): number {
  let row = Array.from({ length: after.length + 1 }, () => 0);
  for (const line of before) {
    const next = [0];
    after.forEach((other, at) => {
      next.push(line === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    });
    row = next;
  }
  return row.at(-1) ?? 0;
}

describe('the difference of two texts, line by line', () => {
  it.each([
    ['', '', ''],
    ['ab', 'ab', ' a  b'],
    ['', 'ab', '+a +b'],
    ['ab', '', '-a -b'],
    ['abc', 'axc', ' a -b +x  c'],
    ['aa', 'a', ' a -a'],
    ['a', 'aa', ' a +a'],
    ['abcabba', 'cbabac', '-a -b  c +b  a  b -b  a +c'],
  ])('of %j and %j is %j', (before, after, expected) => {
    expect(shown(lineDiff(lines(before), lines(after)))).toBe(expected);
  });

  it('gives both texts back, and names no line as changed that need not be', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = lineDiff(before, after);
        expect(kept(diff, 'new')).toEqual(before);
        expect(kept(diff, 'old')).toEqual(after);
        expect(diff.filter(({ kind }) => kind === 'same')).toHaveLength(longestCommon(before, after));
      }),
    );
  });
});
