import { Client } from 'pg';
import { Database } from '../../src/platform/database/database';
import { controlTextOf } from '../../src/engine/speech';
import { sendJson, startHttpStub, type HttpStub, type Step } from '../fakes/http-stub';
import { MediaStreamBot } from '../fakes/media-stream-bot';
import { sendAudio, speechSound, wavOf } from '../fakes/speech-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { CALLS_AMBULANCE, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

/** Spoken runs whose voice, ear or database fails once they have begun: none of it is held against the agent, and none of it stops a conversation that can go on. */
const WORDS = 'Please call an ambulance now.';

let bot: MediaStreamBot;
let server: HttpStub;
let service: TestService;
let api: ApiClient;
let agentId: string;
let scenarioIds: string[];
/** In place of a sentence of the patient, but for the word and the control sentence; null: it is spoken. */
let insteadOfSpeech: Step | null = null;
/** In place of what is heard of the agent; null: WORDS. */
let insteadOfWords: Step | null = null;

beforeAll(async () => {
  const control = controlTextOf('en').sentence;
  const word = wavOf(speechSound());
  let isControlHeard = false;
  server = await startHttpStub((response, request) => {
    const { path, body } = request;
    if (path.endsWith('/audio/speech')) {
      const { input } = Object(body);
      const isOurs = input === 'Hello.' || input === control;
      if (input === control) isControlHeard = false;
      return isOurs || insteadOfSpeech === null ? sendAudio(response, word) : insteadOfSpeech(response, request);
    }
    // The control sentence is heard first in each run.
    if (!isControlHeard) {
      isControlHeard = true;
      return sendJson(response, 200, { text: control });
    }
    return insteadOfWords === null ? sendJson(response, 200, { text: WORDS }) : insteadOfWords(response, request);
  });
  bot = await MediaStreamBot.start({ replies: Array(60).fill({ delayMs: 300, soundMs: 1_500 }) });
});
beforeEach(async () => {
  [insteadOfSpeech, insteadOfWords] = [null, null];
  service = await startTestService({
    SPEECH_URL: `${server.origin}/v1`,
    SPEECH_MODEL: 'speech-1',
    TRANSCRIPTION_URL: `${server.origin}/v1`,
    TRANSCRIPTION_MODEL: 'ear-1',
  });
  api = new ApiClient(service.url);
  const config = { url: bot.url, turn_timeout_ms: 60_000 };
  const { body } = await api.post('/api/v1/agents', { name: 'Phone bot', provider: 'media-stream', config });
  agentId = body.id;
  scenarioIds = await createScenarios(api, 1, { rubric_criteria: [CALLS_AMBULANCE] });
});
afterEach(() => service.close());
afterAll(async () => {
  await bot.close();
  await server.close();
});

/** Holds one conversation; answers its run and it. */
async function held(during: (runId: string) => Promise<void> = () => Promise.resolve()) {
  const asked = { agent_id: agentId, scenario_ids: scenarioIds, max_turns: 5, modality: 'spoken' };
  const { status, body } = await api.post('/start-run', asked);
  expect({ status, body }).toMatchObject({ status: 200 });
  await during(body.id);
  const run: Answer['body'] = await untilFinal(api, body.id, 150_000);
  const [scenarioRun] = await scenarioRunsOf(api, body.id);
  return { run, scenarioRun };
}

