import { RecentIds } from '../../../src/engine/actors/scenario-run-actors';

describe('the newest ids', () => {
  it('are kept up to the limit, and the oldest is forgotten first', () => {
    const ids = new RecentIds(3);
    for (const id of ['a', 'b', 'c']) ids.add(id);
    expect(['a', 'b', 'c', 'd'].map((id) => ids.has(id))).toEqual([true, true, true, false]);
    ids.add('d');
    expect(['a', 'b', 'c', 'd'].map((id) => ids.has(id))).toEqual([false, true, true, true]);
  });

  it('are as new as their last time', () => {
    const ids = new RecentIds(2);
    for (const id of ['a', 'b', 'a', 'c']) ids.add(id);
    expect(['a', 'b', 'c'].map((id) => ids.has(id))).toEqual([true, false, true]);
  });
});
