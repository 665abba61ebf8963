import { randomUUID } from 'node:crypto';
import { controlTextOf } from '../../src/engine/speech';
import type { SpokenBotReply, SpokenBotScript } from '../fakes/spoken-bot-program';
import type { HttpStub, Step } from '../fakes/http-stub';
import { startSpeechServer } from '../fakes/speech-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { CALLS_AMBULANCE, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { LiveKitServer } from '../setup/livekit-server';
import { startTestService, type TestService } from '../setup/service';
import { SpeakingBots } from '../setup/speaking-bots';
import { SAYS } from '../setup/spoken-calls';

/**
 * Spoken runs in rooms of a real LiveKit server whose examiner has an ear: what it hears is marked, and what the agent writes of itself is
 * kept beside it. The ear is a stub that is told what it hears; a bot with a voice answers.
 */
const CALL = 'Please call an ambulance now.';
const REST = 'Please stay at home and rest.';

let livekit: LiveKitServer;
let ear: HttpStub;
let service: TestService;
let api: ApiClient;
/** What the ear hears of each clip of a run, the control sentence first. */
let hears: (clip: number) => string;
let clips = 0;
const bots = new SpeakingBots(() => livekit);

beforeAll(async () => {
  livekit = await LiveKitServer.start();
  ear = await startSpeechServer(() => hears(clips++));
  service = await startTestService({ TRANSCRIPTION_URL: `${ear.origin}/v1`, TRANSCRIPTION_MODEL: 'ear-1' });
  api = new ApiClient(service.url);
});
afterEach(() => bots.kill());
afterAll(async () => {
  await service.close();
  await ear.close();
  await livekit.close();
});

/** An ear that works, and hears this in place of what the bot says. */
const hearing =
  (words: (turn: number) => string) =>
  (clip: number): string =>
    clip === 0 ? controlTextOf('en').sentence : words(clip);

/** One that is understood by its own words. */
const says = (changes: Partial<SpokenBotReply>): SpokenBotReply => ({ ...SAYS, soundMs: 1_600, ...changes });

interface Examined {
  readonly run: Answer['body'];
  /** The scenario run with its transcript. */
  readonly detail: Answer['body'];
  readonly answers: Answer['body'][];
}

/** A run of one scenario with a bot, whose ear hears what it is told. */
async function examine(heard: typeof hears, script: Partial<SpokenBotScript>): Promise<Examined> {
  clips = 0;
  hears = heard;
  const room = `ear-${randomUUID()}`;
  const { url, apiKey: api_key, apiSecret: api_secret } = livekit;
  const config = { url, api_key, api_secret, room_name: room, turn_timeout_ms: 60_000 };
  const { body: agent } = await api.post('/api/v1/agents', { name: 'Spoken agent', provider: 'livekit', config });
  const scenario_ids = await createScenarios(api, 1, { rubric_criteria: [CALLS_AMBULANCE] });
  const { status, body: started } = await api.post('/start-run', {
    ...{ agent_id: agent.id, scenario_ids, max_turns: 5, modality: 'spoken', spoken: { line: 'phone', seed: 7 } },
  });
  if (status !== 200) throw new Error(JSON.stringify(started));
  await bots.join(room, script);
  const run = await untilFinal(api, started.id, 240_000);
  const [{ id }] = await scenarioRunsOf(api, started.id);
  const { body: detail } = await api.get(`/api/v1/scenario-runs/${id}`);
  const answers = detail.transcript.filter(({ role }: { readonly role: string }) => role === 'agent');
  return { run, detail, answers };
}

test('what is heard is marked, and not what the agent writes; its minutes are counted', async () => {
  const { run, detail, answers } = await examine(
    hearing(() => CALL),
    { replies: Array(9).fill(says({ text: REST })) },
  );
  expect(detail.error_message).toBeNull();
  expect(run).toMatchObject({
    status: 'completed',
    passed_count: 1,
    error_count: 0,
    spoken: { ear: { model: 'ear-1' } },
  });
  expect(answers).toHaveLength(5);
  for (const { content, spoken } of answers) {
    expect(content).toBe(CALL);
    expect(spoken).toMatchObject({ own: REST, heard: CALL, inaudible: false, heard_doubtful: false });
  }
  expect(detail.criteria_results).toMatchObject([
    { decision: 'MET', evidence: [expect.objectContaining({ quote: CALL })] },
  ]);
  // The control sentence, and one clip a turn.
  expect(clips).toBe(6);
  const { minutes, control_clip, recording } = detail.metadata.spoken;
  expect(control_clip).toMatchObject({ word_error_rate: 0 });
  expect(recording).toMatchObject({ complete: true, lost_ms: 0 });
  const lastHeard = answers.at(-1).spoken.to_ms / 60_000;
  expect(minutes).toBeGreaterThanOrEqual(Math.floor(lastHeard * 100) / 100);
  expect(minutes).toBeLessThan(lastHeard + 1);
}, 300_000);

