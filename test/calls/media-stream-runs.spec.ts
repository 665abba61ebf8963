import { z } from 'zod';
import { heldFloor } from '../../contract/inspection';
import type { SpokenEntry } from '../../contract/spoken-turns';
import { readWav } from '../../src/engine/audio';
import { controlTextOf } from '../../src/engine/speech';
import { Database } from '../../src/platform/database/database';
import type { HttpStub } from '../fakes/http-stub';
import { MediaStreamBot } from '../fakes/media-stream-bot';
import { startSpeechServer } from '../fakes/speech-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { EventClient } from '../setup/event-client';
import { eventually } from '../setup/eventually';
import { CALLS_AMBULANCE, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { keysHeardIn } from '../setup/heard-keys';
import { startTestService, type TestService } from '../setup/service';

/** Runs of agents that take calls as Twilio Media Streams carries them: espeak-ng speaks, a bot on loopback answers, an ear that is a stub hears. */
const WORDS = 'Please call an ambulance now.';

let bot: MediaStreamBot;
let ear: HttpStub;
let heard = 0;
const services: TestService[] = [];

beforeAll(async () => {
  // The control sentence comes first.
  ear = await startSpeechServer(() => (heard++ === 0 ? controlTextOf('en').sentence : WORDS));
  bot = await MediaStreamBot.start({ greetingMs: 500, replies: Array(20).fill({ delayMs: 500, soundMs: 1_500 }) });
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
});
afterAll(async () => {
  await bot.close();
  await ear.close();
});

async function start(
  fields: object,
  settings: Readonly<Record<string, string>>,
  scenario: object = {},
  config: object = { url: bot.url, headers: { authorization: 'Bearer a-key-for-the-bot' } },
): Promise<Answer & { readonly api: ApiClient }> {
  const service = await startTestService(settings);
  services.push(service);
  const api = new ApiClient(service.url);
  const { body: agent } = await api.post('/api/v1/agents', { name: 'Phone bot', provider: 'media-stream', config });
  const scenario_ids = await createScenarios(api, 1, { rubric_criteria: [CALLS_AMBULANCE], ...scenario });
  const answer = await api.post('/start-run', { agent_id: agent.id, scenario_ids, max_turns: 5, ...fields });
  return { ...answer, api };
}

const runsStored = async (): Promise<number> => {
  const rows = await services[0]?.app
    .get(Database)
    .query<{ readonly count: number }>('SELECT count(*)::int FROM test_runs');
  return rows?.[0]?.count ?? -1;
};

test('a spoken run with such an agent is marked by what the ear heard', async () => {
  const settings = { TRANSCRIPTION_URL: `${ear.origin}/v1`, TRANSCRIPTION_MODEL: 'ear-1' };
  const { api, body: run } = await start({ modality: 'spoken', spoken: { line: 'phone', seed: 3 } }, settings);
  const [begun] = await scenarioRunsOf(api, run.id);
  const stream = await EventClient.open(`${api.url}/api/v1/inspect/actors/${begun.id}/events`);
  await eventually(async () => {
    const { body: actor } = await api.get(`/api/v1/inspect/actors/${begun.id}`);
    expect(actor.floor).toMatchObject({ holder: 'agent', for_ms: expect.any(Number) });
  });
  const final = await untilFinal(api, run.id, 100_000);
  expect(await stream.ended).toBe(true);
  expectFloors(stream);
  const [scenarioRun] = await scenarioRunsOf(api, run.id);
  expect(scenarioRun.error_message).toBeNull();
  expect(final).toMatchObject({ status: 'completed', passed_count: 1, error_count: 0 });
  expect(scenarioRun.metadata).toMatchObject({
    session: { protocol: 'voice', stream_sid: bot.call.streamSid },
    spoken: { metrics_version: 1, recording: { complete: true, lost_ms: 0 } },
  });
  const { body: detail } = await api.get(`/api/v1/scenario-runs/${scenarioRun.id}`);
  const answers = detail.transcript.filter(({ role }: { readonly role: string }) => role === 'agent');
  expect(answers).toHaveLength(5);
  for (const { content, spoken } of answers) {
    expect(content).toContain(WORDS);
    expect(spoken).toMatchObject({ own: null, heard: WORDS, inaudible: false });
    // On a machine that stands still, sound is late, and the turn says so.
    if (!spoken.timing_reliable) continue;
    // The bot waits half a second.
    expect(spoken.latency_ms).toBeGreaterThan(450);
    expect(spoken.latency_ms).toBeLessThan(3_000);
  }
}, 120_000);

const toldFloor = z.object({ type: z.literal('floor'), floor: heldFloor.nullable() });

/** The floor goes over in each turn, as those who follow the call see it, and is nobody's once the call is over. */
function expectFloors({ messages }: EventClient): void {
  const told = messages.flatMap(({ data }) => {
    const read = toldFloor.safeParse(data);
    if (!read.success) return [];
    const { floor } = read.data;
    return [floor === null ? 'none' : `${floor.holder} ${floor.speaking ? 'speaks' : 'is silent'}`];
  });
  const turn = ['patient speaks', 'agent is silent', 'agent speaks', 'agent is silent', 'patient is silent'];
  expect(told.slice(-16)).toEqual([...turn, ...turn, ...turn, 'none']);
}

test('a limit of the scenario on speech is a criterion that must be passed', async () => {
  const settings = { TRANSCRIPTION_URL: `${ear.origin}/v1`, TRANSCRIPTION_MODEL: 'ear-1' };
  const content = {
    script: 'You take 75 mg of aspirin.',
    demographics: {},
    chief_complaint: 'My chest hurts. I took 75 mg of aspirin.',
    speech: { manner: 'breathless' },
    speech_limits: { read_back: ['75 mg'] },
  };
  heard = 0;
  const { api, body: run } = await start({ modality: 'spoken', spoken: { seed: 3 } }, settings, { content });
  const final = await untilFinal(api, run.id, 100_000);
  const [scenarioRun] = await scenarioRunsOf(api, run.id);
  expect(scenarioRun.error_message).toBeNull();
  // The ambulance is called, and the dose is not read back.
  expect(final).toMatchObject({ status: 'completed', passed_count: 0, failed_count: 1 });
  const { body: detail } = await api.get(`/api/v1/scenario-runs/${scenarioRun.id}`);
  expect(detail.criteria_results).toMatchObject([
    { decision: 'MET', check: null },
    {
      criterion: 'Reads back “75 mg”',
      tags: ['speech', 'must_pass'],
      decision: 'NOT MET',
      max_points: 1,
      check: 'speech_limit',
      rationale: 'The agent did not say rightly afterwards: “75 mg”, said in turn 1.',
    },
  ]);
  // Of "My chest hurts. I took seventy five milligrams of aspirin."
  expect(detail.transcript[0].spoken.pauses[0]).toMatchObject({ scripted_ms: 600 });
}, 120_000);

test('the patient gets through a menu by its keys, and its script begins behind it', async () => {
  const menu = await MediaStreamBot.start({
    greetingMs: 1_500,
    replies: Array(20).fill({ delayMs: 500, soundMs: 1_500 }),
  });
  // What the bot says goes by the keys that it has received: without them it never leaves the menu.
  const says = new Map([
    ['', ['Welcome. For appointments, press one.']],
    ['1', ['Type your date of birth.']],
    ['11503', ['Thank you. What is the matter?', ...Array<string>(5).fill(WORDS)]],
  ]);
  let isControl = true;
  const menuEar = await startSpeechServer(() => {
    if (isControl) {
      isControl = false;
      return controlTextOf('en').sentence;
    }
    return says.get(menu.call.pressed)?.shift() ?? 'Sorry, that is no choice.';
  });
  const settings = { TRANSCRIPTION_URL: `${menuEar.origin}/v1`, TRANSCRIPTION_MODEL: 'ear-1' };
  const keypad = [
    { when: 'date of birth', press: '1503' },
    { when: 'press 1', press: '1' },
  ];
  const content = { script: 'You are 61.', demographics: {}, chief_complaint: 'My chest hurts.', speech: { keypad } };
  const config = { url: menu.url };
  const { api, body: run } = await start(
    { modality: 'spoken', spoken: { line: 'phone', seed: 3, sounds: ['pauses', 'coughs'] } },
    settings,
    { content },
    config,
  );
  const final = await untilFinal(api, run.id, 100_000);
  const [scenarioRun] = await scenarioRunsOf(api, run.id);
  await Promise.all([menu.close(), menuEar.close()]);
  expect(scenarioRun.error_message).toBeNull();
  expect(menu.call.pressed).toBe('11503');
  const { body: detail } = await api.get(`/api/v1/scenario-runs/${scenarioRun.id}`);
  const entries: readonly { readonly role: string; readonly content: string; readonly spoken: SpokenEntry }[] =
    detail.transcript;
  const [first, second, third, ...others] = entries.filter(({ role }) => role === 'patient');
  expect([first, second, third].map((entry) => entry?.content)).toEqual([
    '[presses 1]',
    '[presses 1503]',
    'My chest hurts.',
  ]);
  expect(others).toHaveLength(2);
  for (const { content: said } of others) expect(said).not.toContain('press');
  expect(first?.spoken).toMatchObject({ sentences: [], disturbances: [] });
  const timed = entries.filter(({ role, spoken }) => role === 'agent' && spoken.timing_reliable);
  // None where the bot takes a pause of the patient for the end of its turn, as it may on a machine that delays sound.
  const latencies = timed.flatMap(({ spoken }) => spoken.latency_ms ?? []);
  for (const latency of latencies) expect(latency).toBeGreaterThan(450);
  expect(final).toMatchObject({ status: 'completed', passed_count: 1, error_count: 0 });

  const recording = await fetch(
    `${services[0]?.url}/api/v1/scenario-runs/${scenarioRun.id}/recording.wav?track=patient`,
  );
  const { channels, rate } = readWav(new Uint8Array(await recording.arrayBuffer()), 600);
  expect(keysHeardIn({ samples: channels[0] ?? new Int16Array(), rate })).toBe('11503');
}, 120_000);

test('without an ear nothing is stored, and the answer names the setting', async () => {
  const { status, body } = await start({ modality: 'spoken' }, {});
  expect(status).toBe(400);
  expect(body.error).toMatch(/^modality: agent "Phone bot" .* set TRANSCRIPTION_URL/);
  expect(await runsStored()).toBe(0);
});

test('such an agent is not examined in text', async () => {
  const { status, body } = await start({}, {});
  expect(status).toBe(400);
  expect(body.error).toBe(
    'modality: agent "Phone bot" is of the kind media-stream, which can only be spoken with: set modality to spoken',
  );
  expect(await runsStored()).toBe(0);
});

test('a pair over two lines is held and compared, and no twin in text is started', async () => {
  const settings = { TRANSCRIPTION_URL: `${ear.origin}/v1`, TRANSCRIPTION_MODEL: 'ear-1' };
  heard = 0;
  const { api, body: first } = await start({ modality: 'spoken', spoken: { line: 'wideband', seed: 3 } }, settings);
  await untilFinal(api, first.id, 100_000);
  heard = 0;
  const twin = await api.post('/start-run', { twin_of: first.id, spoken: { line: 'phone' } });
  expect(twin).toMatchObject({ status: 200 });
  const second = await untilFinal(api, twin.body.id, 100_000);
  expect(second).toMatchObject({ status: 'completed', passed_count: 1, twin_of: first.id, spoken: { seed: 3 } });
  const { body: comparison } = await api.get(`/api/v1/tests/${second.id}/comparison?before=${first.id}&as=twins`);
  expect(comparison.doubts.map(({ kind }: { readonly kind: string }) => kind)).toEqual(['spoken']);
  expect(comparison.twins).toMatchObject({
    before: 'spoken over wideband',
    after: 'spoken over phone',
    pairs: { total: 1, compared: 1, both_passed: 1 },
    not_compared: [],
  });
  // The patient had the same words in both.
  const saidIn = async (run: string): Promise<readonly string[]> => {
    const [scenarioRun] = await scenarioRunsOf(api, run);
    const { body } = await api.get(`/api/v1/scenario-runs/${scenarioRun.id}`);
    return body.transcript
      .filter(({ role }: { readonly role: string }) => role === 'patient')
      .map(({ content }: { readonly content: string }) => content);
  };
  expect(await saidIn(second.id)).toEqual(await saidIn(first.id));
  expect(await api.post('/start-run', { twin_of: first.id, modality: 'text' })).toMatchObject({
    status: 400,
    body: {
      error: `twin_of: agent "Phone bot" is of the kind media-stream, which can only be spoken with, so ${first.test_run_id} has no twin in text: name another line, noise or voice in spoken`,
    },
  });
}, 240_000);
