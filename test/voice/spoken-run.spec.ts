import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { disturbancesOf, seedOf, soundOfPiece } from '../../src/engine/audio';
import { patientSoundOf } from '../setup/patient-sound';
import type { SpokenBotReply, SpokenBotScript } from '../fakes/spoken-bot-program';
import { Database } from '../../src/platform/database/database';
import { ApiClient } from '../setup/api-client';
import { SAYS as REPLY } from '../setup/spoken-calls';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { eventually } from '../setup/eventually';
import { CALLS_AMBULANCE, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { LiveKitServer } from '../setup/livekit-server';
import { startServiceProcess } from '../setup/service-process';
import { startTestService, type TestService } from '../setup/service';
import { SpeakingBots } from '../setup/speaking-bots';

/** Spoken runs of the real service: espeak-ng speaks, a bot in a room of a real LiveKit server answers, and what is kept is what was said. */
const RATE = 16_000;
const SPOKEN = { line: 'phone', seed: 7 } as const;

const SAYS: SpokenBotReply = { ...REPLY, soundMs: 1_600, delayMs: 400, understood: 'my chest hurts' };

let livekit: LiveKitServer;
const services: TestService[] = [];
const bots = new SpeakingBots(() => livekit);

beforeAll(async () => {
  livekit = await LiveKitServer.start();
});

afterEach(async () => {
  bots.kill();
  for (const service of services.splice(0)) await service.close();
});

afterAll(() => livekit.close());

/** A service in this process, and what it stores. @param database that another one began with */
async function startService(database?: TestDatabase): Promise<{ readonly api: ApiClient; readonly stored: Database }> {
  const service = await startTestService({}, database === undefined ? {} : { database });
  services.push(service);
  return { api: new ApiClient(service.url), stored: service.app.get(Database) };
}

const startBot = (room: string, script: Partial<SpokenBotScript>): Promise<void> =>
  bots.join(room, { replies: Array(60).fill(SAYS), ...script });

interface KeptTurn {
  readonly turn: number;
  readonly patient_message: string;
  readonly agent_message: string;
  readonly metadata: {
    readonly spoken: {
      readonly from_ms: number;
      readonly to_ms: number;
      readonly sentences: readonly { readonly id: string; readonly from_ms: number; readonly to_ms: number }[];
      readonly agent: readonly { readonly from_ms: number; readonly to_ms: number }[];
      readonly interjection: { readonly from_ms: number; readonly to_ms: number } | null;
    };
  };
}

/** Of the last conversation. */
const turnsOf = (stored: Database, id: string): Promise<KeptTurn[]> =>
  stored.query<KeptTurn>(
    'SELECT u.* FROM turns u JOIN scenario_runs s ON s.id = u.scenario_run_id AND s.conversation = u.conversation WHERE s.id = $1 ORDER BY turn',
    [id],
  );

interface KeptPiece {
  readonly track: 'patient' | 'agent';
  readonly first_sample: number;
  readonly sha256: string;
  readonly bytes: Buffer;
}

/** A track of the recording of an attempt as it is decoded, holes silent. */
async function trackOf(stored: Database, id: string, track: KeptPiece['track'], attempt = 1): Promise<Int16Array> {
  const pieces = await stored.query<KeptPiece>(
    'SELECT track, first_sample::float8 AS first_sample, sha256, bytes FROM recording_pieces WHERE scenario_run_id = $1 AND track = $2 AND attempt = $3 ORDER BY first_sample',
    [id, track, attempt],
  );
  const sounds = pieces.map(({ bytes, sha256: hash, first_sample }) => ({
    first_sample,
    ...soundOfPiece({ bytes, hash }),
  }));
  const end = sounds.reduce((last, { first_sample, samples }) => Math.max(last, first_sample + samples.length), 0);
  const whole = new Int16Array(end);
  for (const { first_sample, samples, rate } of sounds) {
    expect(rate).toBe(RATE);
    whole.set(samples, first_sample);
  }
  return whole;
}

async function start(
  api: ApiClient,
  room: string | null,
  spokenOf: (scenarioId: string) => object = () => SPOKEN,
): Promise<{ readonly id: string; readonly scenarioId: string }> {
  const { url, apiKey: api_key, apiSecret: api_secret } = livekit;
  const named = room === null ? {} : { room_name: room };
  const config = { url, api_key, api_secret, turn_timeout_ms: 120_000, ...named };
  const { body: agent } = await api.post('/api/v1/agents', { name: 'Spoken agent', provider: 'livekit', config });
  const scenario_ids = await createScenarios(api, 1, { rubric_criteria: [CALLS_AMBULANCE] });
  const spoken = spokenOf(scenario_ids[0] ?? '');
  const asked = { agent_id: agent.id, scenario_ids, max_turns: 5, modality: 'spoken', spoken };
  const { status, body: run } = await api.post('/start-run', asked);
  if (status !== 201 && status !== 200) throw new Error(JSON.stringify(run));
  return { id: run.id, scenarioId: scenario_ids[0] ?? '' };
}

/** What was said stands in the recording where the turns say, to the sample; answers how long the patient took after the agent's last sound. */
async function holdToRecording(
  stored: Database,
  id: string,
  scenario_id: string,
  attempt: number,
): Promise<readonly number[]> {
  const turns = await turnsOf(stored, id);
  expect(turns.map(({ turn }) => turn)).toEqual([1, 2, 3, 4, 5]);
  const patient = await trackOf(stored, id, 'patient', attempt);
  const agent = await trackOf(stored, id, 'agent', attempt);
  for (const { turn, patient_message, agent_message, metadata } of turns) {
    expect(agent_message).toContain(SAYS.text);
    const { spoken } = metadata;
    const said = await patientSoundOf(patient_message, { scenario_id, turn, seed: SPOKEN.seed });
    const from = spoken.from_ms * (RATE / 1_000);
    expect(Number.isInteger(from)).toBe(true);
    expect(Buffer.from(patient.slice(from, from + said.length).buffer).equals(Buffer.from(said.buffer))).toBe(true);
    expect(spoken.sentences[0]?.from_ms).toBeCloseTo(spoken.from_ms, 3);
    expect(spoken.sentences.at(-1)?.to_ms).toBeCloseTo(spoken.to_ms, 1);
    // There is sound where the agent is said to speak.
    const [first] = spoken.agent;
    const heard = agent.slice((first?.from_ms ?? 0) * 16, (first?.to_ms ?? 0) * 16);
    expect(heard.some((sample) => Math.abs(sample) > 1_000)).toBe(true);
  }
  return turns.slice(1).map(({ metadata }, at) => {
    const before = turns[at]?.metadata.spoken.agent.at(-1)?.to_ms ?? 0;
    return Math.round(metadata.spoken.from_ms - before);
  });
}

test('a spoken run ends with marks, and its recording holds what the patient said where the turn says', async () => {
  const { api, stored } = await startService();
  const room = `spoken-${randomUUID()}`;
  const { id, scenarioId } = await start(api, room);
  await startBot(room, {});
  const final = await untilFinal(api, id, 240_000);
  const [scenarioRun] = await scenarioRunsOf(api, id);
  expect(scenarioRun.error_message).toBeNull();
  expect(final).toMatchObject({ status: 'completed', passed_count: 1, error_count: 0 });
  expect(scenarioRun.metadata.spoken).toMatchObject({
    metrics_version: 1,
    control_clip: { word_error_rate: null },
    recording: { complete: true, lost_ms: 0 },
  });
  const answered = await holdToRecording(stored, scenarioRun.id, scenarioId, 1);
  console.info(
    `the patient began ${answered.join(', ')} ms after the agent's last sound; load ${loadavg()[0]?.toFixed(0)}`,
  );
}, 300_000);

test('what the patient says into an answer is recorded where the turn says', async () => {
  const { api, stored } = await startService();
  const room = `spoken-${randomUUID()}`;
  const kinds = new Set(['interruptions'] as const);
  const interrupts = (scenarioId: string, seed: number) =>
    disturbancesOf(kinds, 1, seedOf(seed, scenarioId, 1, 1)).whileAgentSpeaks !== null;
  const seedFor = (scenarioId: string) =>
    Array.from({ length: 100 }, (_, seed) => seed).find((seed) => interrupts(scenarioId, seed)) ?? 0;
  const { id } = await start(api, room, (scenarioId) => ({ sounds: [...kinds], seed: seedFor(scenarioId) }));
  await startBot(room, { replies: Array(60).fill({ ...SAYS, soundMs: 7_000, stopsAfterMs: 600 }) });
  expect(await untilFinal(api, id, 240_000)).toMatchObject({ status: 'completed', error_count: 0 });
  const [scenarioRun] = await scenarioRunsOf(api, id);
  const [first] = await turnsOf(stored, scenarioRun.id);
  const { interjection } = first?.metadata.spoken ?? {};
  expect(interjection).toMatchObject({ kind: 'interruption', words: expect.stringMatching(/\w/) });
  const patient = await trackOf(stored, scenarioRun.id, 'patient');
  const said = patient.slice((interjection?.from_ms ?? 0) * 16, (interjection?.to_ms ?? 0) * 16);
  expect(said.some((sample) => Math.abs(sample) > 1_000)).toBe(true);
}, 300_000);

test('a conversation whose process is killed begins anew, and nothing is doubled', async () => {
  const database = await createTestDatabase();
  const killed = await startServiceProcess({
    DATABASE_URL: database.url,
    LOG_LEVEL: 'error',
    NODE_OPTIONS: process.env['NODE_OPTIONS'] ?? '',
  });
  try {
    const began = new ApiClient(killed.url);
    // Each attempt has a room of its own.
    const { id, scenarioId } = await start(began, null);
    const roomOf = async (attempt: number) => `osce-${(await scenarioRunsOf(began, id))[0]?.id}-${attempt}`;
    const [first, second] = [await roomOf(1), await roomOf(2)];
    await startBot(first, {});
    await eventually(async () => {
      const [scenarioRun] = await scenarioRunsOf(began, id);
      expect(scenarioRun.turns).toBeGreaterThan(1);
    }, 200_000);
    await killed.end('SIGKILL');
    bots.kill();
    const { api, stored } = await startService(database);
    await eventually(async () => {
      const [row] = await stored.query<{ readonly attempt: number }>('SELECT attempt FROM scenario_runs');
      expect(row?.attempt).toBe(2);
    }, 120_000);
    await startBot(second, {});
    const final = await untilFinal(api, id, 240_000);
    const [scenarioRun] = await scenarioRunsOf(api, id);
    expect(scenarioRun.error_message).toBeNull();
    expect(final).toMatchObject({ status: 'completed', passed_count: 1 });
    expect(scenarioRun.metadata).toMatchObject({ attempts: 2, conversation_restarted: true });
    await holdToRecording(stored, scenarioRun.id, scenarioId, 2);
    // What was said before the crash stays beside it, as its turns do, and is not what is heard.
    expect((await trackOf(stored, scenarioRun.id, 'patient', 1)).length).toBeGreaterThan(0);
    const [said, heard] = [
      await trackOf(stored, scenarioRun.id, 'patient', 2),
      await trackOf(stored, scenarioRun.id, 'agent', 2),
    ];
    const ends_ms = Math.round(Math.max(said.length, heard.length) / 16);
    expect((await api.get(`/api/v1/scenario-runs/${scenarioRun.id}/speech`)).body).toMatchObject({
      recording: { state: 'kept', ends_ms },
    });
  } finally {
    await killed.end('SIGKILL');
    for (const service of services.splice(0)) await service.close();
    await database.drop();
  }
}, 900_000);
