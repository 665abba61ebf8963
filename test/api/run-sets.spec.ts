import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { storeScenarios } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let database: Database;
let good: FakeAgent;
let bad: FakeAgent;
let slow: FakeAgent;
let agents: Record<'good' | 'bad' | 'slow', string>;
let scenarioIds: string[];
let manyIds: string[];

beforeAll(async () => {
  service = await startTestService({ MAX_SCHEDULED_RUNS: '3' });
  api = new ApiClient(service.url);
  database = service.app.get(Database);
  good = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  bad = await startFakeOpenAi({ reply: () => 'I cannot say.' });
  // Never answers within a test.
  slow = await startFakeOpenAi({ delayMs: 600_000 });
  const named = async (name: string, { baseUrl }: FakeAgent) => {
    const id = await createAgent(api, baseUrl, { turn_timeout_ms: 600_000 });
    await api.patch(`/api/v1/agents/${id}`, { name });
    return id;
  };
  agents = { good: await named('Good', good), bad: await named('Bad', bad), slow: await named('Slow', slow) };
  scenarioIds = await createScenarios(api, 9);
  const many = Array.from({ length: 150 }, (_, place) => `Stored ${place}`);
  manyIds = await storeScenarios(database, many);
});
afterAll(async () => {
  await service.close();
  await Promise.all([good, bad, slow].map((agent) => agent.close()));
});

const startSet = (body: object): Promise<Answer> =>
  api.post('/start-run-set', { scenario_ids: scenarioIds, max_turns: 5, ...body });

const of = (...ids: string[]) => ids.map((agent_id) => ({ agent_id }));

const runsInAll = async (): Promise<number> => (await api.get('/api/v1/tests?limit=1')).body.total;

const setsInAll = async (): Promise<number> => (await database.query('SELECT FROM run_sets')).length;

const idsOf = (answer: Answer): string[] => answer.body.runs.map(({ id }: { id: string }) => id);

describe('POST /start-run-set', () => {
  let answer: Answer;
  beforeAll(async () => {
    answer = await startSet({ agents: of(agents.good, agents.bad), name: 'Which one', trials: 2, region: 'UK' });
    for (const id of idsOf(answer)) await untilFinal(api, id);
  });

  test('starts a run for each agent over the same conversations, and tells what each is called', async () => {
    expect(answer).toMatchObject({
      status: 200,
      body: {
        name: 'Which one',
        runs: [
          { agent_id: agents.good, title: 'Good', status: 'running', total_scenarios: 18, scenarios_launched: 18 },
          { agent_id: agents.bad, title: 'Bad', status: 'running', total_scenarios: 18, scenarios_launched: 18 },
        ],
      },
    });
    const [first = '', second = ''] = idsOf(answer);
    for (const id of [first, second]) {
      expect((await api.get(`/api/v1/tests/${id}`)).body).toMatchObject({
        run_set_id: answer.body.id,
        name: 'Which one',
        region: 'UK',
      });
    }
    const seen = await Promise.all([first, second].map((id) => scenarioRunsOf(api, id)));
    const [one = [], other = []] = seen.map((rows) =>
      rows.map(({ scenario_id, trial, patient, metadata }) => ({
        scenario_id,
        trial,
        patient,
        seed: metadata.judge.seed,
      })),
    );
    expect(one).toEqual(other);
    expect(new Set(one.map(({ seed }) => seed)).size).toBeGreaterThan(1);
  });

  test('is shown with the counts of every run, and the interval of its rate once it has ended', async () => {
    expect(await api.get(`/api/v1/run-sets/${answer.body.id}`)).toMatchObject({
      status: 200,
      body: {
        id: answer.body.id,
        name: 'Which one',
        ended: true,
        runs: [
          { title: 'Good', passed_count: 18, graded_pass_rate: { value: 100 } },
          { title: 'Bad', failed_count: 18, graded_pass_rate: { value: 0 } },
        ],
      },
    });
  });

  test('compares its pairs in words, as the comparison of the two runs does in numbers', async () => {
    const { status, body } = await api.get(`/api/v1/run-sets/${answer.body.id}/comparisons`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      sentence: 'The two runs differ by more than chance explains.',
      pairs: [
        {
          before: { title: 'Good' },
          after: { title: 'Bad' },
          verdict: 'worse',
          sentence: expect.stringMatching(
            /^Good passes 100 points more often than Bad \(95 % interval .+, adjusted p = 0\.0\d+\)/,
          ),
          doubts: [],
        },
      ],
    });
    const [before, after] = idsOf(answer);
    const { body: compared } = await api.get(`/api/v1/tests/${after}/comparison?before=${before}`);
    const [pair] = body.pairs;
    for (const field of ['tests', 'verdict', 'grounds', 'difference', 'scenarios']) {
      expect({ field, value: pair[field] }).toEqual({ field, value: compared[field] });
    }
  });
});