describe('a database that does not take sound', () => {
  /** The conversation is marked as any other; its metadata says that the recording is incomplete, and nothing else differs. */
  const expectMarked = ({ run, scenarioRun }: Awaited<ReturnType<typeof held>>): void => {
    expect(scenarioRun.error_message).toBeNull();
    expect(run).toMatchObject({ status: 'completed', passed_count: 1, error_count: 0 });
    expect(scenarioRun.turns).toBe(5);
    expect(scenarioRun.metadata.spoken.recording).toMatchObject({ complete: false, lost_ms: expect.any(Number) });
    expect(scenarioRun.metadata.spoken.recording.lost_ms).toBeGreaterThan(1_000);
  };

  test('and says so of one track: the conversation goes on, and the other track is kept', async () => {
    const database = service.app.get(Database);
    await database.query(
      `CREATE FUNCTION no_sound() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'could not extend file: No space left on device'; END $$`,
    );
    await database.query(
      `CREATE TRIGGER no_sound BEFORE INSERT ON recording_pieces FOR EACH ROW WHEN (NEW.track = 'agent') EXECUTE FUNCTION no_sound()`,
    );
    const conversation = await held();
    expectMarked(conversation);
    const id = conversation.scenarioRun.id;
    const kept = await database.query('SELECT DISTINCT track FROM recording_pieces WHERE scenario_run_id = $1', [id]);
    expect(kept).toEqual([{ track: 'patient' }]);
    expect((await api.get(`/api/v1/scenario-runs/${id}/speech`)).body.entries).toHaveLength(10);
  }, 180_000);

  test('because something else has locked it: nothing waits for it but the recording, for seconds', async () => {
    const other = new Client(service.database.url);
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query('LOCK TABLE recording_pieces IN SHARE MODE');
      expectMarked(await held());
    } finally {
      await other.end();
    }
  }, 180_000);
});

describe('a speech server that answers with something else', () => {
  test.each<[string, Step, RegExp]>([
    [
      'MP3',
      (response) => sendAudio(response, Buffer.from('ID3\u0004\0\0\0\0\0\0', 'latin1'), 'audio/mpeg'),
      /The speech server .* was asked for WAV: .* look like an MP3 file\. Check SPEECH_URL and SPEECH_MODEL\./,
    ],
    [
      'a page with a login',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Log in</p>'),
      /look like a web page\. Check SPEECH_URL/,
    ],
    [
      'silence',
      (response) => sendAudio(response, wavOf(new Int16Array(24_000))),
      /answered with silence for a sentence/,
    ],
  ])(
    'once the run has begun, with %s: an error of the run, and no grade',
    async (_, answer, sentence) => {
      insteadOfSpeech = answer;
      const { run, scenarioRun } = await held();
      expect(run).toMatchObject({ passed_count: 0, failed_count: 0, error_count: 1 });
      expect(scenarioRun).toMatchObject({
        status: 'error',
        error_code: 'speech_failed',
        error_message: expect.stringMatching(sentence),
      });
    },
    90_000,
  );
});

describe('a transcription server that answers with something else', () => {
  test.each<[string, Step, RegExp]>([
    [
      'a page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in'),
      /a web page/,
    ],
    ['no text', (response) => sendJson(response, 200, { words: [] }), /JSON without a "text" that is a string/],
    ['null', (response) => sendJson(response, 200, { text: null }), /JSON without a "text" that is a string/],
    ['subtitles', (response) => response.writeHead(200, { 'content-type': 'text/vtt' }).end('WEBVTT\n\n'), /subtitles/],
    [
      'a novel',
      (response) => sendJson(response, 200, { text: 'word '.repeat(2_000) }),
      /answered with \d+ characters for a clip of 30 s at most/,
    ],
    ['a refusal', (response) => sendJson(response, 401, { error: { message: 'no' } }), /refused the key \(401\)/],
  ])(
    'once the run has begun, with %s: an error of the run, and no grade',
    async (_, answer, sentence) => {
      insteadOfWords = answer;
      const { run, scenarioRun } = await held();
      expect(run).toMatchObject({ passed_count: 0, failed_count: 0, error_count: 1 });
      expect(scenarioRun).toMatchObject({
        status: 'error',
        error_code: 'speech_failed',
        error_message: expect.stringMatching(sentence),
      });
    },
    90_000,
  );

  test('with nothing that it understood of a voice: an error of the run, and no grade', async () => {
    insteadOfWords = (response) => sendJson(response, 200, { text: '♪ …' });
    const { run, scenarioRun } = await held();
    expect(run).toMatchObject({ passed_count: 0, failed_count: 0, error_count: 1 });
    expect(scenarioRun).toMatchObject({
      status: 'error',
      error_code: 'speech_failed',
      error_message: expect.stringMatching(/ear understood no word of [\d.]+ s of the agent's voice/),
    });
  }, 90_000);
});
