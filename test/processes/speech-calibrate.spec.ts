import { join } from 'node:path';
import { freePort } from '../setup/identity-provider';
import { OsceCommand } from '../setup/osce-command';

const LOADER = join(__dirname, '..', 'setup', 'register-typescript.cjs');

const calibrate = async (...args: readonly string[]) =>
  OsceCommand.start(['speech', 'calibrate', '--livekit', `ws://127.0.0.1:${await freePort()}`, ...args], {
    environment: {
      LIVEKIT_API_KEY: 'devkey',
      LIVEKIT_API_SECRET: 'a secret that is never shown',
      // The process that holds the room is started from source, too.
      NODE_OPTIONS: `--require ${LOADER}`,
    },
  }).ends();

test('a LiveKit server that is out of reach is told each time, and nothing was measured then', async () => {
  // A program that waits for nothing that Node knows of ends in silence with 0: not every time.
  for (let time = 0; time < 3; time += 1) {
    const { code, stdout, stderr } = await calibrate();
    expect(stderr).toContain('The LiveKit server cannot be reached; check --livekit (LIVEKIT_URL)');
    expect([code, stdout]).toEqual([2, '']);
  }
});

test('with --media-stream the agent is called on this machine, and no server is needed', async () => {
  const { code, stdout, stderr } = await OsceCommand.start(
    ['speech', 'calibrate', '--media-stream', '--turns', '3', '--rooms', '2', '--json'],
    { environment: { NODE_OPTIONS: `--require ${LOADER}` } },
  ).ends();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ lines: 2, turns: 6, idle_share: expect.any(Number) });
});

test('a LiveKit server and a line are not measured at once', async () => {
  const { code, stderr } = await calibrate('--media-stream');
  expect([code, stderr]).toEqual([2, expect.stringContaining('--media-stream and --livekit exclude each other')]);
});

test('with --json the sentence is in the answer', async () => {
  const { code, stdout, stderr } = await calibrate('--json');
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toEqual({ error: stderr.trim() });
  expect(stderr).toContain('--livekit');
  expect(stderr).not.toContain('never shown');
});
