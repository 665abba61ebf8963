import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import { ApiClient, type Answer } from '../setup/api-client';
import {
  OFFLINE,
  storeGradedRun,
  storeScenarios,
  type GradedRunOptions,
  type GradedScenario,
} from '../setup/graded-run';
import { osce } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let database: Database;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  database = service.app.get(Database);
});
afterAll(() => service.close());

const newAgent = async (name = 'Line'): Promise<string> => {
  const config = { base_url: 'http://127.0.0.1:9', model: 'm' };
  return (await api.post('/api/v1/agents', { provider: 'openai', name, config })).body.id;
};

/** Scenarios of which the first two can be named. */
type Several = readonly [GradedScenario, GradedScenario, ...GradedScenario[]];

const scenariosNamed = async (...names: string[]): Promise<Several> => {
  const ids = await storeScenarios(database, names);
  const [first, second, ...rest] = ids.map((id, place) => ({ id, name: names[place] ?? '', outcomes: [] }));
  if (first === undefined || second === undefined) throw new Error('Name two scenarios at least.');
  return [first, second, ...rest];
};

/** The same scenarios with these outcomes in every one. */
const each = (scenarios: readonly GradedScenario[], outcomes: readonly string[]): GradedScenario[] =>
  scenarios.map((scenario) => ({ ...scenario, outcomes }));

/** Stores an ended run that was started on a day of November; answers its id. */
const runOn = async (
  day: number,
  agentId: string,
  scenarios: readonly GradedScenario[],
  options: GradedRunOptions = {},
): Promise<string> => {
  const id = await storeGradedRun(database, scenarios, { agentId, ...options });
  await database.query('UPDATE test_runs SET started_at = $2, created_at = $2 WHERE id = $1', [
    id,
    new Date(Date.UTC(2026, 10, day)),
  ]);
  return id;
};

