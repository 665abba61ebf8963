import { osce } from '../setup/osce-command';

const KEYS = { LIVEKIT_API_KEY: 'devkey', LIVEKIT_API_SECRET: 'a secret that is never shown' };

test.each([
  ['no server', [], KEYS, '--livekit'],
  ['no address', ['--livekit', 'livekit'], KEYS, 'ws://127.0.0.1:7880'],
  ['another kind of address', ['--livekit', 'ftp://127.0.0.1:7880'], KEYS, 'ws://127.0.0.1:7880'],
  ['no key', ['--livekit', 'ws://127.0.0.1:7880'], { LIVEKIT_API_SECRET: 'x' }, 'Set LIVEKIT_API_KEY'],
  ['no secret', ['--livekit', 'ws://127.0.0.1:7880'], { LIVEKIT_API_KEY: 'x' }, 'Set LIVEKIT_API_SECRET'],
  ['no turns', ['--livekit', 'ws://127.0.0.1:7880', '--turns', '0'], KEYS, '--turns'],
  ['very many turns', ['--livekit', 'ws://127.0.0.1:7880', '--turns', '401'], KEYS, '--turns: at most 400'],
  ['very many rooms', ['--livekit', 'ws://127.0.0.1:7880', '--rooms', '41'], KEYS, '--rooms: at most 40'],
])('%s is refused with a sentence', async (_, args, environment, sentence) => {
  const { code, stderr, stdout } = await osce(['speech', 'calibrate', ...args], { environment });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain('never shown');
});

test('help says what it measures, and when to', async () => {
  const { code, stdout } = await osce(['speech', 'calibrate', '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('while nothing else works there');
});
