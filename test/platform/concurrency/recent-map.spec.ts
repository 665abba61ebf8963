import { RecentMap } from '../../../src/platform/concurrency/recent-map';

describe('the newest values', () => {
  it('are kept up to the limit, and the oldest is forgotten first', () => {
    const values = new RecentMap<true>(3);
    for (const key of ['a', 'b', 'c']) values.set(key, true);
    expect(['a', 'b', 'c', 'd'].map((key) => values.has(key))).toEqual([true, true, true, false]);
    values.set('d', true);
    expect(['a', 'b', 'c', 'd'].map((key) => values.has(key))).toEqual([false, true, true, true]);
  });

  it('are as new as their last time, and hold what was set last', () => {
    const values = new RecentMap<number>(2);
    for (const [key, value] of [
      ['a', 1],
      ['b', 2],
      ['a', 3],
      ['c', 4],
    ] as const)
      values.set(key, value);
    expect(['a', 'b', 'c'].map((key) => values.get(key))).toEqual([3, undefined, 4]);
  });

  it('are gone once they are deleted, and leave room', () => {
    const values = new RecentMap<number>(2);
    for (const key of ['a', 'b']) values.set(key, 1);
    values.delete('b');
    values.set('c', 1);
    expect(['a', 'b', 'c'].map((key) => values.has(key))).toEqual([true, false, true]);
  });
});
