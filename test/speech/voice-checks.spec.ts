import type { ServerResponse } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { sendAudio, speechSound, wavOf } from '../fakes/speech-server';
import { sendJson, startHttpStub, type HttpStub } from '../fakes/http-stub';
import { ApiClient, type Answer } from '../setup/api-client';
import { createScenarios } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

/** A spoken run is not stored before its voice has said a word: many starts at once may not ask for as many words. */
const AT_A_TIME = 2;

let speech: HttpStub;
let service: TestService;
let api: ApiClient;
let agentId: string;
/** Answers that the speech server holds back, while it does. */
let heldBack: ServerResponse[] | null = null;
let mostInFlight = 0;

const WORD = wavOf(speechSound());

beforeAll(async () => {
  speech = await startHttpStub((response, { path }) => {
    if (!path.endsWith('/audio/speech')) return sendJson(response, 404, { error: { message: 'Not found' } });
    mostInFlight = Math.max(mostInFlight, speech.inFlight);
    if (heldBack === null) sendAudio(response, WORD);
    else heldBack.push(response);
  });
  service = await startTestService({ SPEECH_URL: `${speech.origin}/v1`, SPEECH_MODEL: 'speech-1' });
  api = new ApiClient(service.url);
  agentId = await prepare(api);
});
beforeEach(() => {
  mostInFlight = 0;
});
afterAll(async () => {
  await service.close();
  await speech.close();
});

/** A scenario and an agent that can be spoken with; answers the agent's id. */
async function prepare(client: ApiClient): Promise<string> {
  await createScenarios(client, 1);
  const config = {
    url: 'ws://127.0.0.1:9',
    api_key: 'k',
    api_secret: 's-0123456789-0123456789-0123456789',
    agent_name: 'a',
  };
  const { body } = await client.post('/api/v1/agents', { name: 'Voice agent', provider: 'livekit', config });
  return String(body.id);
}

const start = (voice: string | null, client = api, agent_id = agentId): Promise<Answer> =>
  client.post('/start-run', {
    agent_id,
    scheduled_at: '9000-01-01T00:00:00.000Z',
    modality: 'spoken',
    spoken: { voice },
  });

const many = <Value>(make: (place: number) => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: 12 }, (_, place) => make(place)));

test('starts with the same voice at once ask its server for one word', async () => {
  const before = speech.requests.length;
  const answers = await many(() => start('nova'));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect((await start('nova')).status).toBe(200);
  expect(speech.requests.length - before).toBe(1);
});

test('starts with a voice each ask for a few words at a time, and each is answered', async () => {
  heldBack = [];
  const answers = many((place) => start(`voice-${place}`));
  for (let answered = 0; answered < 12; answered += 1) {
    await speech.until(() => (heldBack?.length ?? 0) >= Math.min(AT_A_TIME, 12 - answered));
    // More would come now, if more were let in.
    if (answered === 0) await new Promise((resolve) => setTimeout(resolve, 500));
    const response = heldBack.shift();
    if (response !== undefined) sendAudio(response, WORD);
  }
  heldBack = null;
  expect((await answers).map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(mostInFlight).toBe(AT_A_TIME);
});

test('a server that does not answer holds up the starts that wait for it for seconds, and none after them', async () => {
  heldBack = [];
  const began = performance.now();
  const answers = await many((place) => start(`silent-${place}`));
  heldBack = null;
  for (const { status, body } of answers) {
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^modality: The patient's voice did not speak within 15 s: try again/) },
    });
  }
  expect(performance.now() - began).toBeLessThan(45_000);
  await speech.until(() => speech.inFlight === 0);
  expect(mostInFlight).toBe(AT_A_TIME);
  expect((await start('after-them')).status).toBe(200);
}, 90_000);

test('a refusal is no verdict for long: a voice that is there a little later speaks', async () => {
  speech.next((response) => sendJson(response, 401, { error: { message: 'no' } }));
  const refused = await many(() => start('late'));
  expect(refused.map(({ status }) => status)).toEqual(Array(12).fill(400));
  const deadline = Date.now() + 30_000;
  let answer = await start('late');
  while (answer.status !== 200 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    answer = await start('late');
  }
  expect(answer.status).toBe(200);
}, 60_000);

test('starts with a voice of the machine at once run its program a few times', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'counted-programs-'));
  const counted = join(folder, 'calls');
  const program = `#!/bin/sh\necho "$$" >> '${counted}'\nPATH=\${PATH#*${delimiter}} exec espeak-ng "$@"\n`;
  await writeFile(join(folder, 'espeak-ng'), program, { mode: 0o755 });
  const path = process.env['PATH'] ?? '';
  const other = await startTestService();
  try {
    const client = new ApiClient(other.url);
    const agent_id = await prepare(client);
    process.env['PATH'] = `${folder}${delimiter}${path}`;
    const answers = await many(() => start('en-us+f3', client, agent_id));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    // Its version, its two lists of voices, the voice with and without the variant, and a word.
    expect((await readFile(counted, 'utf8')).trim().split('\n')).toHaveLength(6);
  } finally {
    process.env['PATH'] = path;
    await other.close();
    await rm(folder, { recursive: true });
  }
});
