import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';

test('passes', async () => {
  process.env['LEFT_BEHIND'] = 'yes';
  process.on('SIGUSR2', () => undefined);
  process.chdir(tmpdir());
  setInterval(() => undefined, 1_000);
  spawn('sleep', ['30']);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
