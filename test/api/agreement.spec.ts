import { Database } from '../../src/platform/database/database';
import { ApiClient, type Answer } from '../setup/api-client';
import { storeGradedRun, storeScenarios, type GradedScenario } from '../setup/graded-run';
import { review, type Decided } from '../setup/reviewed-runs';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let database: Database;
/** Who reviews has a key, and reads nothing of what whoever looks at the agreement reads. */
const REVIEWERS = ['Dr. Osei', 'A', 'B', 'C'];
const keyOf = (reviewer: string): string => `key-of-${reviewer.replaceAll(/\W/g, '')}-0123456789-0123456789`;
const as = (reviewer: string): ApiClient => new ApiClient(service.url, { 'x-api-key': keyOf(reviewer) });

beforeAll(async () => {
  service = await startTestService({
    SERVICE_API_KEY: keyOf('reader'),
    SERVICE_RUNNER_KEY: REVIEWERS.map(keyOf).join(','),
  });
  api = as('reader');
  database = service.app.get(Database);
});
afterAll(() => service.close());

const judgedBy = (model: string) => ({
  tester: { name: 'offline', model: null, prompt_version: null },
  judge: { name: 'anthropic', model, prompt_version: 'abc123' },
});

interface StoredRun {
  readonly id: string;
  /** In the run's order. */
  readonly scenarioRuns: readonly string[];
}

/** One conversation for each list of the judge's decisions on: a must-pass criterion, another one, a fault. */
async function storedRun(
  judged: readonly Decided[][],
  model = 'claude-judge',
  status?: string,
  check?: string,
): Promise<StoredRun> {
  const names = judged.map((_, place) => `Scenario ${place + 1}`);
  const ids = await storeScenarios(database, names);
  const marks = ({ name }: GradedScenario) => {
    const [first = 'MET', second = 'MET', fault = 'NOT MET'] = judged[names.indexOf(name)] ?? [];
    return [
      { criterion: 'Sends for an ambulance', tags: ['must_pass'], decision: first, max_points: 5 },
      { criterion: 'Asks when it began', tags: ['history'], decision: second, max_points: 3, ...(check && { check }) },
      { criterion: 'Tells the patient to drive', tags: [], decision: fault, max_points: -4 },
    ];
  };
  const outcomeOf = (decisions: readonly Decided[]) => (decisions[0] === 'MET' ? 'passed' : 'failed');
  const id = await storeGradedRun(
    database,
    names.map((name, place) => ({ id: ids[place] ?? '', name, outcomes: [outcomeOf(judged[place] ?? [])] })),
    { criteria: marks, metadata: judgedBy(model), ...(status === undefined ? {} : { status }) },
  );
  const { body } = await api.get(`/api/v1/scenario-runs?test_run_id=${id}&limit=100`);
  return { id, scenarioRuns: body.results.map((one: { id: string }) => one.id) };
}

