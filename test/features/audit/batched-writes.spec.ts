import { setImmediate as turn } from 'node:timers/promises';
import { BatchedWrites } from '../../../src/features/audit/audit-trail';

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
  'what comes %i steps after the one before it was written is written too',
  async (steps) => {
    const batches: (readonly number[])[] = [];
    const writes = new BatchedWrites<number, number>((items) => {
      batches.push(items);
      return Promise.resolve(items);
    });
    await writes.submit(1);
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    let written = 0;
    void writes.submit(2).then((number) => (written = number));
    await turn();
    expect(written).toBe(2);
    expect(batches).toEqual([[1], [2]]);
  },
);

test('what comes while one is being written is written together, and each hears what became of its own', async () => {
  const batches: (readonly number[])[] = [];
  const writes = new BatchedWrites<number, string>(async (items) => {
    batches.push(items);
    await turn();
    if (items.includes(7)) throw new Error('No sevens.');
    return items.map(String);
  });
  const first = writes.submit(1);
  const next = [2, 3, 4].map((number) => writes.submit(number));
  expect(await Promise.all([first, ...next])).toEqual(['1', '2', '3', '4']);
  expect(batches).toEqual([[1], [2, 3, 4]]);
  await expect(writes.submit(7)).rejects.toThrow('No sevens.');
  expect(await writes.submit(8)).toBe('8');
});

test('a batch that is answered with too little fails for those without an answer', async () => {
  const writes = new BatchedWrites<number, number>(() => Promise.resolve([]));
  await expect(writes.submit(1)).rejects.toThrow('fewer results');
});