const historyOf = async (agentId: string, query = ''): Promise<Answer['body']> => {
  const { status, body } = await api.get(`/api/v1/agents/${agentId}/history${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

describe('the history of an agent', () => {
  test('tells of each run what it came to, the oldest first', async () => {
    const agent = await newAgent('Telling');
    const [first, second] = await scenariosNamed('One', 'Two');
    const before = await runOn(
      1,
      agent,
      [
        { ...first, outcomes: ['passed', 'passed'] },
        { ...second, outcomes: ['failed', 'provider_timeout'] },
      ],
      {
        criteria: ({ id }) =>
          id === second.id
            ? [{ criterion: 'Calls an ambulance', tags: ['must_pass'], decision: 'NOT MET', max_points: 5 }]
            : [],
      },
    );
    await database.query(
      `UPDATE scenario_runs SET score_percent = CASE status WHEN 'passed' THEN 90 WHEN 'failed' THEN 30 END WHERE test_run_id = $1`,
      [before],
    );
    await database.query(
      `UPDATE test_runs SET name = 'Nightly', agent_version = 'v7', agent_config_hash = 'c' WHERE id = $1`,
      [before],
    );
    await database.query(`UPDATE scenarios SET severity = 'critical' WHERE id = $1`, [second.id]);
    const after = await runOn(2, agent, each([first, second], ['passed', 'passed']));
    await api.put(`/api/v1/agents/${agent}/baseline`, { test_run_id: before });
    const { points, ...of } = await historyOf(agent);
    expect(of).toEqual({ agent_id: agent, agent_name: 'Telling', more: false });
    const { body: statistics } = await api.get(`/api/v1/tests/${before}/statistics`);
    const { value, low, high } = statistics.graded_pass_rate;
    expect(points[0]).toEqual({
      test_run_id: before,
      label: `run_${before}`,
      name: 'Nightly',
      modality: 'text',
      status: 'completed',
      derivation: null,
      agent_version: 'v7',
      agent_config_hash: 'c',
      at: '2026-11-01T00:00:00.000Z',
      scenarios_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      scenarios: 2,
      trials: 2,
      graded_pass_rate: { value, low, high },
      mean_score: 70,
      must_pass_violations: 1,
      by_severity: statistics.by_severity,
      coverage: 75,
      examiners: statistics.examiners,
      baseline: true,
      comparable_to_previous: false,
      comparable_to: null,
      differs_in: [],
    });
    expect(statistics.by_severity).toHaveLength(2);
    expect(points[1]).toMatchObject({ test_run_id: after, baseline: false, coverage: 100, must_pass_violations: 0 });
  });

  test('a check of two scenarios is comparable neither with the run of all before it nor with the one after it, which are with each other', async () => {
    const agent = await newAgent();
    const all = await scenariosNamed('A', 'B', 'C', 'D', 'E');
    const nightly = await runOn(1, agent, each(all, ['failed']));
    await runOn(2, agent, each(all.slice(0, 2), ['passed']));
    await runOn(3, agent, each(all, ['passed']));
    const { points } = await historyOf(agent);
    expect(points.map((point: Answer['body']) => point.comparable_to_previous)).toEqual([false, false, false]);
    expect(points.map((point: Answer['body']) => point.comparable_to)).toEqual([null, null, nightly]);
    expect(points.map((point: Answer['body']) => point.differs_in)).toEqual([[], ['scenarios'], ['scenarios']]);
    expect(points[0].scenarios_hash).toBe(points[2].scenarios_hash);
    expect(points[1].scenarios_hash).not.toBe(points[0].scenarios_hash);
  });

  const model = { tester: OFFLINE.tester, judge: { name: 'openai', model: 'another', prompt_version: 'p' } };
  test.each<[string, readonly string[], (all: Several) => readonly GradedScenario[], GradedRunOptions]>([
    ['nothing else', [], (all) => each(all, ['passed']), {}],
    ['another number of trials', ['trials'], (all) => each(all, ['passed', 'passed']), {}],
    ['another judge', ['examiners'], (all) => each(all, ['passed']), { metadata: model }],
    [
      'other instructions of the judge',
      ['examiners'],
      (all) => each(all, ['passed']),
      { metadata: { ...OFFLINE, judge: { ...OFFLINE.judge, prompt_version: 'older' } } },
    ],
    [
      'another text of a scenario',
      ['scenarios'],
      (all) => each(all, ['passed']).map((one) => ({ ...one, content: { script: 'x' } })),
      {},
    ],
    [
      'another rubric',
      ['scenarios'],
      (all) => each(all, ['passed']).map((one) => ({ ...one, rubric: [{ criterion: 'x' }] })),
      {},
    ],
    [
      'other patients',
      ['patients'],
      (all) => each(all, ['passed']),
      { patients: [{ style: 'anxious', language: 'de' }] },
    ],
    ['more turns', ['max_turns'], (all) => each(all, ['passed']), { maxTurns: 9 }],
    ['another region', ['region'], (all) => each(all, ['passed']), { region: 'UK' }],
    [
      'conversations without a verdict',
      ['coverage'],
      ([first, ...rest]) => [{ ...first, outcomes: ['provider_timeout'] }, ...each(rest, ['passed'])],
      {},
    ],
  ])('after a run with %s it says what differs: %j', async (_what, differs_in, changed, options) => {
    const agent = await newAgent();
    const all = await scenariosNamed('A', 'B', 'C');
    const before = await runOn(1, agent, each(all, ['failed']));
    await runOn(2, agent, changed(all), options);
    const [, after] = (await historyOf(agent)).points;
    const isLike = differs_in.length === 0;
    expect(after).toMatchObject({ differs_in, comparable_to_previous: isLike, comparable_to: isLike ? before : null });
  });

  test('a canceled run, and one that failed, is shown as such and has no rate; those around it are compared with each other', async () => {
    const agent = await newAgent();
    const all = await scenariosNamed('A', 'B');
    const before = await runOn(1, agent, each(all, ['failed']));
    const [first, second] = all;
    await runOn(
      2,
      agent,
      [
        { ...first, outcomes: ['passed'] },
        { ...second, outcomes: ['canceled'] },
      ],
      { status: 'canceled' },
    );
    await runOn(3, agent, each(all, ['passed']), { status: 'failed' });
    await runOn(4, agent, each(all, ['passed']));
    const { points } = await historyOf(agent);
    expect(points).toMatchObject([
      { status: 'completed', graded_pass_rate: { value: 0 } },
      {
        status: 'canceled',
        graded_pass_rate: null,
        mean_score: null,
        by_severity: [],
        coverage: 50,
        comparable_to_previous: false,
        comparable_to: null,
      },
      { status: 'failed', graded_pass_rate: null, comparable_to_previous: false },
      { status: 'completed', graded_pass_rate: { value: 100 }, comparable_to_previous: true, comparable_to: before },
    ]);
  });

  test('runs that go on have no point yet, nor have conversations that somebody went on with', async () => {
    const agent = await newAgent();
    const all = await scenariosNamed('A', 'B');
    await runOn(1, agent, each(all, ['passed']), { status: 'running' });
    const forked = await runOn(2, agent, each(all, ['passed']));
    await database.query(`UPDATE test_runs SET derivation = 'fork' WHERE id = $1`, [forked]);
    expect(await historyOf(agent)).toMatchObject({ more: false, points: [] });
  });

  test('of a tag only its scenarios count, so that runs of all are comparable with a check of these', async () => {
    const agent = await newAgent();
    const all = await scenariosNamed('A', 'B', 'C');
    await database.query(`UPDATE scenarios SET tags = '{smoke}' WHERE id = $1`, [all[0].id]);
    const [first, ...rest] = all;
    const nightly = await runOn(1, agent, [{ ...first, outcomes: ['passed'] }, ...each(rest, ['failed'])]);
    await runOn(2, agent, each(rest, ['failed']));
    const smoke = await runOn(3, agent, [{ ...first, outcomes: ['failed'] }]);
    const { points } = await historyOf(agent, '?tag=smoke');
    expect(points).toHaveLength(2);
    expect(points).toMatchObject([
      { test_run_id: nightly, scenarios: 1, graded_pass_rate: { value: 100 } },
      { test_run_id: smoke, scenarios: 1, graded_pass_rate: { value: 0 }, comparable_to_previous: true },
    ]);
  });

  test('by suite and by time; the newest are kept, and that there are older ones is said', async () => {
    const agent = await newAgent();
    const all = await scenariosNamed('A', 'B');
    const runs: string[] = [];
    for (const day of [1, 2, 3, 4]) runs.push(await runOn(day, agent, each(all, ['passed'])));
    const suite = (await api.post('/api/v1/test-suites', { name: 'Nightly', scenario_ids: [all[0].id] })).body.id;
    await database.query('UPDATE test_runs SET test_suite_id = $1 WHERE id = $2', [suite, runs[1]]);
    const found = async (query: string): Promise<string[]> =>
      (await historyOf(agent, query)).points.map((point: Answer['body']) => point.test_run_id);
    expect(await found(`?suite=${suite}`)).toEqual([runs[1]]);
    expect(await found('?from=2026-11-02T00:00:00Z&to=2026-11-04T00:00:00Z')).toEqual([runs[1], runs[2]]);
    expect(await found('?from=2026-11-03')).toEqual([runs[2], runs[3]]);
    const { more, points } = await historyOf(agent, '?limit=2');
    expect({ more, kept: points.map((point: Answer['body']) => point.test_run_id) }).toEqual({
      more: true,
      kept: [runs[2], runs[3]],
    });
    // What the first of them would be compared with is known although it is not shown.
    expect(points[0]).toMatchObject({ comparable_to_previous: true, comparable_to: runs[1] });
  });

  test('of an agent with thousands of runs the newest are read, and the others are not', async () => {
    const agent = await newAgent();
    const all = await scenariosNamed('A', 'B');
    await runOn(9, agent, each(all, ['passed']));
    await database.query(
      `INSERT INTO test_runs (id, label, status, agent_id, agent_name, agent_provider, total_scenarios, trials, max_turns, concurrency_limit,
         pass_threshold, started_at, created_at)
       SELECT gen_random_uuid(), 'many_' || n, 'completed', $1, 'Line', 'openai', 20000, 1, 6, 6, 50, time, time
       FROM generate_series(1, 3000) n, LATERAL (SELECT timestamptz '2026-10-01' + n * interval '1 minute' AS time) at`,
      [agent],
    );
    await database.query(
      `INSERT INTO scenario_runs (id, test_run_id, scenario_id, position, scenario_name, scenario, status)
       SELECT gen_random_uuid(), id, gen_random_uuid(), 1, 'Other', '{}', 'passed' FROM test_runs WHERE agent_id = $1 AND label LIKE 'many%'`,
      [agent],
    );
    // Ten runs that say they are as large as a run may be are as many as are added up for one answer.
    const { more, points } = await historyOf(agent, '?limit=200');
    expect({ more, points: points.length, newest: points.at(-1).at }).toEqual({
      more: true,
      points: 10,
      newest: '2026-11-09T00:00:00.000Z',
    });
  });

  test('a deleted agent has a history as long as its runs are kept', async () => {
    const agent = await newAgent();
    await runOn(1, agent, each(await scenariosNamed('A', 'B'), ['passed']));
    await api.delete(`/api/v1/agents/${agent}`);
    expect(await historyOf(agent)).toMatchObject({ agent_name: 'Stored agent', points: [{ status: 'completed' }] });
  });

  test.each([
    ['from=yesterday', 400, 'from'],
    ['to=2026-13-01', 400, 'to'],
    ['from=2026-11-02&to=2026-11-01', 400, 'from'],
    ['suite=x', 404, 'suite'],
    [`suite=${randomUUID()}`, 404, 'suite'],
    ['limit=0', 400, 'limit'],
    ['tag=', 400, 'tag'],
  ])('%s is answered with %i and a sentence that names %s', async (query, status, field) => {
    const answer = await api.get(`/api/v1/agents/${await newAgent()}/history?${query}`);
    expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(`${field}:`) } });
  });

  test.each([randomUUID(), 'x'])('there is none of an agent that does not exist: %s', async (unknown) => {
    expect(await api.get(`/api/v1/agents/${unknown}/history`)).toMatchObject({
      status: 404,
      body: { error: 'Agent not found' },
    });
  });

  test('osce agents history shows it, with interval and coverage beside each rate, and a difference only where there is one', async () => {
    const agent = await newAgent('Command line');
    const all = await scenariosNamed('A', 'B', 'C', 'D');
    await runOn(1, agent, each(all, ['failed']));
    await runOn(2, agent, each(all, ['passed']));
    await runOn(3, agent, each(all.slice(0, 1), ['passed']));
    const { code, stdout } = await osce(['agents', 'history', 'Command line'], { url: service.url });
    expect(code).toBe(0);
    expect(stdout).toMatch(/2026-11-01 .*0 % │ +0 to 49 │/);
    expect(stdout).toMatch(/2026-11-02 .*100 % │ +51 to 100 │.*│ \+100 points/);
    expect(stdout).toMatch(/2026-11-03 .*100 % │ +2\d to 100 │.*│ other scenarios/);
    const json = await osce(['agents', 'history', agent, '--json'], { url: service.url });
    expect(JSON.parse(json.stdout)).toMatchObject({ agent_id: agent, more: false });
  });
});
