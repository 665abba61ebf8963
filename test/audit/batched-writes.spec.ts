import { setTimeout as sleep } from 'node:timers/promises';
import { BatchedWrites } from '../../src/audit/batched-writes';

it('Whoever comes just after a batch was committed is written too, however soon', async () => {
  for (let steps = 0; steps < 6; steps += 1) {
    const writes = new BatchedWrites<number, number>(async (items) => {
      await sleep(1);
      return items;
    });
    await writes.submit(1);
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    expect(await writes.submit(2)).toBe(2);
  }
});

it('What comes while a batch is written shares the next one, and everybody hears of their own failure', async () => {
  const batches: number[][] = [];
  const writes = new BatchedWrites<number, number>(async (items) => {
    batches.push([...items]);
    await sleep(1);
    if (items.includes(13)) throw new Error('not thirteen');
    return items;
  });
  const results = await Promise.allSettled([1, 2, 3].map((item) => writes.submit(item)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  expect(batches).toEqual([[1], [2, 3]]);
  await expect(writes.submit(13)).rejects.toThrow('not thirteen');
  expect(await writes.submit(4)).toBe(4);
});
