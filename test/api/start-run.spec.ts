import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import {
  CALLS_AMBULANCE,
  createAgent,
  createScenarios,
  GOOD_REPLY,
  scenarioRunsOf,
  untilFinal,
} from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let agentId: string;
let scenarioIds: string[];

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  agentId = await createAgent(api, agent.baseUrl);
  await api.get('/api/v1/scenarios').then(async ({ body }) => {
    for (const { scenario_id } of body.scenarios) await api.delete(`/api/v1/scenarios/${scenario_id}`);
  });
  scenarioIds = await createScenarios(api, 3);
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

describe('POST /start-run', () => {
  test('examines the agent with every active approved scenario and reports the pass rate', async () => {
    const started = await api.post('/start-run', { agent_id: agentId, name: 'Nightly', max_turns: 5 });
    expect(started.status).toBe(200);
    expect(started.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      test_run_id: expect.stringMatching(/^run_\d{14}_[0-9a-z]+$/),
      status: 'running',
      total_scenarios: 3,
      scenarios_launched: 3,
    });

    const run = await untilFinal(api, started.body.id);
    expect(run).toMatchObject({
      id: started.body.id,
      test_run_id: started.body.test_run_id,
      name: 'Nightly',
      status: 'completed',
      agent_id: agentId,
      agent_name: 'Agent under test',
      agent_provider: 'openai',
      test_suite_id: null,
      total_scenarios: 3,
      passed_count: 3,
      failed_count: 0,
      error_count: 0,
      canceled_count: 0,
      pass_rate: 100,
      max_turns: 5,
      concurrency_limit: 6,
      pass_threshold: 50,
      error_message: null,
      scheduled_at: null,
      canceled_at: null,
    });
    expect(run.started_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(run.completed_at >= run.started_at).toBe(true);
    expect((await api.get(`/api/v1/tests/${started.body.test_run_id}`)).body).toEqual(run);

    const results = await scenarioRunsOf(api, started.body.test_run_id);
    expect(results.map((result) => result.scenario_id)).toEqual(scenarioIds);
    const [first] = results;
    expect(first).toMatchObject({
      test_run_id: run.id,
      scenario_name: 'Scenario 001',
      status: 'passed',
      passed: true,
      score_percent: 100,
      total_points: 5,
      max_points: 5,
      error_code: null,
      error_message: null,
      attempt: 1,
      turns: 5,
      canceled_at: null,
      metadata: { tester: { name: 'offline' }, judge: { name: 'offline' }, offline: true },
    });
    expect(first.criteria_results).toEqual([
      {
        criterion: 'Tells the patient to call an ambulance',
        tags: [],
        decision: 'MET',
        points: 5,
        max_points: 5,
        rationale: expect.any(String),
        evidence: [{ turn: expect.any(Number), quote: expect.stringContaining('ambulance') }],
        absence: false,
        replies_read: null,
        votes: null,
        disputed: false,
        check: null,
      },
    ]);
    expect(first).not.toHaveProperty('transcript');

    const { body: detail } = await api.get(`/api/v1/scenario-runs/${first.id}`);
    expect(detail.transcript).toHaveLength(10);
    expect(detail.transcript[0]).toEqual({
      turn: 1,
      role: 'patient',
      content: expect.stringContaining('My chest hurts'),
      at: expect.any(String),
    });
    expect(detail.transcript[1]).toEqual({
      turn: 1,
      role: 'agent',
      content: GOOD_REPLY,
      at: expect.any(String),
      latency_ms: expect.any(Number),
      acts: {
        tool_calls: null,
        context: [],
        usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18, cost_usd: null },
        truncated: false,
      },
    });
    const { transcript: _transcript, closing_acts: _closingActs, ...withoutTranscript } = detail;
    expect(withoutTranscript).toEqual(first);
  });

  test('the agent gets the whole conversation, in order', async () => {
    const seen = agent.requests.length;
    const { body } = await api.post('/start-run', {
      agent_id: agentId,
      scenario_ids: scenarioIds.slice(0, 1),
      max_turns: 5,
    });
    await untilFinal(api, body.id);
    const sent = agent.requests.slice(seen).map((request) => (request.body as { messages: unknown[] }).messages.length);
    expect(sent).toEqual([1, 3, 5, 7, 9]);
  });

  test.each([
    [1, 5],
    [5, 5],
    [6, 6],
    [7, 7],
    [100, 7],
    [undefined, 6],
  ])('max_turns %s becomes %s', async (given, expected) => {
    const { body } = await api.post('/start-run', { agent_id: agentId, max_scenarios: 1, max_turns: given });
    expect((await untilFinal(api, body.id)).max_turns).toBe(expected);
  });

  test('null means left open', async () => {
    const nothing = { name: null, test_suite_id: null, scenario_ids: null, max_scenarios: null, max_turns: null };
    const { status, body } = await api.post('/start-run', { agent_id: agentId, ...nothing, concurrency_limit: null });
    expect(status).toBe(200);
    expect(body.total_scenarios).toBe(3);
    await untilFinal(api, body.id);
  });

  test('fields it does not know are ignored', async () => {
    const { status, body } = await api.post('/start-run', { agent_id: agentId, max_scenarios: 1, from_the_future: 1 });
    expect(status).toBe(200);
    await untilFinal(api, body.id);
  });
});

