import { startFakeOpenAiModel, type FakeOpenAiModel } from '../fakes/openai-model-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { sendJson } from '../fakes/http-stub';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { printsOf } from '../setup/derived-runs';
import {
  CALLS_AMBULANCE,
  createAgent,
  createScenarios,
  GOOD_REPLY,
  scenarioRunsOf,
  untilFinal,
} from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

const ASKS_ALLERGIES = { criterion: 'Asks about allergies', points: 20, tags: [] };

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let other: FakeOpenAiModel;
let database: TestDatabase;
let scenarioIds: string[];
let source: Answer['body'];
let rows: Answer['body'][];
let before: string[];
let calls: number;

const detailOf = async (id: string): Promise<Answer['body']> => (await api.get(`/api/v1/scenario-runs/${id}`)).body;
const contentsOf = ({ transcript }: Answer['body']): string[] =>
  transcript.map(({ role, content }: { role: string; content: string }) => `${role}: ${content}`);

async function regrade(id: string, request?: object): Promise<Answer['body']> {
  const { status, body } = await api.post(`/api/v1/tests/${id}/regrade`, request);
  expect({ status, body }).toMatchObject({ status: 200, body: { derivation: 'regrade', derived_from: id } });
  return untilFinal(api, body.id);
}

beforeAll(async () => {
  database = await createTestDatabase();
  [agent, other] = await Promise.all([startFakeOpenAi({ reply: () => GOOD_REPLY }), startFakeOpenAiModel()]);
  service = await startTestService({}, { database });
  api = new ApiClient(service.url);
  const agentId = await createAgent(api, agent.baseUrl);
  scenarioIds = await createScenarios(api, 2);
  agent.next((response) => sendJson(response, 400, { error: { message: 'The model is overloaded.' } }));
  const { body } = await api.post('/start-run', {
    agent_id: agentId,
    scenario_ids: scenarioIds,
    trials: 2,
    max_turns: 5,
    concurrency_limit: 1,
  });
  source = await untilFinal(api, body.id);
  rows = await scenarioRunsOf(api, source.id);
  expect(rows.map(({ status }) => status)).toEqual(['error', 'passed', 'passed', 'passed']);
  before = await printsOf(service, source.id);
  calls = agent.requests.length;
});
afterEach(async () => {
  expect(agent.requests.length).toBe(calls);
  expect(await printsOf(service, source.id)).toEqual(before);
});
afterAll(async () => {
  await service.close();
  await agent.close();
  await other.close();
  await database.drop();
});

test('every whole conversation is marked again from what is stored; the rest is carried', async () => {
  const run = await regrade(source.id);
  expect(run).toMatchObject({ status: 'completed', total_scenarios: 4, passed_count: 3, error_count: 1, trials: 2 });
  const marked = await scenarioRunsOf(api, run.id);
  expect(marked.map(({ carried, kept_turns }) => [carried, kept_turns])).toEqual([
    [true, null],
    [false, 5],
    [false, 5],
    [false, 5],
  ]);
  expect(marked.map(({ source_scenario_run_id }) => source_scenario_run_id)).toEqual(rows.map(({ id }) => id));
  for (const [place, { id, criteria_results }] of marked.entries()) {
    expect(criteria_results).toEqual(rows[place]?.criteria_results);
    expect(contentsOf(await detailOf(id))).toEqual(contentsOf(await detailOf(rows[place]?.id)));
  }
  const [, first] = marked;
  expect(first).toMatchObject({
    scenario_revision: 1,
    turns: 5,
    attempt: 1,
    metadata: { tester: { name: 'offline' } },
  });
  // What the conversation cost was spent in the source.
  expect(rows[1]?.metadata.usage.agent).not.toBeNull();
  expect(first?.metadata.usage.agent).toBeNull();
});

test('its events tell of the marking alone, and its actors are drawn as they went', async () => {
  const run = await regrade(source.id);
  const [, marked] = await scenarioRunsOf(api, run.id);
  const text = await (await fetch(`${service.url}/events?run_id=${run.id}`)).text();
  const types = text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)))
    .filter(({ scenario_run_id }) => scenario_run_id === marked?.id)
    .map(({ type }) => type);
  expect(types).toEqual(['scenario_started', 'grading_complete', 'scenario_complete']);
  const actor = await api.get(`/api/v1/inspect/actors/${marked?.id}`);
  expect(actor).toMatchObject({ status: 200, body: { state: 'passed' } });
  const [carried] = await scenarioRunsOf(api, run.id);
  // What is carried never had an actor in this run.
  const { body: none } = await api.get(`/api/v1/inspect/actors/${carried?.id}`);
  expect(none).toMatchObject({ status: 'error', state: null, transitions: [] });
});

