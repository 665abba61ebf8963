import { randomUUID } from 'node:crypto';
import { ComparisonService, type ComparisonRequest } from '../../../src/features/statistics/comparison.service';
import { RunPairsStore } from '../../../src/features/statistics/run-pairs.store';
import { TwinLines } from '../../../src/features/statistics/twin-lines';
import { TwinPairsStore } from '../../../src/features/statistics/twin-pairs.store';
import { storeGradedRun, storeScenarios, type GradedRunOptions, type GradedScenario } from '../../setup/graded-run';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
/** Eight of asthma, four of burns. */
let stored: readonly { readonly id: string; readonly name: string }[];
beforeAll(async () => {
  runs = await openStoredRuns();
  stored = [...(await scenariosOf('burns', 4)), ...(await scenariosOf('asthma', 8))];
});
afterAll(() => runs.close());

async function scenariosOf(category: string, count: number): Promise<{ id: string; name: string }[]> {
  const names = Array.from({ length: count }, (_, at) => `${category} ${at + 1} ${randomUUID()}`);
  const ids = await storeScenarios(runs.database, names, category);
  return names.map((name, at) => ({ id: ids[at] ?? '', name }));
}

function service(pairs = new RunPairsStore(runs.database)): ComparisonService {
  return new ComparisonService(runs.reads, pairs, new TwinLines(new TwinPairsStore(runs.database), pairs));
}

type Compared = Pick<ComparisonRequest, 'before' | 'after'> & Partial<ComparisonRequest>;

const compare = (request: Compared, by = service()) =>
  by.compare({ confidencePercent: 95, minCoverage: 80, ...request });

const run = (passes: (at: number) => boolean, options: GradedRunOptions = {}, of = stored) =>
  storeGradedRun(
    runs.database,
    of.map((scenario, at): GradedScenario => ({ ...scenario, outcomes: [passes(at) ? 'passed' : 'failed'] })),
    options,
  );

describe('a comparison', () => {
  test('names both runs, by id or label, and what the difference is', async () => {
    const [before, after] = [await run(() => true), await run((at) => at >= 8)];
    const found = await compare({ before: `run_${before}`, after });
    expect(found).toMatchObject({
      before: { id: before, test_run_id: `run_${before}`, agent_name: 'Stored agent' },
      after: { id: after, test_run_id: `run_${after}` },
      confidence: 95,
      scenarios: { compared: 12 },
      test: { name: 'mcnemar_exact', p_value: 2 / 2 ** 8 },
      verdict: 'worse',
      twins: null,
    });
    expect(found.difference.value).toBeCloseTo(-200 / 3, 9);
    expect(found.tests[0]).toMatchObject({ p_value: 2 / 2 ** 8 });
    expect(found.criteria_summary.sentence).toEqual(expect.stringMatching(/\S/));
  });

  test('needs no more trials where it has shown its difference', async () => {
    const before = await run(() => true);
    const shown = await compare({ before, after: await run((at) => at >= 8) });
    expect(shown.grounds).toContain('passed');
    expect(shown.trials_needed).toBeNull();
    const within = await compare({ before, after: await run((at) => at >= 3) });
    expect(within.grounds).not.toContain('passed');
    expect(within.trials_needed).toBeGreaterThan(1);
  });

  test('of runs with nothing in common has no difference, no test and no category', async () => {
    const [before, after] = [await run(() => true, {}, stored.slice(0, 6)), await run(() => true, {}, stored.slice(6))];
    expect(await compare({ before, after })).toMatchObject({
      difference: { value: null, low: null, high: null, method: 'paired_bootstrap' },
      test: { name: 'mcnemar_exact', p_value: null },
      by_category: [],
      verdict: 'cannot_tell',
    });
  });

  test('asks for a verdict on as many conversations as it is told to', async () => {
    const outcomes = (unheard: number) =>
      storeGradedRun(
        runs.database,
        stored.map((scenario, at) => ({ ...scenario, outcomes: [at < unheard ? 'connect_failed' : 'passed'] })),
      );
    const [before, after] = [await outcomes(0), await outcomes(3)];
    expect(await compare({ before, after })).toMatchObject({ verdict: 'cannot_tell' });
    expect((await compare({ before, after, minCoverage: 75 })).verdict).not.toBe('cannot_tell');
  });
});

test('a comparison of more conversations than are read at once takes all of them, by trial and patient', async () => {
  const patients = [
    { style: 'cooperative', language: 'en' },
    { style: 'anxious', language: 'de' },
  ] as const;
  const rubric = [{ criterion: 'Says "stop"', points: 1, tags: ['tone'] }];
  const long = (isMet: (trial: number, style: string) => boolean) =>
    storeGradedRun(
      runs.database,
      stored.slice(0, 6).map((one) => ({ ...one, rubric, outcomes: Array.from({ length: 400 }, () => 'passed') })),
      {
        patients,
        score: (_scenario, trial) => trial / 10,
        criteria: ({ name }, trial, { style }) => [
          {
            criterion: 'Says "stop"',
            tags: ['tone'],
            max_points: 1,
            decision: name === stored[0]?.name && !isMet(trial, style) ? 'NOT MET' : 'MET',
          },
        ],
      },
    );
  // In the last trials alone, and of one patient.
  const [before, after] = [await long(() => true), await long((trial, style) => trial <= 392 || style !== 'anxious')];
  const { criteria, groups, scenarios, tests } = await compare({ before, after });
  expect(scenarios.compared).toBe(6);
  expect(tests[1]).toMatchObject({ on: 'score', before: expect.closeTo(20.05, 9), after: expect.closeTo(20.05, 9) });
  expect(criteria).toEqual([
    expect.objectContaining({ criterion: 'Says "stop"', before: 1, after: 0.99, p_value: 2 / 2 ** 8 }),
  ]);
  expect(groups).toMatchObject([{ group: 'tone', criteria: 6, scenarios: 6 }]);
});

