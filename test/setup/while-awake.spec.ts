import { whileAwake } from './while-awake';

const standStill = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

test('what fails in a process that stood still is tried again with twice the time', async () => {
  const tried: number[] = [];
  await whileAwake(20, async (ms) => {
    tried.push(ms);
    standStill(80);
    if (tried.length < 3) throw new Error('It came too late.');
  });
  expect(tried).toEqual([20, 40, 80]);
});

test('what fails in a process that was awake has failed', async () => {
  const tried: number[] = [];
  const attempt = whileAwake(3_600_000, async (ms) => {
    tried.push(ms);
    throw new Error('It came too late.');
  });
  await expect(attempt).rejects.toThrow('It came too late.');
  expect(tried).toHaveLength(1);
});

test('what fails again and again has failed', async () => {
  const tried: number[] = [];
  const attempt = whileAwake(1, async (ms) => {
    tried.push(ms);
    standStill(50);
    throw new Error('It came too late.');
  });
  await expect(attempt).rejects.toThrow('It came too late.');
  expect(tried).toEqual([1, 2, 4, 8, 16]);
});
