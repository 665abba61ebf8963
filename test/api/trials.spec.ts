import { Database } from '../../src/platform/database/database';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

const CONCURRENCY = 2;

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let agentId: string;
let scenarioIds: string[];
let mostInFlight = 0;

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  agent = await startFakeOpenAi({
    delayMs: 10,
    reply: () => {
      mostInFlight = Math.max(mostInFlight, agent.inFlight);
      return GOOD_REPLY;
    },
  });
  agentId = await createAgent(api, agent.baseUrl);
  scenarioIds = await createScenarios(api, 2);
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

const start = (fields: object) =>
  api.post('/start-run', {
    agent_id: agentId,
    scenario_ids: scenarioIds,
    concurrency_limit: CONCURRENCY,
    max_turns: 5,
    ...fields,
  });

describe('a run of several trials', () => {
  let id: string;
  beforeAll(async () => {
    const { body } = await start({ trials: 3 });
    expect(body).toMatchObject({ total_scenarios: 6, scenarios_launched: 6 });
    id = String(body.id);
    await untilFinal(api, id);
  });

  test('counts scenario runs, and says how many trials it has', async () => {
    const { body: run } = await api.get(`/api/v1/tests/${id}`);
    expect(run).toMatchObject({ status: 'completed', trials: 3, total_scenarios: 6, passed_count: 6, pass_rate: 100 });
    const { body: list } = await api.get('/api/v1/tests');
    // The config of the agent, which may be long, and what it is warned of are told of one run only.
    const { agent_config: _, warnings: __, ...listed } = run;
    expect(list.runs.find((one: { id: string }) => one.id === id)).toEqual(listed);
  });

  test('goes trial by trial, within its limit', async () => {
    const results = await scenarioRunsOf(api, id);
    expect(results.map(({ scenario_id, trial }) => [scenario_id, trial])).toEqual(
      [1, 2, 3].flatMap((trial) => scenarioIds.map((scenarioId) => [scenarioId, trial])),
    );
    // Two at a time: the second of a trial begins before the second of the next.
    const seconds = results.filter((_, place) => place % 2 === 1).map(({ started_at }) => String(started_at));
    expect(seconds).toEqual([...seconds].sort());
    expect(mostInFlight).toBeLessThanOrEqual(CONCURRENCY);
  });

  test('its events name the trial that begins', async () => {
    const text = await (await fetch(`${service.url}/events?run_id=${id}`)).text();
    const events = text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)));
    expect(events[0]).toMatchObject({ type: 'connected', run: { trials: 3 } });
    const begun = events.filter(({ type }) => type === 'scenario_started');
    const trials = new Map((await scenarioRunsOf(api, id)).map((one) => [one.id, one.trial]));
    expect(begun.map(({ scenario_run_id }) => trials.get(scenario_run_id))).toEqual(begun.map(({ trial }) => trial));
    expect(begun.map(({ trial }) => trial).sort()).toEqual([1, 1, 2, 2, 3, 3]);
  });

  test('its exports tell the trials apart', async () => {
    const csv = await (await fetch(`${service.url}/api/v1/tests/${id}/export-csv`)).text();
    const [header = '', ...rows] = csv.trim().split('\r\n');
    const place = header.split(',').indexOf('trial') - header.split(',').length;
    expect(rows.map((row) => row.split(',').at(place))).toEqual(['1', '1', '2', '2', '3', '3']);
    const { body: json } = await api.get(`/api/v1/tests/${id}/export?format=json`);
    expect(json).toMatchObject({ run: { trials: 3 } });
    expect(json.scenario_runs.map(({ trial }: { trial: number }) => trial)).toEqual([1, 1, 2, 2, 3, 3]);
    const junit = await (await fetch(`${service.url}/api/v1/tests/${id}/export?format=junit`)).text();
    const names = [...junit.matchAll(/<testcase [^>]*name="([^"]*)"/g)].map(([, name]) => name);
    expect(new Set(names).size).toBe(6);
    expect(names[2]).toBe('Scenario 001 (trial 2 of 3)');
  });
});

test('canceled, it has whole trials behind it, and cancels the rest of all', async () => {
  const slow = await startFakeOpenAi({ delayMs: 600_000 });
  const slowAgent = await createAgent(api, slow.baseUrl, { turn_timeout_ms: 600_000 });
  const { body } = await start({ agent_id: slowAgent, trials: 4 });
  await slow.until(() => slow.inFlight === CONCURRENCY);
  expect((await scenarioRunsOf(api, body.id)).filter(({ status }) => status === 'running')).toMatchObject([
    { trial: 1 },
    { trial: 1 },
  ]);
  const answer = await api.post('/cancel-run', { id: body.id });
  expect(answer.body).toEqual({ status: 'canceled', canceled_scenarios: 8 });
  expect((await api.get(`/api/v1/tests/${body.id}`)).body).toMatchObject({ status: 'canceled', canceled_count: 8 });
  await slow.until(() => slow.inFlight === 0);
  await slow.close();
});

test('without trials there is one', async () => {
  const { body } = await start({});
  await untilFinal(api, body.id);
  expect((await api.get(`/api/v1/tests/${body.id}`)).body).toMatchObject({ trials: 1, total_scenarios: 2 });
  expect((await scenarioRunsOf(api, body.id)).map(({ trial }) => trial)).toEqual([1, 1]);
});

describe('POST /start-run refuses', () => {
  test.each<[unknown, string]>([
    [0, 'trials: must be at least 1'],
    [21, 'trials: must be at most 20'],
    [1.5, 'trials: expected a whole number, got a fraction'],
    ['x', 'trials: expected number, got string'],
  ])('trials of %j', async (trials, error) => {
    expect(await start({ trials })).toMatchObject({ status: 400, body: { error: expect.stringContaining(error) } });
  });

  test('more than 20,000 scenario runs, and says how to have fewer', async () => {
    await service.app.get(Database).query(
      `INSERT INTO scenarios (name, category, scenario_type, content, content_hash, rubric_criteria, approved, tags)
       SELECT 'Many ' || n, 'emergency', 'full', '{"script":"","demographics":{},"chief_complaint":""}', repeat('0', 64), '[]', true, '{many}'
       FROM generate_series(1, 1001) n`,
    );
    const refused = await start({ scenario_ids: null, tags: ['many'], trials: 20 });
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({
      error:
        'This run would have 20,020 scenario runs (1,001 scenarios × 20 trials); a run has at most 20,000. ' +
        'Set max_scenarios, ask for fewer trials, or start several runs with tags or test suites.',
    });
  });
});