test('adjusts for all pairs: with three agents each question has nine p-values beside it', async () => {
  const started = await startSet({
    agents: [...of(agents.good, agents.bad), { agent_id: agents.bad, agent_version: '2' }],
  });
  for (const id of idsOf(started)) await untilFinal(api, id);
  const { body } = await api.get(`/api/v1/run-sets/${started.body.id}/comparisons?confidence=90`);
  type Test = { p_value: number | null; adjusted_p_value: number | null };
  const tests: Test[] = body.pairs.flatMap(({ tests }: { tests: Test[] }) => tests);
  const asked = tests.filter(({ adjusted_p_value: adjusted }) => adjusted !== null);
  const sorted = asked.map(({ p_value: p }) => p ?? 1).sort((one, other) => one - other);
  expect(
    body.pairs.map(({ before, after }: Record<string, { title: string }>) => [before?.title, after?.title]),
  ).toEqual([
    ['Good', 'Bad'],
    ['Good', 'Bad 2'],
    ['Bad', 'Bad 2'],
  ]);
  expect(asked).toHaveLength(6);
  expect(Math.min(...asked.map(({ adjusted_p_value: adjusted }) => adjusted ?? 1))).toBeCloseTo(
    6 * (sorted[0] ?? 1),
    12,
  );
  expect(body.sentence).toBe('2 pairs of 3 differ by more than chance explains.');
  expect(body.pairs[2]).toMatchObject({
    verdict: 'no_evidence',
    sentence: expect.stringContaining('No evidence that Bad and Bad 2 differ: both pass 0 % of the time'),
  });
});