test("with today's rubric it is another verdict, on the same words, which says what it was marked with", async () => {
  const [scenarioId = ''] = scenarioIds;
  await api.patch(`/api/v1/scenarios/${scenarioId}`, { rubric_criteria: [CALLS_AMBULANCE, ASKS_ALLERGIES] });
  const [asRun, current] = [
    await regrade(source.id, { rubric: 'as_run' }),
    await regrade(source.id, { rubric: 'current' }),
  ];
  expect(asRun).toMatchObject({ passed_count: 3, failed_count: 0 });
  expect(current).toMatchObject({ passed_count: 2, failed_count: 1, error_count: 1 });
  const [, , third] = await scenarioRunsOf(api, current.id);
  const { body: scenario } = await api.get(`/api/v1/scenarios/${scenarioId}`);
  expect(third).toMatchObject({
    scenario_id: scenarioId,
    status: 'failed',
    scenario_revision: 2,
    scenario_content_hash: scenario.content_hash,
    criteria_results: [{ criterion: CALLS_AMBULANCE.criterion }, { criterion: ASKS_ALLERGIES.criterion }],
  });
});

test('where the script was changed too, no revision is named: none has this script with this rubric', async () => {
  const [, scenarioId = ''] = scenarioIds;
  await api.patch(`/api/v1/scenarios/${scenarioId}`, {
    content: { script: 'You feel well.', demographics: {}, chief_complaint: 'Hello.' },
    rubric_criteria: [ASKS_ALLERGIES],
  });
  const run = await regrade(source.id, { rubric: 'current' });
  const [, second] = await scenarioRunsOf(api, run.id);
  expect(second).toMatchObject({
    status: 'failed',
    scenario_revision: null,
    scenario_content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    criteria_results: [{ criterion: ASKS_ALLERGIES.criterion }],
  });
  expect(second?.scenario_content_hash).not.toBe(rows[1]?.scenario_content_hash);
});

test('another judge marks; the patient is still the one who had played', async () => {
  await service.close();
  service = await startTestService(
    { JUDGE_MODEL: 'openai/judge-2', EXAMINER_BASE_URL: other.url, EXAMINER_API_KEY: 'sk-e', PATIENT_AUDIT: 'off' },
    { database },
  );
  api = new ApiClient(service.url);
  const run = await regrade(source.id, { judge_model: 'openai/judge-2' });
  expect(run.examiners).toMatchObject({ tester: { name: 'offline' }, judge: { name: 'openai', model: 'judge-2' } });
  const { body } = await api.get(`/api/v1/tests/${run.id}/statistics`);
  expect(body.graded).toBe(3);
  const [, marked] = await scenarioRunsOf(api, run.id);
  expect(marked?.metadata).toMatchObject({ tester: { name: 'offline', model: null }, judge: { model: 'judge-2' } });
  expect(
    await api.post(`/api/v1/tests/${source.id}/regrade`, { judge_model: 'openai/other', rubric: 'as_run' }),
  ).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('judge_model: "openai/other" is not one of') },
  });
});

test('what is regraded can be regraded, and retried, without the agent', async () => {
  const first = await regrade(source.id);
  const second = await regrade(first.id);
  expect(second).toMatchObject({ derived_from: first.id, passed_count: 3, error_count: 1 });
});

describe('what cannot be regraded is refused', () => {
  test.each([
    [{ rubric: 'newest' }, 'rubric'],
    [{ judge_model: 7 }, 'judge_model'],
  ])('%j', async (request, field) => {
    expect(await api.post(`/api/v1/tests/${source.id}/regrade`, request)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(new RegExp(`^${field}: `)) },
    });
  });

  test('an unknown run', async () => {
    expect(await api.post('/api/v1/tests/none/regrade')).toMatchObject({ status: 404 });
  });
});
