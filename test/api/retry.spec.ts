import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { sendJson } from '../fakes/http-stub';
import { ApiClient, type Answer } from '../setup/api-client';
import { printsOf } from '../setup/derived-runs';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let agentId: string;
let scenarioIds: string[];

beforeAll(async () => {
  [service, agent] = await Promise.all([startTestService(), startFakeOpenAi({ reply: () => GOOD_REPLY })]);
  api = new ApiClient(service.url);
  agentId = await createAgent(api, agent.baseUrl);
  scenarioIds = await createScenarios(api, 3);
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

/** A run of three scenarios, one of which ends in an error. */
async function runWithError(settings: object = {}): Promise<Answer['body']> {
  agent.next((response) => sendJson(response, 400, { error: { message: 'The model is overloaded.' } }));
  const { body } = await api.post('/start-run', {
    agent_id: agentId,
    scenario_ids: scenarioIds,
    max_turns: 5,
    concurrency_limit: 1,
    name: 'Nightly',
    ...settings,
  });
  const run = await untilFinal(api, body.id);
  expect(run).toMatchObject({ passed_count: 2, error_count: 1 });
  return run;
}

const detailOf = async (id: string): Promise<Answer['body']> => (await api.get(`/api/v1/scenario-runs/${id}`)).body;

describe('a run with an error is retried', () => {
  let source: Answer['body'];
  let before: string[];
  let answer: Answer;
  let derived: Answer['body'];
  let calls: number;

  beforeAll(async () => {
    source = await runWithError();
    before = await printsOf(service, source.id);
    calls = agent.requests.length;
    answer = await api.post(`/api/v1/tests/${source.test_run_id}/retry`);
    derived = await untilFinal(api, answer.body.id);
  });

  test('the answer is that of start-run, with where it comes from', () => {
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'running',
        total_scenarios: 3,
        scenarios_launched: 1,
        scenarios_carried: 2,
        derived_from: source.id,
        derivation: 'retry',
      },
    });
  });

  test('its pass rate is over all of it, and it has the settings of its source', () => {
    const same = [
      'agent_id',
      'agent_name',
      'agent_config_hash',
      'name',
      'max_turns',
      'concurrency_limit',
      'pass_threshold',
      'trials',
    ];
    expect(derived).toMatchObject({
      status: 'completed',
      derived_from: source.id,
      derivation: 'retry',
      passed_count: 3,
      error_count: 0,
      pass_rate: 100,
      ...Object.fromEntries(same.map((field) => [field, source[field]])),
    });
    expect(source).toMatchObject({ derived_from: null, derivation: null });
  });

  test('only the error was examined again', () => {
    expect(agent.requests.length - calls).toBe(5);
  });

  test('what was graded is carried with verdict, transcript and metadata; what was not names the row that it repeats', async () => {
    const [was, is] = await Promise.all([scenarioRunsOf(api, source.id), scenarioRunsOf(api, derived.id)]);
    expect(is.map(({ carried }) => carried)).toEqual([false, true, true]);
    expect(is.map(({ source_scenario_run_id }) => source_scenario_run_id)).toEqual(was.map(({ id }) => id));
    for (const [place, one] of is.entries()) {
      if (place === 0) continue;
      const [then, now] = await Promise.all([detailOf(was[place]?.id), detailOf(one.id)]);
      const { id, test_run_id, created_at, carried, source_scenario_run_id, ...rest } = now;
      expect({ ...then, ...{ id, test_run_id, created_at, carried, source_scenario_run_id } }).toEqual(now);
      expect(rest.transcript).toHaveLength(10);
      expect(rest).toMatchObject({ status: 'passed', passed: true });
    }
  });

  test('the source is byte for byte what it was', async () => {
    expect(await printsOf(service, source.id)).toEqual(before);
  });

  test('its events tell what was done in it, with counts of all of it', async () => {
    const text = await (await fetch(`${service.url}/events?run_id=${derived.id}`)).text();
    const events = text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)))
      .slice(1);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, place) => place + 1));
    expect(events[0]).toMatchObject({ type: 'test_run_started', total_scenarios: 3, scenarios_launched: 1 });
    expect(events.filter(({ type }) => type === 'scenario_complete')).toMatchObject([
      { status: 'passed', counts: { passed: 3, failed: 0, error: 0, canceled: 0, total: 3 } },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'test_run_complete', passed_count: 3, pass_rate: 100 });
  });

  test('statistics count carried verdicts as they count others', async () => {
    const { body } = await api.get(`/api/v1/tests/${derived.id}/statistics`);
    expect(body).toMatchObject({ total: 3, graded: 3, passed: 3, coverage: 100, excluded: [] });
    expect(body.examiners).toEqual((await api.get(`/api/v1/tests/${source.id}/statistics`)).body.examiners);
    expect(derived.examiners).toMatchObject({ mixed: false });
  });

  test('it is compared with its source, and may be the baseline of its agent', async () => {
    const { status, body } = await api.get(`/api/v1/tests/${derived.id}/comparison?before=${source.id}`);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        scenarios: { compared: 2, changed: 0, ungraded: 1 },
        difference: { value: 0 },
        better: [],
        worse: [],
        criteria: [],
      },
    });
    const baseline = await api.put(`/api/v1/agents/${agentId}/baseline`, { test_run_id: derived.id });
    expect(baseline.status).toBe(200);
    expect((await api.get(`/api/v1/tests/${source.id}`)).body.baseline_test_run_id).toBe(derived.id);
    await api.delete(`/api/v1/agents/${agentId}/baseline`);
  });

  test('the runs that were derived from a run are listed, by its id and its label', async () => {
    for (const name of [source.id, source.test_run_id]) {
      const { body } = await api.get(`/api/v1/tests?derived_from=${name}`);
      expect(body).toMatchObject({ total: 1, runs: [{ id: derived.id }] });
    }
    expect((await api.get('/api/v1/tests?derived_from=nothing')).body).toEqual({ runs: [], total: 0 });
  });

  test('there is nothing left to run again', async () => {
    expect(await api.post(`/api/v1/tests/${derived.id}/retry`)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('has a verdict') },
    });
  });
});