describe('nothing is started', () => {
  const nine = () => Array.from({ length: 9 }, (_, place) => ({ agent_id: agents.good, agent_version: `${place}` }));
  test.each<[string, () => object, string]>([
    ['for no agents at all', () => ({}), 'agents: '],
    [
      'for one agent',
      () => ({ agents: of(agents.good) }),
      'agents: must name 2 to 8 agents, and names 1: POST /start-run',
    ],
    ['for nine agents', () => ({ agents: nine() }), 'agents: must name 2 to 8 agents, and names 9: start several sets'],
    [
      'for the same agent twice',
      () => ({ agents: of(agents.good, agents.bad, agents.good.toUpperCase()) }),
      'agents[2]: is the same as agents[0]: give one of them another agent_version or name',
    ],
    [
      'for the same version twice',
      () => ({ agents: [1, 2].map(() => ({ agent_id: agents.good, agent_version: '2', name: 'Two' })) }),
      'agents[1]: is the same as agents[0]',
    ],
    [
      'with an agent that does not exist',
      () => ({ agents: of(agents.good, randomUUID()) }),
      'agents[1].agent_id: Agent not found',
    ],
    [
      'with more scheduled runs than may wait',
      () => ({ agents: nine().slice(0, 4), scheduled_at: '2100-01-01T00:00:00Z' }),
      'MAX_SCHEDULED_RUNS',
    ],
    [
      'with more conversations than eight runs may have',
      () => ({ agents: nine().slice(0, 8), trials: 20, scenario_ids: manyIds }),
      'This set would have 24,000 scenario runs (8 agents × 3,000)',
    ],
  ])('%s', async (_what, body, sentence) => {
    const before = [await runsInAll(), await setsInAll()];
    const answer = await startSet(body());
    expect([400, 409]).toContain(answer.status);
    expect(answer.body.error).toContain(sentence);
    expect([await runsInAll(), await setsInAll()]).toEqual(before);
  });

  test('with agents that are inactive, or deleted, of which each is named', async () => {
    const [inactive, deleted] = [await createAgent(api, good.baseUrl), await createAgent(api, good.baseUrl)];
    await api.patch(`/api/v1/agents/${inactive}`, { is_active: false, name: 'Retired' });
    await api.delete(`/api/v1/agents/${deleted}`);
    const before = await runsInAll();
    expect(await startSet({ agents: of(deleted, agents.good, inactive) })).toMatchObject({
      status: 400,
      body: {
        error:
          'agents[0].agent_id: Agent not found; agents[2].agent_id: Agent "Retired" is inactive. Nothing was started.',
      },
    });
    expect(await runsInAll()).toBe(before);
  });

  test('when the service fails between two of the runs', async () => {
    await database.query(`
      CREATE FUNCTION no_second_run() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF NEW.run_set_place = 2 THEN RAISE 'between two runs'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER no_second_run BEFORE INSERT ON test_runs FOR EACH ROW EXECUTE FUNCTION no_second_run();`);
    try {
      const before = [await runsInAll(), await setsInAll()];
      expect((await startSet({ agents: of(agents.good, agents.bad) })).status).toBe(500);
      expect([await runsInAll(), await setsInAll()]).toEqual(before);
    } finally {
      await database.query('DROP TRIGGER no_second_run ON test_runs; DROP FUNCTION no_second_run');
    }
  });
});

test('all runs have the copy of a scenario that the first has, though it is edited meanwhile', async () => {
  await database.query(`
    CREATE FUNCTION edited_between() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.run_set_place = 2 THEN PERFORM pg_sleep(0.5); END IF; RETURN NEW; END $$;
    CREATE TRIGGER edited_between BEFORE INSERT ON test_runs FOR EACH ROW EXECUTE FUNCTION edited_between();`);
  try {
    const starting = startSet({ agents: of(agents.good, agents.bad) });
    for (;;) {
      const [asleep] = await database.query(`SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'`);
      if (asleep !== undefined) break;
    }
    await api.patch(`/api/v1/scenarios/${scenarioIds[0]}`, { name: 'Edited meanwhile' });
    const [one = '', other = ''] = idsOf(await starting);
    const names = async (id: string) => (await scenarioRunsOf(api, id)).map(({ scenario_name }) => scenario_name);
    expect(await names(other)).toEqual(await names(one));
    for (const id of [one, other]) await untilFinal(api, id);
  } finally {
    await database.query('DROP TRIGGER edited_between ON test_runs; DROP FUNCTION edited_between');
  }
});

