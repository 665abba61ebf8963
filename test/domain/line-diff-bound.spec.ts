import { lineDiff, type DiffLine } from '../../src/domain/line-diff';

const kept = (diff: readonly DiffLine[], left: 'old' | 'new'): string[] =>
  diff.filter(({ kind }) => kind !== left).map(({ text }) => text);

describe('the difference of two texts that differ in about a thousand lines', () => {
  it.each([
    [1_000, 1],
    [1_001, 0],
  ])('of %d differences keeps %d line in the middle, for more than a thousand are not looked for', (count, same) => {
    const before = ['x', ...Array.from({ length: count - 1 }, (_, at) => `old ${at}`)];
    const diff = lineDiff(before, ['new', 'x']);
    expect(diff.filter(({ kind }) => kind === 'same')).toHaveLength(same);
    expect(kept(diff, 'new')).toEqual(before);
    expect(kept(diff, 'old')).toEqual(['new', 'x']);
  });

  it('keeps what both begin and end with, however many lines differ between', () => {
    const different = (kind: string) => Array.from({ length: 600 }, (_, at) => `${kind} ${at}`);
    const diff = lineDiff(['a', ...different('old'), 'y', 'z'], ['a', ...different('new'), 'y', 'z']);
    expect(diff.filter(({ kind }) => kind === 'same').map(({ text }) => text)).toEqual(['a', 'y', 'z']);
    expect(diff).toHaveLength(1_203);
  });
});