describe('the scenarios of a run', () => {
  const started = async (request: object) => {
    const { status, body } = await api.post('/start-run', { agent_id: agentId, max_turns: 5, ...request });
    expect(status).toBe(200);
    await untilFinal(api, body.id);
    return (await scenarioRunsOf(api, body.id)).map((result) => result.scenario_id);
  };

  test('scenario_ids win over everything, in their order, each once', async () => {
    const [a, b, c] = scenarioIds;
    expect(await started({ scenario_ids: [c, a, c], tags: ['test'], max_scenarios: 1 })).toEqual([c, a]);
    expect(await started({ scenario_ids: [b?.toUpperCase()] })).toEqual([b]);
  });

  test('a suite wins over tags; max_scenarios caps it', async () => {
    const [a, b, c] = scenarioIds;
    const suite = await api.post('/api/v1/test-suites', { name: 'Suite', scenario_ids: [c, b, a] });
    expect(await started({ test_suite_id: suite.body.id, tags: ['none'] })).toEqual([c, b, a]);
    expect(await started({ test_suite_id: suite.body.id, max_scenarios: 2 })).toEqual([c, b]);
    const { body } = await api.post('/start-run', { agent_id: agentId, test_suite_id: suite.body.id });
    expect((await untilFinal(api, body.id)).test_suite_id).toBe(suite.body.id);
  });

  test('tags choose scenarios with any of them', async () => {
    const [tagged] = await createScenarios(api, 1, { tags: ['rare', 'x'], name: 'Tagged' });
    expect(await started({ tags: ['rare', 'nothing-has-this'] })).toEqual([tagged]);
    await api.delete(`/api/v1/scenarios/${tagged}`);
  });

  test('unapproved ones run only when they are named', async () => {
    const [unapproved] = await createScenarios(api, 1, { approved: false, name: 'Unapproved' });
    expect(await started({})).toEqual(scenarioIds);
    expect(await started({ scenario_ids: [unapproved] })).toEqual([unapproved]);
    await api.delete(`/api/v1/scenarios/${unapproved}`);
  });

  test('inactive ones are left out and listed', async () => {
    const [gone] = await createScenarios(api, 1, { name: 'Gone' });
    await api.delete(`/api/v1/scenarios/${gone}`);
    const [a] = scenarioIds;
    const { body } = await api.post('/start-run', { agent_id: agentId, scenario_ids: [gone, a] });
    expect(body).toMatchObject({ total_scenarios: 1, skipped_scenario_ids: [gone] });
    await untilFinal(api, body.id);
    expect(await api.post('/start-run', { agent_id: agentId, scenario_ids: [gone] })).toMatchObject({
      status: 400,
      body: { error: 'No active scenarios available' },
    });
  });

  test('editing a scenario does not reach a run that has started', async () => {
    const [edited] = await createScenarios(api, 1, { name: 'Before' });
    const { body } = await api.post('/start-run', { agent_id: agentId, scenario_ids: [edited] });
    await api.patch(`/api/v1/scenarios/${edited}`, { name: 'After', rubric_criteria: [] });
    await untilFinal(api, body.id);
    expect(await scenarioRunsOf(api, body.id)).toMatchObject([{ scenario_name: 'Before', status: 'passed' }]);
    await api.delete(`/api/v1/scenarios/${edited}`);
  });
});

