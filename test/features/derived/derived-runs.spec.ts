import { randomUUID } from 'node:crypto';
import type { SpokenView } from '../../../contract/spoken';
import { USUAL_PATIENT, type PatientProfile } from '../../../src/domain/patient';
import { Database } from '../../../src/platform/database/database';
import type { FakeAgent } from '../../fakes/fake-agent';
import type { HttpStub } from '../../fakes/http-stub';
import { startFakeOpenAi } from '../../fakes/openai-server';
import { startSpeechServer } from '../../fakes/speech-server';
import { ApiClient, type Answer } from '../../setup/api-client';
import { createAgent, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../../setup/examination';
import { storeGradedRun, storeScenarios } from '../../setup/graded-run';
import { conversationsOf, storeTurns } from '../../setup/reviewed-runs';
import { startTestService, type TestService } from '../../setup/service';
import { spokenRun } from '../../setup/spoken-run';

let service: TestService;
let api: ApiClient;
let database: Database;
let agent: FakeAgent;
let speech: HttpStub;
beforeAll(async () => {
  [agent, speech] = await Promise.all([startFakeOpenAi({ reply: () => GOOD_REPLY }), startSpeechServer()]);
  service = await startTestService({
    SPEECH_URL: `${speech.origin}/v1`,
    SPEECH_MODEL: 'speech-1',
    TRANSCRIPTION_URL: `${speech.origin}/v1`,
    TRANSCRIPTION_MODEL: 'ear-1',
  });
  api = new ApiClient(service.url);
  database = service.app.get(Database);
});
afterAll(async () => {
  await service.close();
  await agent.close();
  await speech.close();
});

const SCRIPT = 'You have had chest pain for two hours. You take aspirin.';
const CONTENT = { script: SCRIPT, demographics: {}, chief_complaint: 'My chest hurts.' };
const RUBRIC = [{ criterion: 'Tells the patient to call an ambulance', points: 5, tags: [] }];
const MARKS = [{ criterion: RUBRIC[0]?.criterion ?? '', tags: [], decision: 'MET', max_points: 5 }];

/** A conversation of a run of six turns. */
interface Held {
  /** passed, failed, canceled, or an error code. */
  readonly outcome: string;
  /** Six without it. */
  readonly turns?: number;
  readonly ended_by?: string;
  /** Its conversation was held before it began. */
  readonly played_by?: object;
  /** The usual one without it. */
  readonly patient?: PatientProfile;
}

interface StoredRun {
  readonly id: string;
  readonly label: string;
  readonly agentId: string;
  /** In the run's order. */
  readonly rows: readonly string[];
}

interface StoredAs {
  readonly content?: object;
  readonly agentId?: string;
}

async function stored(held: readonly Held[], { content = CONTENT, agentId }: StoredAs = {}): Promise<StoredRun> {
  const names = held.map((_, place) => `Held ${place + 1} of ${randomUUID()}`);
  const ids = await storeScenarios(database, names);
  const examined = agentId ?? (await createAgent(api, agent.baseUrl));
  const id = await storeGradedRun(
    database,
    held.map(({ outcome }, place) => ({
      id: ids[place] ?? '',
      name: names[place] ?? '',
      outcomes: [outcome],
      content,
      rubric: RUBRIC,
    })),
    { agentId: examined, criteria: () => MARKS },
  );
  await storeTurns(
    database,
    id,
    Array.from({ length: 6 }, (_, at) => [`Question ${at + 1}`, `${GOOD_REPLY} ${at + 1}`]),
  );
  const rows = await conversationsOf(database, id);
  for (const [place, { turns = 6, ended_by = null, played_by, patient = USUAL_PATIENT }] of held.entries()) {
    await database.query(
      'UPDATE scenario_runs SET turns = $2, ended_by = $3, played_by = $4, patient = $5 WHERE id = $1',
      [rows[place], turns, ended_by, played_by && JSON.stringify(played_by), JSON.stringify(patient)],
    );
  }
  return { id, label: `run_${id}`, agentId: examined, rows };
}

const setOf = (id: string, column: 'tester_model' | 'judge_model' | 'agent_version', value: string) =>
  database.query(`UPDATE test_runs SET ${column} = $2 WHERE id = $1`, [id, value]);
const retry = ({ id }: StoredRun): Promise<Answer> => api.post(`/api/v1/tests/${id}/retry`);
const regrade = ({ id }: StoredRun, request: object = {}): Promise<Answer> =>
  api.post(`/api/v1/tests/${id}/regrade`, request);
const fork = ({ rows }: StoredRun, request: object): Promise<Answer> =>
  api.post(`/api/v1/scenario-runs/${rows[0]}/fork`, request);

async function begun(answered: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answered;
  expect({ status, body }).toMatchObject({ status: 200 });
  return { answer: body, run: await untilFinal(api, body.id) };
}

const refused = (status: number, error: string | RegExp) => ({
  status,
  body: { error: typeof error === 'string' ? error : expect.stringMatching(error) },
});

describe('a regrade', () => {
  test('marks conversations that were held to their end, whatever became of them, and carries the others', async () => {
    const source = await stored([
      { outcome: 'passed', turns: 2 },
      { outcome: 'failed' },
      // The agent had ended it; the judge failed afterwards.
      { outcome: 'judge_failed', turns: 2, ended_by: 'agent' },
      { outcome: 'judge_failed', turns: 6 },
      { outcome: 'judge_failed', turns: 3, played_by: { name: 'elsewhere', model: null, prompt_version: null } },
      { outcome: 'provider_error', turns: 5 },
      // The patient had strayed: it is none to mark an agent by.
      { outcome: 'tester_failed', turns: 6 },
      { outcome: 'canceled', turns: 0, ended_by: 'agent' },
    ]);
    const { answer, run } = await begun(regrade(source));
    expect(answer).toMatchObject({
      status: 'running',
      total_scenarios: 8,
      scenarios_launched: 5,
      scenarios_carried: 3,
      derived_from: source.id,
      derivation: 'regrade',
    });
    expect(run).toMatchObject({ status: 'completed', passed_count: 5, error_count: 2, canceled_count: 1 });
    const rows = await scenarioRunsOf(api, run.id);
    expect(rows.map(({ carried }) => carried)).toEqual([false, false, false, false, false, true, true, true]);
    expect(rows.map(({ turns }) => turns)).toEqual([2, 6, 2, 6, 3, 5, 6, 0]);
    expect(agent.requests).toEqual([]);
  });

  test('is refused where no conversation was held to its end', async () => {
    const source = await stored([
      { outcome: 'provider_error', turns: 5 },
      { outcome: 'canceled', turns: 0 },
    ]);
    expect(await regrade(source)).toMatchObject(
      refused(409, `No conversation of ${source.label} was held to its end, so there is nothing to mark.`),
    );
  });
});

describe('a retry', () => {
  test('of a conversation that was only to be marked calls no agent: it may be gone', async () => {
    const elsewhere = { name: 'elsewhere', model: null, prompt_version: null };
    const source = await stored([{ outcome: 'passed' }, { outcome: 'judge_failed', turns: 2, played_by: elsewhere }]);
    await api.delete(`/api/v1/agents/${source.agentId}`);
    const { answer, run } = await begun(retry(source));
    expect(answer).toMatchObject({ scenarios_launched: 1, scenarios_carried: 1, derivation: 'retry' });
    expect(run).toMatchObject({ status: 'completed', passed_count: 2 });
    const [, marked] = await scenarioRunsOf(api, run.id);
    expect(marked).toMatchObject({ carried: false, turns: 2, kept_turns: 2 });
    expect(agent.requests).toEqual([]);
  });

  test('is refused where every scenario run has a verdict, with the name of the run', async () => {
    const source = await stored([{ outcome: 'passed' }, { outcome: 'failed' }]);
    expect(await retry(source)).toMatchObject(
      refused(409, `Every scenario run of ${source.label} has a verdict, so there is nothing to run again.`),
    );
  });

  test('is refused where the tester of today cannot play a patient that has no verdict yet', async () => {
    const anxious: PatientProfile = { style: 'anxious', language: 'en' };
    const source = await stored([{ outcome: 'passed' }, { outcome: 'provider_error', turns: 0, patient: anxious }]);
    expect(await retry(source)).toMatchObject(refused(409, /the offline tester .* cannot play "anxious patient"/));
    const played = await stored([
      { outcome: 'passed', patient: anxious },
      { outcome: 'provider_error', turns: 0 },
    ]);
    const { run } = await begun(retry(played));
    expect(run).toMatchObject({ status: 'completed', passed_count: 2 });
  });
});

describe('of a spoken run a retry', () => {
  const conversation = { outcome: 'provider_error', turns: 0 };

  async function spokenSource(changes: Partial<SpokenView>): Promise<StoredRun> {
    const { host } = new URL(speech.origin);
    const config = { url: 'ws://127.0.0.1:9', api_key: 'k', api_secret: 's'.repeat(40), agent_name: 'a' };
    const { body } = await api.post('/api/v1/agents', { name: 'Voice agent', provider: 'livekit', config });
    const source = await stored([conversation], { agentId: body.id });
    const now: Partial<SpokenView> = {
      voice: 'nova',
      ear: { engine: host, model: 'ear-1' },
      voice_engine: { engine: host, version: 'speech-1', voice: 'nova', rate: 1 },
    };
    await database.query(`UPDATE test_runs SET modality = 'spoken', spoken = $2 WHERE id = $1`, [
      source.id,
      JSON.stringify(spokenRun({ ...now, ...changes })),
    ]);
    return source;
  }

  test('is spoken with the same voice and heard with the same ear', async () => {
    const source = await spokenSource({});
    const { status, body } = await retry(source);
    expect({ status, body }).toMatchObject({ status: 200, body: { scenarios_launched: 1 } });
    await api.post('/cancel-run', { id: body.id });
    const { body: run } = await api.get(`/api/v1/tests/${body.id}`);
    expect(run).toMatchObject({ modality: 'spoken', spoken: { voice: 'nova', ear: { model: 'ear-1' } } });
  });

  test.each<[string, Partial<SpokenView>, string]>([
    ['another ear', { ear: { engine: 'ear.example', model: 'ear-0' } }, 'speech-1 (nova) and ear.example ear-0,'],
    ['no ear', { ear: null }, 'speech-1 (nova) and no transcriber,'],
    [
      'another voice',
      { voice_engine: { engine: 'espeak-ng', version: '1.51', voice: 'en-us', rate: 1 } },
      'espeak-ng 1.51 (en-us) and ',
    ],
  ])('is refused where it had %s', async (_what, changes, then) => {
    const { status, body } = await retry(await spokenSource(changes));
    const { host } = new URL(speech.origin);
    expect(status).toBe(409);
    expect(body.error).toContain(then);
    expect(body.error).toMatch(/^This run was spoken and heard by /);
    expect(body.error).toContain(
      `, and now by ${host} speech-1 (${changes.voice_engine?.voice ?? 'nova'}) and ${host} ear-1: set SPEECH_* and ` +
        'TRANSCRIPTION_* back, or start a new run.',
    );
  });

  test('is refused, like every branch of a spoken conversation: the agent alone knows what it remembers of the call', async () => {
    expect(await fork(await spokenSource({}), { at_turn: 1 })).toMatchObject(
      refused(409, /^This conversation was spoken, and the agent keeps a call to itself/),
    );
  });
});

describe('a run with models of its own', () => {
  test.each(['tester_model', 'judge_model'] as const)('is derived from only while its %s is there', async (field) => {
    const source = await stored([{ outcome: 'provider_error', turns: 6 }]);
    await setOf(source.id, field, 'openai/gone');
    const error =
      'This run had its own models, and they cannot examine again: ' +
      `${field}: this service has no language model; set one up, or leave ${field} out.`;
    expect(await retry(source)).toMatchObject(refused(409, error));
    expect(await regrade(source)).toMatchObject(refused(409, error));
    expect(await fork(source, { at_turn: 1 })).toMatchObject(refused(409, error));
  });

  test('is not marked by a judge that is not there either', async () => {
    const source = await stored([{ outcome: 'passed' }]);
    expect(await regrade(source, { judge_model: 'openai/gone' })).toMatchObject(
      refused(400, 'judge_model: this service has no language model; set one up, or leave judge_model out'),
    );
  });
});

describe('a fork', () => {
  test.each([
    ['one after those it has, where it may have more', { outcome: 'provider_error', turns: 3 }, 4],
    ['the last of those it has, where they are all', { outcome: 'passed', turns: 6 }, 6],
    ['the last of those it has, where the agent ended it', { outcome: 'passed', turns: 3, ended_by: 'agent' }, 3],
  ])('goes on from %s', async (_which, held, last) => {
    const source = await stored([held]);
    expect(await fork(source, { at_turn: last + 1 })).toMatchObject(
      refused(400, `at_turn: must be ${last} at most: the conversation has ${held.turns} turns of 6`),
    );
    const { answer, run } = await begun(fork(source, { at_turn: last }));
    expect(answer).toMatchObject({
      total_scenarios: 1,
      scenarios_launched: 1,
      scenarios_carried: 0,
      derivation: 'fork',
    });
    expect(run).toMatchObject({ status: 'completed', trials: 1, max_turns: 6 });
    const [row] = await scenarioRunsOf(api, run.id);
    expect(row).toMatchObject({ trial: 1, kept_turns: last - 1, given_message: null, turns: 6 });
  });

  test('has as many turns as its source, which may have had more than its run allows', async () => {
    const source = await stored([{ outcome: 'passed' }]);
    await database.query('UPDATE test_runs SET max_turns = 5 WHERE id = $1', [source.id]);
    const { run } = await begun(fork(source, { at_turn: 6 }));
    expect(run).toMatchObject({ status: 'completed', max_turns: 6 });
  });

  test('needs something for a patient to play', async () => {
    const source = await stored([{ outcome: 'passed' }], { content: { ...CONTENT, script: ' ' } });
    expect(await fork(source, { at_turn: 2 })).toMatchObject(
      refused(409, 'The scenario of this conversation has no script, so no patient can go on with it.'),
    );
  });

  test('needs a tester that can play its patient', async () => {
    const source = await stored([{ outcome: 'passed', patient: { style: 'anxious', language: 'en' } }]);
    expect(await fork(source, { at_turn: 2 })).toMatchObject(refused(409, /cannot play "anxious patient"/));
  });

  test('names the version of the agent where it is the same one, and none where another goes on', async () => {
    const source = await stored([{ outcome: 'passed' }]);
    await setOf(source.id, 'agent_version', '7.1');
    const { run: same } = await begun(fork(source, { at_turn: 6 }));
    expect(same).toMatchObject({ agent_id: source.agentId, agent_version: '7.1' });
    const other = await createAgent(api, agent.baseUrl);
    const { run: another } = await begun(fork(source, { at_turn: 6, agent_id: other }));
    expect(another).toMatchObject({ agent_id: other, agent_version: null });
  });

  test('asks for another agent where that of the conversation is gone', async () => {
    const source = await stored([{ outcome: 'passed' }]);
    await api.delete(`/api/v1/agents/${source.agentId}`);
    expect(await fork(source, { at_turn: 2 })).toMatchObject(
      refused(
        409,
        'The agent of this conversation cannot be examined (Agent not found): name another one as agent_id.',
      ),
    );
  });
});
