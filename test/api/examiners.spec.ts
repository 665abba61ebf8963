import { ActorTimes } from '../../src/engine/actors/actor-times';
import { RULES_VERSION } from '../../src/examiners/judge/offline.judge';
import { startFakeAnthropic, type FakeAnthropic } from '../fakes/anthropic-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { startFakeOpenAiModel, type FakeOpenAiModel } from '../fakes/openai-model-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { shorter, startTestService, type TestService } from '../setup/service';

const PROMPT_VERSION = expect.stringMatching(/^[0-9a-f]{12}$/);
let agent: FakeAgent;
let claude: FakeAnthropic;
let other: FakeOpenAiModel;
/** Whether patients say nothing at present, so that their runs stay under way. */
let isSilent: () => boolean;
beforeAll(async () => {
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  claude = await startFakeAnthropic({
    answer: ({ purpose }) => (purpose === 'patient' && isSilent() ? { kind: 'hang' } : undefined),
  });
  other = await startFakeOpenAiModel();
});
afterAll(async () => {
  await agent.close();
  await claude.close();
  await other.close();
});

const open: TestService[] = [];
let database: TestDatabase;
beforeEach(async () => {
  isSilent = () => false;
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const service of open.splice(0)) await service.close();
  await database.drop();
});

/** By Claude, unless it says otherwise; `judge-2` may be asked for. */
async function start(variables: Record<string, string> = {}): Promise<ApiClient> {
  const service = await startTestService(
    {
      ANTHROPIC_API_KEY: 'sk-ant-secret',
      ANTHROPIC_BASE_URL: claude.url,
      TESTER_MODEL: 'claude-haiku-4-5',
      JUDGE_MODEL: 'claude-opus-4-5',
      EXAMINER_API_KEY: 'sk-examiner',
      EXAMINER_BASE_URL: other.url,
      ALLOWED_MODELS: 'claude-haiku-4-5, claude-opus-4-5, openai/judge-2',
      ...variables,
    },
    // What is silent here does not end by itself, and has been missed long enough when it is looked for again.
    { database, times: [shorter(ActorTimes, { graceMs: 100, missedForMs: 100 })] },
  );
  open.push(service);
  return new ApiClient(service.url);
}

async function stop(): Promise<void> {
  for (const service of open.splice(0)) await service.close();
}