test('canceled scenario runs are run again; a retry that is canceled keeps what it carries', async () => {
  const source = await runWithError();
  // The agent hangs for as long as the retry runs.
  agent.next((response) => void response.socket?.setTimeout(0));
  const { body: first } = await api.post(`/api/v1/tests/${source.id}/retry`);
  await agent.until(() => agent.inFlight === 1);
  expect((await api.post('/cancel-run', { id: first.id })).body).toEqual({ status: 'canceled', canceled_scenarios: 1 });
  expect((await api.get(`/api/v1/tests/${first.id}`)).body).toMatchObject({
    status: 'canceled',
    passed_count: 2,
    canceled_count: 1,
  });
  const { body: second } = await api.post(`/api/v1/tests/${first.id}/retry`);
  expect(await untilFinal(api, second.id)).toMatchObject({
    status: 'completed',
    passed_count: 3,
    derived_from: first.id,
  });
});

test('a derived run of a derived run is read on when both of its sources are deleted', async () => {
  const source = await runWithError();
  const { body: child } = await api.post(`/api/v1/tests/${source.id}/retry`);
  await untilFinal(api, child.id);
  const { body: grandchild } = await api.post(`/api/v1/tests/${child.id}/regrade`);
  await untilFinal(api, grandchild.id);
  for (const id of [source.id, child.id]) await api.delete(`/api/v1/tests/${id}`);
  const { body: run } = await api.get(`/api/v1/tests/${grandchild.id}`);
  expect(run).toMatchObject({ derived_from: child.id, status: 'completed', passed_count: 3 });
  const rows = await scenarioRunsOf(api, grandchild.id);
  for (const { id } of rows) expect((await detailOf(id)).transcript).toHaveLength(10);
  expect((await api.get(`/api/v1/tests/${grandchild.id}/statistics`)).body).toMatchObject({ graded: 3, passed: 3 });
  expect((await api.get(`/api/v1/tests?derived_from=${child.id}`)).body).toMatchObject({ total: 1 });
});

