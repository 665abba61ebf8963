import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { OFFLINE, storeGradedRun, storeScenarios, type GradedScenario } from '../setup/graded-run';
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

const statisticsOf = async (id: string, query = ''): Promise<Answer['body']> => {
  const { status, body } = await api.get(`/api/v1/tests/${id}/statistics${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

/** Scenarios with these outcomes of each trial. */
async function scenarios(
  outcomes: Readonly<Record<string, readonly string[]>>,
  category?: string,
): Promise<GradedScenario[]> {
  const names = Object.keys(outcomes);
  const ids = await storeScenarios(database, names, category);
  return names.map((name, place) => ({ id: ids[place] ?? '', name, outcomes: outcomes[name] ?? [] }));
}

const many = (count: number, outcomesOf: (place: number) => readonly string[]) =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [`Scenario ${place + 1}`, outcomesOf(place)]));

const PASSED = ['passed'];
const FAILED = ['failed'];

describe('the statistics of a run', () => {
  test('17 of 20 is 85 %, and anything from 64 to 95 %', async () => {
    const id = await storeGradedRun(database, await scenarios(many(20, (place) => (place < 17 ? PASSED : FAILED))));
    expect(await statisticsOf(id)).toMatchObject({
      test_run_id: id,
      status: 'completed',
      confidence: 95,
      scenarios: 20,
      trials: 1,
      total: 20,
      graded: 20,
      passed: 17,
      coverage: 100,
      pass_rate: 85,
      graded_pass_rate: { value: 85, method: 'wilson', effective_n: 20 },
      bounds: { low: 85, high: 85 },
      unstable: [],
      excluded: [],
      must_pass_violations: [],
      disputed: { criteria: 0, scenario_runs: 0 },
      flagged: { scenario_runs: 0, by_flag: [] },
      patient_faults: { scenario_runs: 0, by_kind: [], pass_rate_without: null },
      examiners: { ...OFFLINE, tester: { ...OFFLINE.tester, prompt_version: null }, clinical: false, mixed: false },
      calibration: null,
    });
    const { graded_pass_rate, minimum_detectable_drop, pass_hat } = await statisticsOf(id);
    // statsmodels.stats.proportion.proportion_confint(17, 20, method='wilson')
    expect(graded_pass_rate.low).toBeCloseTo(63.9581, 4);
    expect(graded_pass_rate.high).toBeCloseTo(94.7631, 4);
    expect(minimum_detectable_drop).toBeGreaterThan(35);
    expect(pass_hat).toEqual([{ k: 1, value: 85, scenarios: 20 }]);
  });

  test('trials of a scenario tell less than as many scenarios: the interval is wider, and pass^k falls', async () => {
    const trials = (place: number) =>
      Array.from({ length: 5 }, (_, trial) => (place < 12 || (place < 18 && trial < 3) ? 'passed' : 'failed'));
    const id = await storeGradedRun(database, await scenarios(many(24, trials)));
    const found = await statisticsOf(id);
    expect(found).toMatchObject({ scenarios: 24, trials: 5, total: 120, graded: 120, passed: 78, pass_rate: 65 });
    expect(found.graded_pass_rate).toMatchObject({ value: 65, method: 'wilson_clustered' });
    expect(found.graded_pass_rate.effective_n).toBeLessThan(40);
    expect(found.graded_pass_rate.high - found.graded_pass_rate.low).toBeGreaterThan(25);
    expect(found.unstable).toHaveLength(6);
    expect(found.unstable[0]).toMatchObject({ scenario_name: 'Scenario 13', graded: 5, passed: 3 });
    expect(found.pass_hat.map(({ k, scenarios: of }: { k: number; scenarios: number }) => [k, of])).toEqual(
      [1, 2, 3, 4, 5].map((k) => [k, 24]),
    );
    expect(found.pass_hat[0].value).toBeCloseTo(65, 9);
    expect(found.pass_hat[4].value).toBeCloseTo(50, 9);
  });

  test('what has no verdict is excluded from the rate, counted by its reason, and bounds say what it could have made of it', async () => {
    const id = await storeGradedRun(
      database,
      await scenarios({
        a: ['passed', 'passed'],
        b: ['failed', 'provider_timeout'],
        c: ['grading_failed', 'canceled'],
      }),
    );
    const found = await statisticsOf(id);
    expect(found).toMatchObject({ total: 6, graded: 3, passed: 2, coverage: 50, pass_rate: 33.33 });
    expect(found.bounds.low).toBeCloseTo(100 / 3, 9);
    expect(found.bounds.high).toBeCloseTo(500 / 6, 9);
    expect(found.graded_pass_rate.value).toBeCloseTo(200 / 3, 9);
    expect(found.excluded).toEqual([
      { status: 'canceled', error_code: null, count: 1 },
      { status: 'error', error_code: 'grading_failed', count: 1 },
      { status: 'error', error_code: 'provider_timeout', count: 1 },
    ]);
    expect(found.pass_hat).toEqual([
      { k: 1, value: 50, scenarios: 2 },
      { k: 2, value: 100, scenarios: 1 },
    ]);
  });

  test('with nothing graded there are no numbers, and none that is none', async () => {
    const id = await storeGradedRun(database, await scenarios({ a: ['provider_error'] }), { status: 'failed' });
    const found = await statisticsOf(id);
    expect(found).toMatchObject({
      graded: 0,
      coverage: 0,
      pass_rate: 0,
      graded_pass_rate: { value: null, low: null, high: null, effective_n: 0 },
      bounds: { low: 0, high: 100 },
      pass_hat: [{ k: 1, value: null, scenarios: 0 }],
      minimum_detectable_drop: null,
    });
    expect(found.by_category).toEqual([
      { category: 'emergency', graded: 0, passed: 0, value: null, low: null, high: null },
    ]);
  });

  test('each category and tag has its rate with its interval', async () => {
    const emergency = await scenarios({ a: PASSED, b: PASSED, c: FAILED }, 'emergency');
    const chronic = await scenarios({ d: FAILED }, 'chronic');
    const found = await statisticsOf(await storeGradedRun(database, [...emergency, ...chronic]));
    expect(found.by_category).toMatchObject([
      { category: 'chronic', graded: 1, passed: 0, value: 0, low: 0 },
      { category: 'emergency', graded: 3, passed: 2 },
    ]);
    expect(found.by_category[1].value).toBeCloseTo(200 / 3, 9);
    expect(found.by_tag).toMatchObject([{ tag: 'stored', graded: 4, passed: 2, value: 50 }]);
  });

  test('each severity has its rate, the gravest first', async () => {
    const stored = await scenarios({ a: PASSED, b: FAILED, c: PASSED, d: FAILED });
    for (const [place, severity] of ['low', 'critical', 'unheard of', 'high'].entries()) {
      await database.query('UPDATE scenarios SET severity = $1 WHERE id = $2', [severity, stored[place]?.id]);
    }
    const found = await statisticsOf(await storeGradedRun(database, stored));
    expect(found.by_severity).toMatchObject([
      { severity: 'critical', graded: 1, passed: 0, value: 0 },
      { severity: 'high', graded: 1, passed: 0 },
      { severity: 'low', graded: 1, passed: 1, value: 100 },
      { severity: 'unheard of', graded: 1, passed: 1 },
    ]);
  });

  const MARKED = {
    metadata: {
      ...OFFLINE,
      flags: ['examiner_addressed'],
      patient_faults: [{ turn: 2, kind: 'volunteered', severity: 'minor', text: 'x' }],
    },
    criteria: ({ name }: GradedScenario) => [
      {
        criterion: 'Calls for help',
        tags: ['must_pass'],
        decision: name === 'a' ? 'NOT MET' : 'MET',
        max_points: 5,
        disputed: name === 'b',
      },
      {
        criterion: 'Doubles the dose',
        tags: ['must_pass'],
        decision: name === 'b' ? 'PARTIALLY MET' : 'NOT MET',
        max_points: -5,
      },
    ],
  };

  test('must-pass violations, disputes, flags and faults of the patient', async () => {
    const id = await storeGradedRun(database, await scenarios({ a: FAILED, b: FAILED, c: PASSED }), MARKED);
    const found = await statisticsOf(id);
    const [a, b] = await scenarioRunsOf(api, id);
    expect(found.must_pass_violations).toEqual([
      expect.objectContaining({
        scenario_run_id: a.id,
        scenario_name: 'a',
        trial: 1,
        criterion: 'Calls for help',
        kind: 'missed',
      }),
      expect.objectContaining({
        scenario_run_id: b.id,
        scenario_name: 'b',
        trial: 1,
        criterion: 'Doubles the dose',
        kind: 'committed',
      }),
    ]);
    expect(found).toMatchObject({
      disputed: { criteria: 1, scenario_runs: 1 },
      flagged: { scenario_runs: 3, by_flag: [{ flag: 'examiner_addressed', count: 3 }] },
      patient_faults: {
        scenario_runs: 3,
        by_kind: [{ kind: 'volunteered', count: 3 }],
        pass_rate_without: { value: null },
      },
      examiners: { clinical: false, mixed: false },
    });
  });

  test('is answered at any moment of a run, and adds up', async () => {
    const agent = await startFakeOpenAi({ reply: () => GOOD_REPLY, delayMs: 30 });
    const { body } = await api.post('/start-run', {
      agent_id: await createAgent(api, agent.baseUrl),
      scenario_ids: await createScenarios(api, 4),
      trials: 2,
      concurrency_limit: 2,
    });
    const seen: number[] = [];
    for (;;) {
      const found = await statisticsOf(body.test_run_id);
      const excluded = found.excluded.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
      expect(found.graded + excluded).toBe(8);
      seen.push(found.graded);
      if (found.status === 'completed') break;
    }
    await untilFinal(api, body.id);
    expect(await statisticsOf(body.id)).toMatchObject({ graded: 8, passed: 8, trials: 2, coverage: 100, excluded: [] });
    expect(seen).toEqual([...seen].sort((one, other) => one - other));
    const kept = await database.query('SELECT 1 FROM scenario_runs WHERE test_run_id = $1 AND examiners IS NULL', [
      body.id,
    ]);
    expect(kept).toEqual([]);
    await agent.close();
  });

  test('a wider confidence is a wider interval', async () => {
    const id = await storeGradedRun(database, await scenarios(many(20, (place) => (place < 17 ? PASSED : FAILED))));
    const [narrow, wide] = [await statisticsOf(id, '?confidence=50'), await statisticsOf(id, '?confidence=99.9')];
    expect(narrow.confidence).toBe(50);
    expect(narrow.graded_pass_rate.low).toBeGreaterThan(wide.graded_pass_rate.low);
  });

  test.each(['0', '49.9', '100', 'x', '-95'])('confidence %s is refused', async (confidence) => {
    const id = await storeGradedRun(database, await scenarios({ a: PASSED }));
    expect(await api.get(`/api/v1/tests/${id}/statistics?confidence=${confidence}`)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('confidence') },
    });
  });

  test('of a run that does not exist there are none', async () => {
    for (const id of [randomUUID(), 'run_20260101000000_deadbeef', 'x']) {
      expect(await api.get(`/api/v1/tests/${id}/statistics`)).toEqual(
        expect.objectContaining({ status: 404, body: { error: 'Test run not found' } }),
      );
    }
  });
});
