import { readFile } from 'node:fs/promises';
import { DRIVER_MESSAGES } from '../../../src/platform/database/unavailable';

test('the errors of the driver that have no code are known by the words that the installed driver uses', async () => {
  const sources = ['pg/lib/client.js', 'pg-pool'].map((name) => readFile(require.resolve(name), 'utf8'));
  const text = (await Promise.all(sources)).join('\n');
  expect([...DRIVER_MESSAGES].filter((message) => !text.includes(`new Error('${message}'`))).toEqual([]);
});