test('the same key makes one run', async () => {
  const source = await runWithError();
  const send = () =>
    api.send('POST', `/api/v1/tests/${source.id}/retry`, { headers: { 'idempotency-key': 'retry-1' } });
  const [first, second] = [await send(), await send()];
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect((await api.get(`/api/v1/tests?derived_from=${source.id}`)).body).toMatchObject({ total: 1 });
  await untilFinal(api, first.body.id);
});

describe('what cannot be retried is refused', () => {
  test.each(['7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34', 'run_none'])('an unknown run: %s', async (id) => {
    expect(await api.post(`/api/v1/tests/${id}/retry`)).toMatchObject({
      status: 404,
      body: { error: 'Test run not found' },
    });
  });

  test('a run that is live', async () => {
    agent.next((response) => void response.socket?.setTimeout(0));
    const { body } = await api.post('/start-run', {
      agent_id: agentId,
      scenario_ids: scenarioIds,
      concurrency_limit: 1,
    });
    expect(await api.post(`/api/v1/tests/${body.id}/retry`)).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/is running: wait until it has ended, or cancel it/) },
    });
    await api.post('/cancel-run', { id: body.id });
  });

  test('one whose agent was changed, where verdicts on both would stand side by side; not one without a verdict', async () => {
    const other = await createAgent(api, agent.baseUrl, { model: 'one' });
    const source = await runWithError({ agent_id: other });
    agent.next(
      ...Array.from({ length: 3 }, () => (response: Parameters<typeof sendJson>[0]) => sendJson(response, 400, {})),
    );
    const { body } = await api.post('/start-run', { agent_id: other, scenario_ids: scenarioIds, max_turns: 5 });
    expect(await untilFinal(api, body.id)).toMatchObject({ status: 'failed', error_count: 3 });
    await api.patch(`/api/v1/agents/${other}`, { config: { model: 'two' } });
    expect(await api.post(`/api/v1/tests/${source.id}/retry`)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('was changed since this run') },
    });
    const { body: retried } = await api.post(`/api/v1/tests/${body.id}/retry`);
    expect(await untilFinal(api, retried.id)).toMatchObject({ status: 'completed', passed_count: 3 });
  });

  test('one whose agent is gone', async () => {
    const other = await createAgent(api, agent.baseUrl);
    const source = await runWithError({ agent_id: other });
    await api.delete(`/api/v1/agents/${other}`);
    expect(await api.post(`/api/v1/tests/${source.id}/retry`)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('cannot be examined: Agent not found') },
    });
  });
});

test('a verdict that was carried is one verdict in the history of its scenario and among flaky ones; one of a fork is none', async () => {
  const ids = await createScenarios(api, 2);
  const historyOf = async (): Promise<Answer['body']> => (await api.get(`/api/v1/scenarios/${ids[1]}/history`)).body;
  const source = await runWithError({ scenario_ids: [...ids, ...scenarioIds].slice(0, 3) });
  expect(await historyOf()).toMatchObject({ verdicts: 1 });
  const { body: child } = await api.post(`/api/v1/tests/${source.id}/retry`);
  await untilFinal(api, child.id);
  const [given] = (await scenarioRunsOf(api, source.id)).filter(({ scenario_id }) => scenario_id === ids[1]);
  expect(await historyOf()).toMatchObject({
    verdicts: 1,
    history: [{ passed: 1, verdicts: [{ scenario_run_id: given?.id, test_run_id: source.id }] }],
  });
  const { body: fork } = await api.post(`/api/v1/scenario-runs/${given?.id}/fork`, { at_turn: 2 });
  await untilFinal(api, fork.id);
  expect(await historyOf()).toMatchObject({ verdicts: 1 });
  // With its source deleted, the carried verdict is all that there is of it.
  await api.delete(`/api/v1/tests/${source.id}`);
  expect(await historyOf()).toMatchObject({ verdicts: 1, history: [{ verdicts: [{ test_run_id: child.id }] }] });
});