const agreementOf = async (query: string): Promise<Answer['body']> => {
  const { status, body } = await api.get(`/api/v1/agreement?${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

test('what a rule decided says nothing about the judge', async () => {
  const judged = await storedRun([GOOD]);
  await reviewAll(judged, [GOOD]);
  expect(await agreementOf(`test_run_id=${judged.id}`)).toMatchObject({ criteria: 3, with_judge: { pairs: 3 } });
  const ruled = await storedRun([GOOD], 'claude-judge', undefined, 'contains');
  await reviewAll(ruled, [GOOD]);
  expect(await agreementOf(`test_run_id=${ruled.id}`)).toMatchObject({ criteria: 2, with_judge: { pairs: 2 } });
});

const GOOD: Decided[] = ['MET', 'MET', 'NOT MET'];

async function reviewAll(
  { scenarioRuns }: StoredRun,
  decided: readonly Decided[][],
  { reviewer = 'Dr. Osei', ...fields }: { readonly reviewer?: string; readonly blind?: boolean } = {},
): Promise<void> {
  for (const [place, decisions] of decided.entries()) {
    await review(as(reviewer), scenarioRuns[place] ?? '', decisions, { reviewer, ...fields });
  }
}

describe('the agreement of judge and reviewers', () => {
  test('counts each pair of decisions, the reviewer in the rows and the judge in the columns', async () => {
    const run = await storedRun([GOOD, ['NOT MET', 'MET', 'MET'], ['MET', 'PARTIALLY MET', 'NOT MET'], GOOD]);
    await reviewAll(run, [GOOD, ['NOT MET', 'MET', 'NOT MET'], ['MET', 'MET', 'PARTIALLY MET'], GOOD]);
    const found = await agreementOf(`test_run_id=${run.id}`);
    expect(found).toMatchObject({
      test_run_id: run.id,
      conversations: 4,
      criteria: 12,
      raters: 1,
      not_blind: 0,
      judges: [{ name: 'anthropic', model: 'claude-judge', prompt_version: 'abc123', conversations: 4 }],
      with_judge: {
        pairs: 12,
        faults: 4,
        confusion: {
          decisions: ['MET', 'PARTIALLY MET', 'NOT MET'],
          counts: [
            [6, 1, 0],
            [0, 0, 1],
            [1, 0, 3],
          ],
        },
        raw: { value: 75 },
        // Of one fault that the reviewer found the judge found none; of three that were none, it found two to be none.
        sensitivity: { value: 0 },
        specificity: { value: expect.closeTo(200 / 3, 9) },
      },
      between_reviewers: null,
    });
    const { kappa, ac1, raw } = found.with_judge;
    // (0.75 − (7·7 + 1·1 + 4·4) / 144) / (1 − 66 / 144)
    expect(kappa.value).toBeCloseTo((0.75 - 66 / 144) / (1 - 66 / 144), 12);
    expect(ac1.value).toBeGreaterThan(kappa.value);
    expect(raw.low).toBeLessThan(75);
    expect(raw.high).toBeGreaterThan(75);
    expect(await agreementOf(`test_run_id=${run.id}`)).toEqual(found);
    const narrow = await agreementOf(`test_run_id=${run.id}&confidence=60`);
    expect(narrow.with_judge.raw.low).toBeGreaterThan(raw.low);
  });

  test('is asked for of one judge, one tag, one run', async () => {
    const one = await storedRun([GOOD, GOOD], 'claude-one');
    const other = await storedRun([['NOT MET', 'MET', 'NOT MET'], GOOD], 'claude-other');
    await reviewAll(one, [GOOD, GOOD]);
    await reviewAll(other, [GOOD, GOOD]);
    expect((await agreementOf('judge=claude-one')).conversations).toBe(2);
    expect((await agreementOf('judge=claude-other')).with_judge.raw.value).toBeCloseTo((5 / 6) * 100, 9);
    expect(await agreementOf('judge=claude-other&tag=must_pass')).toMatchObject({
      criteria: 2,
      with_judge: { raw: { value: 50 }, faults: 0, sensitivity: { value: null, reason: expect.any(String) } },
    });
    expect((await agreementOf(`test_run_id=${other.id}&tag=history`)).with_judge.raw.value).toBe(100);
    expect(await agreementOf('judge=nobody')).toMatchObject({
      conversations: 0,
      with_judge: { raw: { value: null, low: null, high: null, reason: expect.stringContaining('Nothing') } },
    });
    expect((await api.get('/api/v1/agreement?test_run_id=run_unknown')).status).toBe(404);
    expect((await api.get('/api/v1/agreement?confidence=100')).status).toBe(400);
  });

  test('leaves out reviewers who had seen the judge’s marks, and says so', async () => {
    const run = await storedRun([GOOD, GOOD]);
    await reviewAll(run, [GOOD], { blind: false });
    expect(await agreementOf(`test_run_id=${run.id}`)).toMatchObject({ conversations: 0, not_blind: 1 });
  });

  test('compares people with people where two reviewed the same, and the judge with the adjudication of both', async () => {
    const run = await storedRun([GOOD, GOOD, GOOD]);
    const BAD: Decided[] = ['NOT MET', 'MET', 'NOT MET'];
    await reviewAll(run, [GOOD, GOOD, GOOD], { reviewer: 'A' });
    await reviewAll(run, [BAD, GOOD], { reviewer: 'B' });
    const before = await agreementOf(`test_run_id=${run.id}`);
    expect(before).toMatchObject({
      raters: 2,
      criteria: 9,
      with_judge: { pairs: 15 },
      between_reviewers: { conversations: 2, pairs: 6, raw: { value: expect.closeTo((5 / 6) * 100, 9) } },
    });
    expect(before.between_reviewers).toHaveProperty('kappa.value');
    expect(before.between_reviewers).toHaveProperty('ac1.value');
    expect(before.with_judge.raw.value).toBeCloseTo((14 / 15) * 100, 9);
    await review(as('C'), run.scenarioRuns[0] ?? '', BAD, { reviewer: 'C', role: 'adjudicator' });
    expect(await agreementOf(`test_run_id=${run.id}`)).toMatchObject({
      raters: 3,
      with_judge: { pairs: 12, raw: { value: expect.closeTo((11 / 12) * 100, 9) } },
      between_reviewers: { pairs: 6 },
    });
  });
});

describe('the corrected pass rate', () => {
  /** Of 20 conversations the judge passes 16 and fails 4 by a must-pass criterion. */
  const judged = Array.from({ length: 20 }, (_, place): Decided[] =>
    place % 5 === 0 ? ['NOT MET', 'MET', 'NOT MET'] : GOOD,
  );

  const correctedOf = async (id: string, query = '') =>
    (await agreementOf(`test_run_id=${id}${query}`)).corrected_pass_rate;

  async function reviewQueue(id: string, sample: number, decide: (place: number) => Decided[]): Promise<void> {
    const { body } = await api.get(`/api/v1/tests/${id}/review-queue?sample=${sample}&limit=100`);
    for (const [place, { scenario_run_id }] of body.results.entries()) {
      await review(as('Dr. Osei'), scenario_run_id, decide(place));
    }
  }

  test('is refused with the reason until the queue is finished', async () => {
    const run = await storedRun(judged);
    expect(await correctedOf(run.id)).toEqual({
      value: null,
      reason: expect.stringContaining('4 of the 4 conversations that stand out'),
    });
    await reviewQueue(run.id, 0, () => ['NOT MET', 'MET', 'NOT MET']);
    expect(await correctedOf(run.id)).toEqual({
      value: null,
      reason: expect.stringContaining('The random sample is not complete: 0 of its 2 conversations'),
    });
    await reviewQueue(run.id, 10, () => GOOD);
    expect(await correctedOf(run.id, '&sample=50')).toEqual({
      value: null,
      reason: expect.stringContaining('The random sample is not complete: 2 of its 8 conversations'),
    });
    expect(await agreementOf('')).toMatchObject({
      corrected_pass_rate: { value: null, reason: expect.stringContaining('name it with test_run_id') },
    });
    expect(await correctedOf(run.id, '&tag=must_pass')).toMatchObject({ value: null, reason: expect.any(String) });
  });

  test('takes the judge’s errors out, by a random half of what it passed', async () => {
    const run = await storedRun(judged);
    // First the four that the judge fails, all rightly; of the eight drawn from the others, two should have failed.
    await reviewQueue(run.id, 50, (place) =>
      place < 4 || place === 6 || place === 9 ? ['NOT MET', 'MET', 'NOT MET'] : GOOD,
    );
    const corrected = await correctedOf(run.id, '&sample=50');
    expect(corrected).toMatchObject({
      judged: 80,
      graded: 20,
      reviewed: 12,
      sensitivity: 100,
      specificity: 50,
      reason: null,
    });
    // Each of the eight stands for two: specificity 4 / (4 + 2·2), and (0.8 + 0.5 − 1) / (1 + 0.5 − 1).
    expect(corrected.value).toBeCloseTo(60, 9);
    expect(corrected.low).toBeLessThan(60);
    expect(corrected.high).toBeGreaterThan(60);
  });

  test('is refused where the reviewers had seen the marks, where a run goes on, and where nothing was failed', async () => {
    const seen = await storedRun(judged);
    const { body } = await api.get(`/api/v1/tests/${seen.id}/review-queue`);
    for (const { scenario_run_id } of body.results)
      await review(as('Dr. Osei'), scenario_run_id, GOOD, { blind: false });
    expect(await correctedOf(seen.id)).toMatchObject({ value: null, reason: expect.stringContaining('stand out') });
    const live = await storedRun(judged, 'claude-judge', 'running');
    expect(await correctedOf(live.id)).toEqual({ value: null, reason: 'The run is under way.' });
    const allGood = await storedRun([GOOD, GOOD, GOOD]);
    await reviewQueue(allGood.id, 100, () => GOOD);
    expect(await correctedOf(allGood.id)).toMatchObject({
      value: null,
      reason: expect.stringContaining('failed no conversation'),
    });
  });
});
