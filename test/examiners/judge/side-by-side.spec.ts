import { getEventListeners } from 'node:events';
import { sideBySide } from '../../../src/examiners/judge/proof-reading';

const noWait = { beforeLater: () => Promise.resolve() };

describe('Work that is done side by side', () => {
  it('is done for so many at a time, with the results in the order of the items', async () => {
    let live = 0;
    let mostLive = 0;
    const results = await sideBySide(
      [1, 2, 3, 4, 5],
      { most: 2, ...noWait },
      new AbortController().signal,
      async (item) => {
        mostLive = Math.max(mostLive, (live += 1));
        for (let turns = 0; turns < 6 - item; turns += 1) await new Promise(setImmediate);
        live -= 1;
        return item * 10;
      },
    );
    expect(results).toEqual([10, 20, 30, 40, 50]);
    expect(mostLive).toBe(2);
  });

  it('is begun after another has ended only once that is allowed', async () => {
    const lost = new Error('The lease was lost.');
    const begun: number[] = [];
    const lanes = { most: 2, beforeLater: () => Promise.reject(lost) };
    const work = async (item: number) => void begun.push(item);
    await expect(sideBySide([1, 2, 3], lanes, new AbortController().signal, work)).rejects.toBe(lost);
    expect(begun).toEqual([1, 2]);
  });

  it('ends with the first failure: the others are aborted, and none is begun', async () => {
    const failed = new Error('The judge gave no answer.');
    const begun: number[] = [];
    const aborted: number[] = [];
    const outcome = sideBySide(
      [1, 2, 3, 4],
      { most: 2, ...noWait },
      new AbortController().signal,
      async (item, signal) => {
        begun.push(item);
        if (item === 1) throw failed;
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        aborted.push(item);
      },
    );
    await expect(outcome).rejects.toBe(failed);
    await new Promise(setImmediate);
    expect([begun, aborted]).toEqual([[1, 2], [2]]);
  });

  it.each([
    ['while it goes on', false],
    ['before it begins', true],
  ])('is aborted with the examination: %s', async (_when, isEarly) => {
    const examination = new AbortController();
    if (isEarly) examination.abort();
    const outcome = sideBySide([1, 2], { most: 2, ...noWait }, examination.signal, async (_item, signal) => {
      if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      return signal.aborted;
    });
    examination.abort();
    expect(await outcome).toEqual([true, true]);
  });

  it.each([
    ['has been done', false],
    ['has failed', true],
  ])('leaves nothing at the signal once it %s', async (_how, fails) => {
    const { signal } = new AbortController();
    const outcome = sideBySide([1, 2], { most: 2, ...noWait }, signal, async () => {
      if (fails) throw new Error('The judge gave no answer.');
    });
    await Promise.allSettled([outcome]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