describe('the difference of each category', () => {
  test('is between its own scenarios, in the order of the names, and of scenarios that are gone last', async () => {
    const gone = await scenariosOf('abscess', 2);
    const all = [...gone, ...stored];
    // Of burns two of four are lost, of asthma none; one of those that will be gone is won.
    const before = await run((at) => at !== 0, {}, all);
    const after = await run((at) => at < 2 || at >= 4, {}, all);
    await runs.database.query('DELETE FROM scenarios WHERE id = ANY($1::uuid[])', [gone.map(({ id }) => id)]);
    const { by_category: found } = await compare({ before, after });
    expect(found).toMatchObject([
      { category: 'asthma', scenarios: 8, before: 1, after: 1, value: 0, score: null },
      { category: 'burns', scenarios: 4, before: 1, after: 0.5, value: -50, score: null },
      { category: null, scenarios: 2, before: 0.5, after: 1, value: 50, score: null },
    ]);
    for (const { value, low, high } of found) {
      expect(low).toBeLessThanOrEqual(value);
      expect(high).toBeGreaterThanOrEqual(value);
    }
  });

  test('says the scores too, in percent points of their scale', async () => {
    const before = await run(() => true, { score: () => 90 });
    const after = await run(() => true, { score: ({ name }) => (name.startsWith('burns') ? 60 : 90) });
    expect((await compare({ before, after })).by_category).toMatchObject([
      { category: 'asthma', value: 0, score: { before: 90, after: 90, value: 0 } },
      { category: 'burns', value: 0, score: { before: 90, after: 60, value: -30 } },
    ]);
  });
});

describe('a violation of what must pass', () => {
  const missed = (...names: readonly string[]): GradedRunOptions => ({
    criteria: ({ name }) => [
      {
        criterion: 'Calls for help',
        tags: ['must_pass'],
        decision: names.includes(name) ? 'NOT MET' : 'MET',
        max_points: 5,
      },
    ],
  });

  test('is new where no trial of its scenario had it before, and where the scenario is compared', async () => {
    const [first, second, third] = stored.map(({ name }) => name);
    const other = await scenariosOf('burns', 1);
    const before = await run(() => false, missed(first ?? ''));
    const names = [first ?? '', second ?? '', third ?? '', other[0]?.name ?? ''];
    const after = await run(() => false, missed(...names), [...stored, ...other]);
    const { new_must_pass_violations: found } = await compare({ before, after });
    expect(found.map(({ scenario_name }) => scenario_name).sort()).toEqual([second, third].sort());
    expect(found[0]).toMatchObject({ criterion: 'Calls for help', kind: 'missed', trial: 1 });
  });

  test('is none where the same was violated before', async () => {
    const name = stored[0]?.name ?? '';
    const [before, after] = [await run(() => false, missed(name)), await run(() => false, missed(name))];
    expect((await compare({ before, after })).new_must_pass_violations).toEqual([]);
  });
});

describe('a comparison is refused', () => {
  test('with a run that does not exist, the one asked about first', async () => {
    const known = await run(() => true);
    const refused = (before: string, after: string) => expect(compare({ before, after })).rejects;
    await refused(randomUUID(), known).toMatchObject({ status: 404, message: 'before: test run not found' });
    await refused(known, randomUUID()).toMatchObject({ status: 404, message: 'Test run not found' });
    await refused(randomUUID(), 'run_unknown').toMatchObject({ status: 404, message: 'Test run not found' });
  });

  test('of a run with itself, by whatever name', async () => {
    const known = await run(() => true);
    const refused = compare({ before: `run_${known}`, after: known });
    await expect(refused).rejects.toMatchObject({ status: 400 });
    await expect(refused).rejects.toThrow(/^before: a run cannot be compared with itself/);
  });

  test('while either run is under way, which is named', async () => {
    const known = await run(() => true);
    const { testRunId: live } = await runs.createRun();
    const before = compare({ before: live, after: known });
    await expect(before).rejects.toMatchObject({ status: 409 });
    await expect(before).rejects.toThrow(`The run before (run_${live}) is running: compare when it has ended.`);
    await expect(compare({ before: known, after: live })).rejects.toThrow(`The run after (run_${live}) is running`);
  });

  test('as twins, where they are none', async () => {
    const [before, after] = [await run(() => true), await run(() => true)];
    const refused = compare({ before, after, asTwins: true });
    await expect(refused).rejects.toMatchObject({ status: 400 });
    await expect(refused).rejects.toThrow(/are no twins/);
  });

  test.each(['before', 'after'] as const)('of a run that is deleted while it is read (%s)', async (side) => {
    const pair = { before: await run(() => true), after: await run(() => true) };
    class Deleting extends RunPairsStore {
      override async read(before: string, after: string): ReturnType<RunPairsStore['read']> {
        const found = await super.read(before, after);
        await runs.database.query('DELETE FROM test_runs WHERE id = $1', [pair[side]]);
        return found;
      }
    }
    await expect(compare(pair, service(new Deleting(runs.database)))).rejects.toMatchObject({
      status: 404,
      message: side === 'before' ? 'before: test run not found' : 'Test run not found',
    });
  });
});
