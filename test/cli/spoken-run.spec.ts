import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSpeechServer } from '../fakes/speech-server';
import type { HttpStub } from '../fakes/http-stub';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios } from '../setup/examination';
import { osce } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

let speech: HttpStub;
let service: TestService;
let api: ApiClient;
beforeAll(async () => {
  speech = await startSpeechServer();
  service = await startTestService({ SPEECH_URL: `${speech.origin}/v1`, SPEECH_MODEL: 'speech-1' });
  api = new ApiClient(service.url);
  const config = { url: 'ws://127.0.0.1:9', api_key: 'k', api_secret: 's'.repeat(40), agent_name: 'phone' };
  await api.post('/api/v1/agents', { name: 'phone', provider: 'livekit', config });
  await api.patch(`/api/v1/agents/${await createAgent(api, 'http://127.0.0.1:9')}`, { name: 'chat' });
  await createScenarios(api, 2);
});
afterAll(async () => {
  await service.close();
  await speech.close();
});

const command = (...args: string[]) => osce(args, { url: service.url });
const run = (...args: string[]) => command('run', '--at', '9000-01-01', '--tag', 'test', ...args);

test('osce run --spoken starts a spoken run with what was asked for, and says how long its calls take', async () => {
  const { code, stdout, stderr } = await run(
    ...['--agent', 'phone', '--spoken', '--voice', 'nova', '--rate', '1.2', '--line', 'phone', '--noise', 'babble:10'],
    ...['--sounds', 'pauses,interruptions', '--sounds', 'coughs', '--spoken-seed', '7', '--turns', '5'],
  );
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('about 5 minutes of speech in all'),
  });
  const label = stdout.trim();
  expect((await api.get(`/api/v1/tests/${label}`)).body).toMatchObject({
    modality: 'spoken',
    spoken: {
      voice: 'nova',
      rate: 1.2,
      line: 'phone',
      noise: 'babble:10',
      sounds: ['interruptions', 'pauses', 'coughs'],
      seed: 7,
    },
  });
  const shown = await command('runs', 'show', label);
  expect(shown.stdout).toMatch(/Spoken .*speech-1 nova at 1\.2 times its rate over phone with babble:10/);
  const written = (await run('--agent', 'chat')).stdout.trim();
  const listed = await command('runs', 'list', '--modality', 'spoken');
  expect(listed.stdout).toContain(label);
  expect(listed.stdout).toContain('voice');
  expect(listed.stdout).not.toContain(written);
});

test('.osce.yaml says that runs are spoken, and how; an option says otherwise', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-osce-spoken-settings-'));
  try {
    const lines = ['agent: phone', 'spoken:', '  line: phone', '  sounds: [pauses]', '  seed: 7'];
    await writeFile(join(folder, '.osce.yaml'), lines.join('\n'));
    const started = async (...args: string[]) => {
      const { code, stdout, stderr } = await osce(['run', '--at', '9000-01-01', '--tag', 'test', ...args], {
        url: service.url,
        cwd: folder,
      });
      expect({ code, stderr }).toMatchObject({ code: 0 });
      return (await api.get(`/api/v1/tests/${stdout.trim()}`)).body;
    };
    expect(await started()).toMatchObject({
      modality: 'spoken',
      spoken: { line: 'phone', sounds: ['pauses'], seed: 7, noise: null },
    });
    expect(await started('--line', 'wideband', '--noise', 'hum:20')).toMatchObject({
      modality: 'spoken',
      spoken: { line: 'wideband', sounds: ['pauses'], noise: 'hum:20' },
    });
    expect(await started('--no-spoken')).toMatchObject({ modality: 'text', spoken: null });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.each([
  [['--agent', 'chat', '--spoken'], /agent "chat" is of the kind openai, which is examined in text only/],
  [['--agent', 'phone', '--line', 'phone'], /--line is for spoken runs: add --spoken, or leave it out/],
  [['--agent', 'phone', '--spoken-seed', '0'], /--spoken-seed is for spoken runs/],
  [['--agent', 'phone', '--spoken', '--noise', 'rain:3'], /spoken\.noise: must be babble, pink, hum/],
  [['--agent', 'phone', '--spoken', '--sounds', 'sneezes'], /one or several of interruptions, backchannels, pauses/],
  [['--agent', 'phone', '--spoken', '--spoken-seed', '4294967296'], /a whole number from 0 to 4294967295/],
  [['--agent', 'phone', '--spoken', '--line', 'string'], /Allowed choices are wideband, phone, mobile_bad/],
])('2: %j starts nothing', async (args, sentence) => {
  const before = (await api.get('/api/v1/tests?limit=1')).body.total;
  expect(await run(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(sentence) });
  expect((await api.get('/api/v1/tests?limit=1')).body.total).toBe(before);
});