async function begin(api: ApiClient, fields: object = {}, scenarios = 1): Promise<Answer['body']> {
  const agent_id = await createAgent(api, agent.baseUrl);
  const scenario_ids = await createScenarios(api, scenarios);
  const { status, body } = await api.post('/start-run', { agent_id, scenario_ids, max_turns: 5, ...fields });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

test('a run names its examiners before, while and after they examine, also in its export', async () => {
  const api = await start();
  const { id } = await begin(api);
  const examiners = {
    tester: { name: 'anthropic', model: 'claude-haiku-4-5', prompt_version: PROMPT_VERSION },
    judge: { name: 'anthropic', model: 'claude-opus-4-5', prompt_version: PROMPT_VERSION },
    clinical: true,
    mixed: false,
  };
  expect((await api.get(`/api/v1/tests/${id}`)).body.examiners).toEqual(examiners);
  expect((await untilFinal(api, id)).examiners).toEqual(examiners);
  expect((await api.get('/api/v1/tests')).body.runs).toMatchObject([{ examiners }]);
  expect((await api.get(`/api/v1/tests/${id}/export?format=json`)).body.run).toMatchObject({ examiners });
  const [scenarioRun] = await scenarioRunsOf(api, id);
  expect(scenarioRun.metadata).toMatchObject({
    tester: { ...examiners.tester, answered_by: ['fake'] },
    judge: { ...examiners.judge, answered_by: ['fake'] },
    usage: {
      tester: { calls: expect.any(Number), input_tokens: expect.any(Number), cache_read_tokens: 0 },
      judge: { calls: 2, input_tokens: 200, output_tokens: 40, cache_read_tokens: 0, cache_write_tokens: 0 },
    },
  });
});

test('a run by rules is not clinical', async () => {
  const api = await start({ ANTHROPIC_API_KEY: '', ALLOWED_MODELS: '' });
  const { id } = await begin(api);
  expect((await untilFinal(api, id)).examiners).toEqual({
    tester: { name: 'offline', model: null, prompt_version: null },
    judge: { name: 'offline', model: null, prompt_version: RULES_VERSION },
    clinical: false,
    mixed: false,
  });
});

test('a run asks for a model out of the list, and keeps it in another process', async () => {
  isSilent = () => true;
  const { id } = await begin(await start(), { judge_model: 'openai/judge-2', tester_model: 'claude-opus-4-5' });
  await eventually(() => expect(claude.inFlight).toBeGreaterThan(0));
  await stop();
  isSilent = () => false;
  const api = await start({ JUDGE_MODEL: 'claude-haiku-4-5', ALLOWED_MODELS: 'openai/judge-2,claude-opus-4-5' });
  const run = await untilFinal(api, id, 60_000);
  expect(run).toMatchObject({
    status: 'completed',
    examiners: {
      tester: { name: 'anthropic', model: 'claude-opus-4-5' },
      judge: { name: 'openai', model: 'judge-2' },
      clinical: true,
      mixed: false,
    },
  });
  const [scenarioRun] = await scenarioRunsOf(api, id);
  expect(scenarioRun).toMatchObject({
    status: 'passed',
    metadata: { tester: { model: 'claude-opus-4-5' }, judge: { name: 'openai', model: 'judge-2' } },
  });
});

test('a run whose model is not allowed any more ends in errors that say so, and calls nobody', async () => {
  isSilent = () => true;
  const { id } = await begin(await start(), { judge_model: 'openai/judge-2' });
  await eventually(() => expect(claude.inFlight).toBeGreaterThan(0));
  await stop();
  isSilent = () => false;
  const before = claude.requests.length;
  const api = await start({ ALLOWED_MODELS: '' });
  expect(await untilFinal(api, id, 60_000)).toMatchObject({ status: 'failed', error_count: 1 });
  const [scenarioRun] = await scenarioRunsOf(api, id);
  expect(scenarioRun).toMatchObject({
    error_code: 'grading_failed',
    error_message:
      'The run asks for openai/judge-2 as its judge, and no process of the service has that model any more: ' +
      'name it in ALLOWED_MODELS, or start the run again without it.',
    metadata: { judge: { name: 'openai', model: 'judge-2' } },
  });
  expect(claude.requests).toHaveLength(before);
});

test('scenario runs of one run with different examiners make it mixed', async () => {
  const first = await start();
  const judged = claude.calls.judge;
  isSilent = () => claude.calls.judge > judged;
  const { id } = await begin(first, { concurrency_limit: 1 }, 2);
  await eventually(async () => {
    expect((await first.get(`/api/v1/tests/${id}`)).body.passed_count).toBe(1);
  });
  await stop();
  isSilent = () => false;
  const api = await start({ JUDGE_MODEL: 'openai/judge-2' });
  const run = await untilFinal(api, id, 60_000);
  const judges = (await scenarioRunsOf(api, id)).map(({ metadata }) => metadata.judge.model);
  expect(new Set(judges)).toEqual(new Set(['claude-opus-4-5', 'judge-2']));
  expect(run.examiners).toMatchObject({ judge: { name: 'openai', model: 'judge-2' }, mixed: true });
});

test('a model that is not on the list is refused, naming the list', async () => {
  const api = await start();
  const agent_id = await createAgent(api, agent.baseUrl);
  await createScenarios(api, 1);
  for (const [field, model, words] of [
    ['judge_model', 'openai/gpt-unknown', '"openai/gpt-unknown" is not one of'],
    ['tester_model', 'mistral/large', '"mistral/large" is not one of'],
    [
      'judge_model',
      'openai/claude-opus-4-5',
      'is not one of anthropic/claude-haiku-4-5, anthropic/claude-opus-4-5, openai/judge-2',
    ],
  ] as const) {
    const { status, body } = await api.post('/start-run', { agent_id, [field]: model });
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.stringContaining(words) } });
    expect(body.error).toContain(`${field}: `);
  }
});

test('health says what runs may ask for, and warns of a judge of an agent’s own family', async () => {
  const api = await start();
  expect((await api.get('/health')).body.checks.examiners).toEqual({
    status: 'ok',
    detail: 'Runs may ask for anthropic/claude-haiku-4-5, anthropic/claude-opus-4-5, openai/judge-2.',
  });
  await createAgent(api, agent.baseUrl, { model: 'gpt-4o' });
  expect((await api.get('/health')).body.checks.examiners).toMatchObject({ status: 'ok' });
  await createAgent(api, agent.baseUrl, { model: 'us.anthropic.claude-sonnet-4-5' });
  // What agents there are is remembered for some seconds.
  await eventually(
    async () =>
      expect((await api.get('/health')).body.checks.examiners).toEqual({
        status: 'warning',
        detail:
          'Patient, judge and the agent Agent under test are of one model family (Claude): models favour their own kind. ' +
          'Name a judge of another family in JUDGE_MODEL, or as judge_model of a run.',
      }),
    15_000,
  );
});