describe('a set under way', () => {
  test('is canceled together, once; a run of it can be canceled and deleted by itself', async () => {
    const started = await startSet({
      agents: [...of(agents.slow, agents.bad), { agent_id: agents.slow, name: 'Again' }],
      concurrency_limit: 2,
    });
    const [first = '', second = '', third = ''] = idsOf(started);
    const path = `/api/v1/run-sets/${started.body.id}`;
    await untilFinal(api, second);
    await slow.until(() => slow.inFlight === 4);
    expect((await api.get(path)).body).toMatchObject({
      ended: false,
      runs: [{ title: 'Slow' }, { title: 'Bad' }, { title: 'Slow, Again' }],
    });
    expect(await api.get(`${path}/comparisons`)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('compare when all runs of the set have ended') },
    });

    await api.post('/cancel-run', { test_run_id: third });
    expect(await api.post(`${path}/cancel`, {})).toMatchObject({
      status: 200,
      body: {
        canceled_scenarios: 9,
        runs: [
          { id: first, status: 'canceled', canceled_scenarios: 9 },
          { id: second, status: 'completed', canceled_scenarios: 0 },
          { id: third, status: 'canceled', canceled_scenarios: 0 },
        ],
      },
    });
    await slow.until(() => slow.inFlight === 0);
    expect(await api.post(`${path}/cancel`, {})).toMatchObject({ status: 200, body: { canceled_scenarios: 0 } });
    expect((await api.get(`${path}/comparisons`)).body).toMatchObject({
      sentence: 'Of none of the 3 pairs can it be told whether its runs differ.',
      pairs: [
        {
          verdict: 'cannot_tell',
          sentence: expect.stringMatching(/^Cannot tell Slow and Bad apart: in the run with Slow 0 % /),
        },
        {},
        {},
      ],
    });

    expect((await api.delete(`/api/v1/tests/${third}`)).status).toBe(204);
    expect((await api.get(path)).body.runs).toHaveLength(2);
    expect((await api.delete(`/api/v1/tests/${second}`)).status).toBe(204);
    expect(await api.get(`${path}/comparisons`)).toMatchObject({
      status: 200,
      body: { pairs: [], sentence: expect.stringContaining('One run is left') },
    });
    expect((await api.delete(`/api/v1/tests/${first}`)).status).toBe(204);
    expect([(await api.get(path)).status, (await api.post(`${path}/cancel`, {})).status]).toEqual([404, 404]);
    expect(await database.query('SELECT FROM run_sets WHERE id = $1', [started.body.id])).toEqual([]);
  });

  test('goes with the last of its runs, also when another is being deleted in the same moment', async () => {
    const started = await startSet({ agents: of(agents.slow, agents.bad), scheduled_at: '2100-01-01T00:00:00Z' });
    expect(started.body.runs).toMatchObject([{ status: 'scheduled', scenarios_launched: 0 }, { status: 'scheduled' }]);
    const [first, second] = idsOf(started);
    let deletion: Promise<unknown> = Promise.resolve();
    await database.transaction(async (tx) => {
      await tx.query('DELETE FROM test_runs WHERE id = $1', [first]);
      let isOver = false;
      deletion = database.query('DELETE FROM test_runs WHERE id = $1', [second]).finally(() => (isOver = true));
      await eventually(async () => {
        const waiting = await database.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        expect(isOver || waiting.length > 0).toBe(true);
      });
    });
    await deletion;
    expect(await database.query('SELECT FROM run_sets WHERE id = $1', [started.body.id])).toEqual([]);
  });

  test('goes on when one of its agents is deleted meanwhile', async () => {
    const leaving = await createAgent(api, slow.baseUrl, { turn_timeout_ms: 600_000 });
    const started = await startSet({ agents: of(leaving, agents.bad) });
    await slow.until(() => slow.inFlight > 0);
    expect((await api.delete(`/api/v1/agents/${leaving}`)).status).toBe(204);
    expect((await api.get(`/api/v1/run-sets/${started.body.id}`)).body.runs).toMatchObject([
      { agent_id: leaving, agent_name: 'Agent under test', status: 'running' },
      {},
    ]);
    await untilFinal(api, idsOf(started)[1] ?? '');
    expect((await api.post(`/api/v1/run-sets/${started.body.id}/cancel`, {})).body).toMatchObject({
      canceled_scenarios: 9,
    });
  });

  test.each(['', '/comparisons'])('of no such id is not found: %s', async (rest) => {
    for (const id of [randomUUID(), 'nonsense']) {
      expect(await api.get(`/api/v1/run-sets/${id}${rest}`)).toMatchObject({
        status: 404,
        body: { error: 'Run set not found' },
      });
    }
  });
});