describe('POST /start-run refuses', () => {
  const unknown = randomUUID();

  test.each<[string, object, number, string]>([
    ['no agent', {}, 400, 'agent_id: is required'],
    ['an agent that is not a string', { agent_id: 7 }, 400, 'agent_id'],
    ['an unknown agent', { agent_id: unknown }, 400, 'Agent not found'],
    ['an agent id that is no UUID', { agent_id: 'nobody' }, 400, 'Agent not found'],
  ])('%s', async (_what, body, status, error) => {
    const answer = await api.post('/start-run', body);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: expect.stringContaining(error) });
  });

  test.each<[string, object, number, string]>([
    ['an unknown suite', { test_suite_id: unknown }, 404, 'Test suite not found'],
    ['a suite id that is no UUID', { test_suite_id: 'nothing' }, 404, 'Test suite not found'],
    ['unknown scenarios, naming them', { scenario_ids: [unknown, 'x'] }, 400, `${unknown}, x`],
    ['an empty list of scenarios', { scenario_ids: [] }, 400, 'scenario_ids'],
    ['tags that no scenario has', { tags: ['no-scenario-has-this'] }, 400, 'No active scenarios available'],
    ['a fraction of a turn', { max_turns: 5.5 }, 400, 'max_turns'],
    ['zero turns', { max_turns: 0 }, 400, 'max_turns'],
    ['turns as text', { max_turns: '6' }, 400, 'max_turns'],
    ['no concurrency', { concurrency_limit: 0 }, 400, 'concurrency_limit'],
    [
      'more concurrency than there may be',
      { concurrency_limit: 2_001 },
      400,
      'concurrency_limit: must be at most 2000',
    ],
    ['a negative number of scenarios', { max_scenarios: -1 }, 400, 'max_scenarios'],
    ['an impossible threshold', { pass_threshold: 101 }, 400, 'pass_threshold'],
    ['a time that is none', { scheduled_at: 'tomorrow' }, 400, 'scheduled_at'],
    ['a time after all calendars', { scheduled_at: '9999-12-31T23:59:59-14:00' }, 400, 'scheduled_at'],
  ])('%s', async (_what, fields, status, error) => {
    const answer = await api.post('/start-run', { agent_id: agentId, ...fields });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: expect.stringContaining(error) });
  });

  test('an unknown suite beside scenario_ids too', async () => {
    for (const test_suite_id of [unknown, 'nope']) {
      const body = { agent_id: agentId, scenario_ids: scenarioIds, test_suite_id };
      expect(await api.post('/start-run', body)).toMatchObject({
        status: 404,
        body: { error: 'Test suite not found' },
      });
    }
  });

  test('no time zone that is only unusual', async () => {
    const scheduled_at = '2030-01-01T00:00:00+23:00';
    const { status, body } = await api.post('/start-run', { agent_id: agentId, scheduled_at });
    expect(status).toBe(200);
    expect((await api.get(`/api/v1/tests/${body.id}`)).body.scheduled_at).toBe('2029-12-31T01:00:00.000Z');
    await api.post('/cancel-run', { id: body.id });
  });

  test('names every wrong field at once', async () => {
    const { body } = await api.post('/start-run', { max_turns: 'x', concurrency_limit: 0 });
    expect(body.error).toContain('agent_id');
    expect(body.error).toContain('max_turns');
    expect(body.error).toContain('concurrency_limit');
  });

  test('an inactive agent', async () => {
    const inactive = await createAgent(api, agent.baseUrl);
    await api.patch(`/api/v1/agents/${inactive}`, { is_active: false });
    const { status, body } = await api.post('/start-run', { agent_id: inactive });
    expect(status).toBe(400);
    expect(body.error).toMatch(/inactive/);
  });

  test('an agent kind that this deployment cannot run, with the reason', async () => {
    const withoutBrowser = await startTestService({ BROWSER_EXECUTABLE: '/nowhere/chromium' });
    const client = new ApiClient(withoutBrowser.url);
    const created = await client.post('/api/v1/agents', {
      name: 'Page',
      provider: 'browser',
      config: { url: 'http://x' },
    });
    const { status, body } = await client.post('/start-run', { agent_id: created.body.id });
    await withoutBrowser.close();
    expect(status).toBe(400);
    expect(body.error).toBe(
      'Unsupported provider: browser. BROWSER_EXECUTABLE names /nowhere/chromium, which is not an executable program.',
    );
  });

  test('an agent kind written by another version', async () => {
    const [row] = await service.app
      .get(Database)
      .query<{ id: string }>(
        `INSERT INTO agents (provider, name, config) VALUES ('telepathy', 'Seer', '{}') RETURNING id`,
      );
    const { status, body } = await api.post('/start-run', { agent_id: row?.id });
    expect(status).toBe(400);
    expect(body.error).toMatch(/^Unsupported provider: telepathy\. Supported providers: vapi, openai/);
  });
});

