import { executionAsyncResource } from 'node:async_hooks';
import { join } from 'node:path';

test('finds the process as it was', () => {
  expect(process.env['LEFT_BEHIND']).toBeUndefined();
  expect(process.listenerCount('SIGUSR2')).toBe(0);
  expect(' a '.trim()).toBe('a');
  expect(process.cwd()).toBe(join(__dirname, '..', '..', '..'));
});

test('has promises that carry nothing from file to file', async () => {
  await Promise.resolve();
  expect(Object.getOwnPropertySymbols(executionAsyncResource())).toEqual([]);
});