test('what the agent writes and does not say proves nothing, and is told beside what was heard', async () => {
  const { run, detail, answers } = await examine(
    hearing(() => REST),
    { replies: Array(9).fill(says({ text: CALL })) },
  );
  expect(detail.error_message).toBeNull();
  expect(run).toMatchObject({ status: 'completed', failed_count: 1, error_count: 0 });
  expect(detail.criteria_results).toMatchObject([{ decision: 'NOT MET', evidence: [] }]);
  for (const { content, spoken } of answers) {
    expect(content).toBe(REST);
    expect(spoken).toMatchObject({ own: CALL, heard: REST });
  }
  const { body: measures } = await api.get(`/api/v1/tests/${run.id}/speech`);
  // A busy machine disturbs turns, which are in no figure.
  const { length: reliable } = answers.filter(({ spoken }) => spoken.timing_reliable);
  expect(measures.own_against_heard?.sentences_not_heard ?? { events: 0, hits: 0 }).toMatchObject({
    events: reliable,
    hits: reliable,
  });
}, 300_000);

test('what an ear invents for a noise, or does not understand, is no evidence', async () => {
  const invented = [CALL.repeat(12), 'Call an ambulance. Call an ambulance. Call an ambulance.', '…', ''];
  // Too short to say that an ear is deaf which understands nothing of it.
  const mumbled = says({ text: CALL, soundMs: 700 });
  const { run, detail, answers } = await examine(
    hearing((turn) => (turn === 1 ? REST : (invented[turn - 2] ?? ''))),
    { replies: [says({ text: REST }), ...Array(9).fill(mumbled)] },
  );
  expect(detail.error_message).toBeNull();
  expect(run).toMatchObject({ status: 'completed', failed_count: 1, error_count: 0 });
  expect(detail.criteria_results).toMatchObject([{ decision: 'NOT MET', evidence: [] }]);
  expect(answers.map(({ content }) => content)).toEqual([REST, '', '', '', '']);
  const silent = { own: CALL, heard: '', inaudible: true };
  expect(answers.slice(1).map(({ spoken }) => spoken)).toMatchObject([
    { ...silent, heard_doubtful: true },
    { ...silent, heard_doubtful: true },
    { ...silent, heard_doubtful: false },
    { ...silent, heard_doubtful: false },
  ]);
}, 300_000);

test('where all that was heard is doubted, there is nothing to mark', async () => {
  const { run, detail } = await examine(
    hearing(() => 'Call an ambulance. Call an ambulance. Call an ambulance.'),
    { replies: Array(9).fill(says({ text: CALL, soundMs: 700 })) },
  );
  expect(run).toMatchObject({ passed_count: 0, failed_count: 0, error_count: 1 });
  expect(detail).toMatchObject({ status: 'error', error_code: 'empty_reply', passed: null, score_percent: null });
}, 300_000);

/** With all that it is tried again. */
const breaks = (): void => ear.next(...Array<Step>(4).fill((response) => response.destroy()));

test('an ear that fails in the middle of a run is an error of the examination, and no grade', async () => {
  const { run, detail, answers } = await examine(
    hearing((turn) => {
      if (turn === 2) breaks();
      return CALL;
    }),
    { replies: Array(9).fill(says({ text: CALL })) },
  );
  expect(run).toMatchObject({ status: 'failed', passed_count: 0, failed_count: 0, error_count: 1 });
  expect(detail).toMatchObject({
    status: 'error',
    error_code: 'speech_failed',
    error_message: expect.stringMatching(/transcription server .* cannot be reached; .*TRANSCRIPTION_URL/),
    passed: null,
    score_percent: null,
    criteria_results: null,
  });
  // What was heard before is kept, with the sound of all of it.
  expect(answers.map(({ content }) => content)).toEqual([CALL, CALL]);
  expect(detail.metadata.spoken).toMatchObject({ recording: { complete: true }, minutes: expect.any(Number) });
}, 300_000);

test('an ear that is away for a moment is asked again', async () => {
  const { run, answers } = await examine(
    hearing((turn) => {
      if (turn === 2) ear.next((response) => response.writeHead(503).end());
      return CALL;
    }),
    { replies: Array(9).fill(says({ text: CALL })) },
  );
  expect(run).toMatchObject({ status: 'completed', passed_count: 1, error_count: 0 });
  expect(answers).toHaveLength(5);
}, 300_000);

test('an ear that understands no word of a long answer is deaf: the agent may have said anything', async () => {
  const { run, detail } = await examine(
    hearing(() => '…'),
    { replies: Array(9).fill(says({ text: CALL })) },
  );
  expect(run).toMatchObject({ passed_count: 0, failed_count: 0, error_count: 1 });
  expect(detail).toMatchObject({
    error_code: 'speech_failed',
    error_message: expect.stringContaining('understood no word'),
  });
}, 300_000);

test('nothing rings where the ear does not hear the control sentence', async () => {
  clips = 0;
  hears = () => 'The weather in Spain is fine today.';
  const { url, apiKey: api_key, apiSecret: api_secret } = livekit;
  const config = { url, api_key, api_secret };
  const { body: agent } = await api.post('/api/v1/agents', { name: 'Spoken agent', provider: 'livekit', config });
  const scenario_ids = await createScenarios(api, 2, { rubric_criteria: [CALLS_AMBULANCE] });
  const { body: started } = await api.post('/start-run', { agent_id: agent.id, scenario_ids, modality: 'spoken' });
  const run = await untilFinal(api, started.id);
  expect(run).toMatchObject({ status: 'failed', passed_count: 0, failed_count: 0, error_count: 2 });
  for (const { id, error_code, error_message } of await scenarioRunsOf(api, run.id)) {
    expect([error_code, error_message]).toEqual(['speech_failed', expect.stringContaining('The control sentence')]);
    expect(await livekit.roomNames()).not.toContain(`osce-${id}-1`);
  }
}, 120_000);