describe('what goes wrong on the way is an error of the scenario run', () => {
  const runAgainst = async (config: object, fields: object = {}) => {
    const id = await createAgent(api, agent.baseUrl, config);
    const { body } = await api.post('/start-run', { agent_id: id, scenario_ids: scenarioIds.slice(0, 2), ...fields });
    const run = await untilFinal(api, body.id);
    return { run, results: await scenarioRunsOf(api, body.id) };
  };

  test('an unreachable agent: the run failed and says why', async () => {
    const { run, results } = await runAgainst({ base_url: 'http://127.0.0.1:9/v1' });
    expect(run).toMatchObject({ status: 'failed', error_count: 2, pass_rate: 0 });
    expect(run.error_message).toEqual(results[0].error_message);
    expect(results).toMatchObject([
      { status: 'error', error_code: 'connect_failed', passed: null, score_percent: null, criteria_results: null },
      { status: 'error', error_code: 'connect_failed' },
    ]);
  });

  test('a config without a required field: nothing is sent', async () => {
    const created = await api.post('/api/v1/agents', { name: 'Vapi', provider: 'vapi', config: { api_key: 'k' } });
    const { status, body } = await api.post('/start-run', { agent_id: created.body.id, max_scenarios: 1 });
    expect(status).toBe(200);
    const run = await untilFinal(api, body.id);
    expect(run.status).toBe('failed');
    expect(run.error_message).toMatch(/assistant_id/);
    expect(await scenarioRunsOf(api, body.id)).toMatchObject([{ error_code: 'config_invalid', turns: 0 }]);
  });

  test('one broken reply among good ones: the others are graded and the run completes', async () => {
    agent.next((response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
    const { run, results } = await runAgainst({}, { concurrency_limit: 1 });
    expect(run).toMatchObject({
      status: 'completed',
      passed_count: 1,
      error_count: 1,
      pass_rate: 50,
      error_message: null,
    });
    expect(results.map((result) => result.status)).toEqual(['error', 'passed']);
    expect(results[0].error_code).toBe('provider_error');
  });

  test('a scenario without a rubric cannot be graded, and its conversation is not held', async () => {
    const [bare] = await createScenarios(api, 1, { rubric_criteria: [], name: 'Bare' });
    const { results } = await runAgainst({}, { scenario_ids: [bare] });
    expect(results).toMatchObject([{ status: 'error', error_code: 'no_rubric', turns: 0 }]);
    await api.delete(`/api/v1/scenarios/${bare}`);
  });

  test('a reply of 200 kB is an ordinary reply', async () => {
    const long = `${GOOD_REPLY} ${'x'.repeat(200_000)}`;
    const talkative = await startFakeOpenAi({ reply: () => long });
    try {
      const { results } = await runAgainst({ base_url: talkative.baseUrl }, { max_turns: 5 });
      expect(results).toMatchObject([{ status: 'passed' }, { status: 'passed' }]);
      const { body } = await api.get(`/api/v1/scenario-runs/${results[0].id}`);
      expect(body.transcript.at(-1).content).toBe(long);
    } finally {
      await talkative.close();
    }
  });
});

describe('pass_threshold', () => {
  test('decides what score passes', async () => {
    const [half] = await createScenarios(api, 1, {
      name: 'Half',
      rubric_criteria: [CALLS_AMBULANCE, { criterion: 'Asks about allergies to penicillin', points: 5, tags: [] }],
    });
    const verdicts: unknown[] = [];
    for (const pass_threshold of [50, 51]) {
      const { body } = await api.post('/start-run', { agent_id: agentId, scenario_ids: [half], pass_threshold });
      await untilFinal(api, body.id);
      const [result] = await scenarioRunsOf(api, body.id);
      verdicts.push([result.score_percent, result.status]);
    }
    expect(verdicts).toEqual([
      [50, 'passed'],
      [50, 'failed'],
    ]);
    await api.delete(`/api/v1/scenarios/${half}`);
  });
});
