import { readWav } from '../../src/engine/audio';
import { controlTextOf } from '../../src/engine/speech';
import type { HttpStub } from '../fakes/http-stub';
import { MediaStreamBot } from '../fakes/media-stream-bot';
import { startSpeechServer } from '../fakes/speech-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { CALLS_AMBULANCE, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

/** A spoken run, of whose conversations one could not be heard, is retried: by the voice and the ear that it had, or not at all. */
const WORDS = 'Please call an ambulance now.';

let database: TestDatabase;
let bot: MediaStreamBot;
let ear: HttpStub;
/** Since the run began: the control sentence comes first. */
let clips = 0;
const hearsAll = (clip: number): string => (clip === 0 ? controlTextOf('en').sentence : WORDS);
let hears = hearsAll;
let service: TestService;
let api: ApiClient;
let source: Answer['body'];
let failed: Answer['body'];
let held: Answer['body'];

const hearing = (origin = ear.origin) => ({ TRANSCRIPTION_URL: `${origin}/v1`, TRANSCRIPTION_MODEL: 'ear-1' });

beforeAll(async () => {
  database = await createTestDatabase();
  ear = await startSpeechServer(() => hears(clips++));
  bot = await MediaStreamBot.start({ replies: Array(20).fill({ delayMs: 300, soundMs: 900 }) });
  service = await startTestService(hearing(), { database });
  api = new ApiClient(service.url);
  const config = { url: bot.url };
  const { body: agent } = await api.post('/api/v1/agents', { name: 'Phone bot', provider: 'media-stream', config });
  const scenario_ids = await createScenarios(api, 2, { rubric_criteria: [CALLS_AMBULANCE] });
  // The control sentence is heard, and the first answer after it is not.
  hears = (clip) => {
    if (clip === 0) ear.next((response) => response.writeHead(401).end());
    return hearsAll(clip);
  };
  const { body: started } = await api.post('/start-run', {
    ...{ agent_id: agent.id, scenario_ids, max_turns: 5, modality: 'spoken' },
    spoken: { line: 'phone', rate: 1.5, noise: 'hum:30', seed: 11 },
  });
  source = await untilFinal(api, started.id, 150_000);
  const rows = await scenarioRunsOf(api, source.id);
  [failed, held] = ['error', 'passed'].map((status) => rows.find((row) => row.status === status));
}, 200_000);
afterAll(async () => {
  await service.close();
  await database.drop();
  await bot.close();
  await ear.close();
});

/** What the patient said first in a conversation, from its first sample. */
async function patientOf(id: string): Promise<Buffer> {
  const answer = await fetch(`${service.url}/api/v1/scenario-runs/${id}/recording.wav?track=patient`);
  const [samples = new Int16Array()] = readWav(new Uint8Array(await answer.arrayBuffer()), 600).channels;
  const from = samples.findIndex((sample) => sample !== 0);
  return Buffer.from(samples.slice(from, from + 16_000).buffer);
}

test('one conversation could not be heard, and its recording is kept', () => {
  expect(source).toMatchObject({ status: 'completed', passed_count: 1, error_count: 1 });
  expect(failed).toMatchObject({
    error_code: 'speech_failed',
    metadata: { spoken: { recording: { complete: true } } },
  });
});

describe('another ear or voice', () => {
  const refusalWith = async (settings: Readonly<Record<string, string>>): Promise<Answer> => {
    const other = await startTestService(settings, { database });
    try {
      return await new ApiClient(other.url).post(`/api/v1/tests/${source.id}/retry`);
    } finally {
      await other.close();
    }
  };

  test.each<[string, () => Readonly<Record<string, string>>, RegExp]>([
    [
      'another model of the ear',
      () => ({ ...hearing(), TRANSCRIPTION_MODEL: 'ear-2' }),
      /heard by espeak-ng .* ear-1, and now by .* ear-2: set SPEECH_\* and TRANSCRIPTION_\* back/,
    ],
    ['an ear elsewhere', () => hearing('http://127.0.0.1:9'), /and now by espeak-ng .* 127\.0\.0\.1:9 ear-1/],
    ['no ear', () => ({}), /^The agent of this run cannot be examined: .*set TRANSCRIPTION_URL/],
    [
      'another voice',
      () => ({ ...hearing(), SPEECH_URL: `${ear.origin}/v1`, SPEECH_MODEL: 'speech-1' }),
      /heard by espeak-ng .*, and now by 127\.0\.0\.1:\d+ speech-1/,
    ],
    ['no voice', () => ({ ...hearing(), PATH: '/nowhere' }), /^This run was spoken, and it cannot be spoken again: /],
  ])('%s: the retry is refused, and says what to set back', async (_, settings, sentence) => {
    const { PATH: path, ...variables } = settings();
    const before = process.env['PATH'];
    if (path !== undefined) process.env['PATH'] = path;
    try {
      expect(await refusalWith(variables)).toMatchObject({
        status: 409,
        body: { error: expect.stringMatching(sentence) },
      });
    } finally {
      process.env['PATH'] = before;
    }
  });

  test('nothing of them is stored', async () => {
    expect((await api.get(`/api/v1/tests?derived_from=${source.id}`)).body).toMatchObject({ total: 0 });
  });
});

describe('the same ear and voice', () => {
  let derived: Answer['body'];
  let rows: Answer['body'][];
  beforeAll(async () => {
    clips = 0;
    hears = hearsAll;
    const { body } = await api.post(`/api/v1/tests/${source.id}/retry`);
    derived = await untilFinal(api, body.id, 150_000);
    rows = await scenarioRunsOf(api, derived.id);
  }, 200_000);

  const again = (): Answer['body'] => rows.find(({ carried }) => !carried);

  test('the run is spoken as its source was', () => {
    expect(derived).toMatchObject({
      ...{ status: 'completed', passed_count: 2, error_count: 0, derivation: 'retry' },
      ...{ modality: 'spoken', spoken: source.spoken },
    });
  });

  test('what was not heard is spoken again, with the same sound, and recorded', async () => {
    const { body: detail } = await api.get(`/api/v1/scenario-runs/${again().id}`);
    expect(detail).toMatchObject({
      source_scenario_run_id: failed.id,
      metadata: { spoken: { recording: { complete: true } } },
    });
    const answers = detail.transcript.filter(({ role }: { readonly role: string }) => role === 'agent');
    expect(answers.map(({ spoken }: Answer['body']) => spoken.heard)).toEqual(Array(5).fill(WORDS));
    expect((await patientOf(again().id)).equals(await patientOf(failed.id))).toBe(true);
  });

  test('what was graded is carried with the times of its words; its sound is that of its source', async () => {
    const [row] = rows.filter(({ carried }) => carried);
    const [then, now] = await Promise.all([held.id, row.id].map((id) => api.get(`/api/v1/scenario-runs/${id}`)));
    expect(now?.body.transcript).toEqual(then?.body.transcript);
    expect(await api.get(`/api/v1/scenario-runs/${row.id}/recording.wav`)).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining(held.id) },
    });
  });

  test('its measures are those of both conversations', async () => {
    const { body } = await api.get(`/api/v1/tests/${derived.id}/speech`);
    expect(body).toMatchObject({ conversations: { total: 2, spoken: 2 }, turns: { spoken: 10, inaudible: 0 } });
  });
});
