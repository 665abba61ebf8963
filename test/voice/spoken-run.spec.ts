import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { soundOfPiece } from '../../src/engine/audio';
import { patientSoundOf } from '../setup/patient-sound';
import { botToken } from '../../src/agents/livekit/room-token';
import type { SpokenBotReply, SpokenBotScript } from '../fakes/spoken-bot-program';
import { Database } from '../../src/platform/database/database';
import { ApiClient } from '../setup/api-client';
import { CALLS_AMBULANCE, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { LiveKitServer } from '../setup/livekit-server';
import { startTestService, type TestService } from '../setup/service';

/** Spoken runs of the real service: espeak-ng speaks, a bot in a room of a real LiveKit server answers, and what is kept is what was said. */
const RATE = 16_000;
const SPOKEN = { line: 'phone', seed: 7 } as const;

const SAYS: SpokenBotReply = {
  text: 'Please call an ambulance now.',
  soundMs: 1_600,
  delayMs: 400,
  understood: 'my chest hurts',
  shown: null,
  leaves: false,
};

let livekit: LiveKitServer;
let service: TestService;
let api: ApiClient;
let database: Database;
const bots: ChildProcess[] = [];

beforeAll(async () => {
  livekit = await LiveKitServer.start();
  service = await startTestService({ LOG_LEVEL: 'silent' });
  api = new ApiClient(service.url);
  database = service.app.get(Database);
});

afterEach(() => {
  for (const bot of bots.splice(0)) bot.kill('SIGKILL');
});

afterAll(async () => {
  await service.close();
  await livekit.close();
});

async function startBot(room: string, script: Partial<SpokenBotScript>): Promise<void> {
  const bot = fork(join(__dirname, '..', 'fakes', 'spoken-bot-program.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  bots.push(bot);
  const token = await botToken(livekit, room, 'clinic-agent');
  const joined = new Promise<void>((resolve, reject) => {
    bot.on('message', (event) => (event === 'joined' ? resolve() : reject(new Error(JSON.stringify(event)))));
  });
  bot.send({ url: livekit.url, hasVoice: true, greeting: null, replies: Array(60).fill(SAYS), token, ...script });
  await joined;
}

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
      readonly latency_ms: number | null;
    };
  };
}

const turnsOf = (id: string): Promise<KeptTurn[]> =>
  database.query<KeptTurn>('SELECT * FROM turns WHERE scenario_run_id = $1 ORDER BY turn', [id]);

interface KeptPiece {
  readonly track: 'patient' | 'agent';
  readonly first_sample: number;
  readonly sha256: string;
  readonly bytes: Buffer;
}

/** A track of a recording as it is decoded, holes silent. */
async function trackOf(id: string, track: KeptPiece['track']): Promise<Int16Array> {
  const pieces = await database.query<KeptPiece>(
    'SELECT track, first_sample::float8 AS first_sample, sha256, bytes FROM recording_pieces WHERE scenario_run_id = $1 AND track = $2 ORDER BY first_sample',
    [id, track],
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

async function examine(room_name: string, script: Partial<SpokenBotScript> = {}) {
  const { body: agent } = await api.post('/api/v1/agents', {
    name: 'Spoken agent',
    provider: 'livekit',
    config: {
      url: livekit.url,
      api_key: livekit.apiKey,
      api_secret: livekit.apiSecret,
      room_name,
      turn_timeout_ms: 120_000,
    },
  });
  const scenario_ids = await createScenarios(api, 1, { rubric_criteria: [CALLS_AMBULANCE] });
  const asked = { agent_id: agent.id, scenario_ids, max_turns: 5, modality: 'spoken', spoken: SPOKEN };
  const { status, body: run } = await api.post('/start-run', asked);
  if (status !== 201 && status !== 200) throw new Error(JSON.stringify(run));
  await startBot(room_name, script);
  const final = await untilFinal(api, run.id, 240_000);
  const [scenarioRun] = await scenarioRunsOf(api, run.id);
  return { run, final, scenarioRun, scenario_id: scenario_ids[0] ?? '' };
}

test('a spoken run ends with marks, and its recording holds what the patient said where the turn says', async () => {
  const { final, scenarioRun, scenario_id } = await examine(`spoken-${randomUUID()}`);
  expect(scenarioRun.error_message).toBeNull();
  expect(final).toMatchObject({ status: 'completed', passed_count: 1, error_count: 0 });
  expect(scenarioRun.metadata.spoken).toMatchObject({
    metrics_version: 1,
    control_clip: { word_error_rate: null },
    recording: { complete: true, lost_ms: 0 },
  });
  const turns = await turnsOf(scenarioRun.id);
  expect(turns).toHaveLength(5);
  const [patient, agent] = [await trackOf(scenarioRun.id, 'patient'), await trackOf(scenarioRun.id, 'agent')];
  for (const { turn, patient_message, agent_message, metadata } of turns) {
    expect(agent_message).toContain(SAYS.text);
    const { spoken } = metadata;
    const said = await patientSoundOf(patient_message, { scenario_id, turn, seed: SPOKEN.seed });
    const from = spoken.from_ms * (RATE / 1_000);
    expect(Number.isInteger(from)).toBe(true);
    expect(Buffer.from(patient.slice(from, from + said.length).buffer)).toEqual(Buffer.from(said.buffer));
    expect(spoken.sentences[0]?.from_ms).toBeCloseTo(spoken.from_ms, 3);
    expect(spoken.sentences.at(-1)?.to_ms).toBeCloseTo(spoken.to_ms, 1);
    // There is sound where the agent is said to speak.
    const [first] = spoken.agent;
    const heard = agent.slice((first?.from_ms ?? 0) * 16, (first?.to_ms ?? 0) * 16);
    expect(heard.some((sample) => Math.abs(sample) > 1_000)).toBe(true);
    expect(spoken.latency_ms).toBeGreaterThan(400);
  }
}, 300_000);
