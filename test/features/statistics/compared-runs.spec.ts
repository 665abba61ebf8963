import { randomUUID } from 'node:crypto';
import { ComparisonService, type ComparisonRequest } from '../../../src/features/statistics/comparison.service';
import { RunPairsStore } from '../../../src/features/statistics/run-pairs.store';
import { TwinLines } from '../../../src/features/statistics/twin-lines';
import { TwinPairsStore } from '../../../src/features/statistics/twin-pairs.store';
import { storeGradedRun, storeScenarios, type GradedRunOptions, type GradedScenario } from '../../setup/graded-run';
import { spokenRun } from '../../setup/spoken-run';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
/** Twelve of them. */
let stored: readonly GradedScenario[];
beforeAll(async () => {
  runs = await openStoredRuns();
  stored = await scenariosOf('asthma', 12);
});
afterAll(() => runs.close());

const RUBRIC = [
  { criterion: 'Asks about allergies', points: 5, tags: ['history'] },
  { criterion: 'Calls for help', points: 5, tags: ['must_pass', 'safety'] },
];

async function scenariosOf(category: string, count: number): Promise<GradedScenario[]> {
  const names = Array.from({ length: count }, (_, at) => `${category} ${at + 1} ${randomUUID()}`);
  const ids = await storeScenarios(runs.database, names, category);
  return names.map((name, at) => ({ id: ids[at] ?? '', name, outcomes: [], rubric: RUBRIC }));
}

const run = (outcomeOf: (at: number) => string, options: GradedRunOptions = {}, of = stored): Promise<string> =>
  storeGradedRun(
    runs.database,
    of.map((scenario, at) => ({ ...scenario, outcomes: [outcomeOf(at)] })),
    options,
  );

/** What passed met both criteria; what failed met the first alone. */
const MARKED: GradedRunOptions = {
  criteria: ({ outcomes }) =>
    RUBRIC.map(({ criterion, points, tags }, at) => ({
      criterion,
      tags,
      decision: at === 0 || outcomes[0] === 'passed' ? 'MET' : 'NOT MET',
      max_points: points,
    })),
};

function compare(request: Pick<ComparisonRequest, 'before' | 'after'> & Partial<ComparisonRequest>) {
  const pairs = new RunPairsStore(runs.database);
  const service = new ComparisonService(runs.reads, pairs, new TwinLines(new TwinPairsStore(runs.database), pairs));
  return service.compare({ confidencePercent: 95, minCoverage: 80, ...request });
}

describe('two runs that are compared', () => {
  test('need more trials to show the same difference, the more questions are asked at once', async () => {
    const unmarked = stored.map((scenario) => ({ ...scenario, rubric: [] }));
    const moved = async (options: GradedRunOptions) =>
      compare({
        before: await run(() => 'passed', options, unmarked),
        after: await run((at) => (at < 2 ? 'failed' : 'passed'), options, unmarked),
      });
    const [one, two] = [await moved({}), await moved({ score: () => 50 })];
    expect(two.difference).toEqual(one.difference);
    expect(two.trials_needed ?? NaN).toBeGreaterThan(one.trials_needed ?? NaN);
  });

  test('are of the size of the one with fewer trials', async () => {
    const held = (...outcomes: readonly string[]) =>
      storeGradedRun(
        runs.database,
        stored.map((scenario) => ({ ...scenario, outcomes })),
      );
    const [single, several] = [await held('passed'), await held('passed', 'passed', 'passed')];
    for (const [before, after] of [
      [single, several],
      [several, single],
    ] as const) {
      expect((await compare({ before, after })).sentence).toContain('12 scenarios at one trial each');
    }
  });

  test('say by which kinds of criteria they differ', async () => {
    const found = await compare({
      before: await run(() => 'passed', MARKED),
      after: await run((at) => (at < 9 ? 'failed' : 'passed'), MARKED),
    });
    expect(found.groups).toMatchObject([
      { group: 'history', criteria: 12, scenarios: 12, before: 1, after: 1, difference: 0 },
      { group: 'safety', criteria: 12, scenarios: 12, before: 1, after: 0.25, difference: -75 },
    ]);
    expect(found.criteria).toHaveLength(9);
    expect(found.criteria[0]).toMatchObject({ criterion: 'Calls for help', before: 1, after: 0 });
    expect(found.criteria_summary).toMatchObject({ tested: 24 });
    expect(found.criteria_summary.sentence).toMatch(/^9 of 24 criteria were met better or worse than before\. /);
    expect(found.new_must_pass_violations).toHaveLength(9);
  });

  test('have no new violation where nothing was violated', async () => {
    const [before, after] = [await run(() => 'passed', MARKED), await run(() => 'passed', MARKED)];
    expect((await compare({ before, after })).new_must_pass_violations).toEqual([]);
  });

  test.each(['first', 'last'] as const)(
    'have scenarios that are gone behind all categories, though they are %s',
    async (place) => {
      const [gone, burns] = [await scenariosOf('abscess', 2), await scenariosOf('burns', 2)];
      const all = place === 'first' ? [...gone, ...burns, ...stored] : [...burns, ...stored, ...gone];
      const [before, after] = [await run(() => 'passed', {}, all), await run(() => 'passed', {}, all)];
      await runs.database.query('DELETE FROM scenarios WHERE id = ANY($1::uuid[])', [gone.map(({ id }) => id)]);
      const { by_category: found } = await compare({ before, after });
      expect(found.map(({ category }) => category)).toEqual(['asthma', 'burns', null]);
    },
  );
});

describe('two twins that are compared', () => {
  /** A run in text, and spoken ones that were started as its twins. */
  async function twins(...spoken: readonly (readonly ['phone' | 'wideband', (at: number) => string])[]) {
    const text = await run(() => 'passed', MARKED);
    const others: string[] = [];
    for (const [line, outcomeOf] of spoken) {
      const id = await run(outcomeOf, MARKED);
      await runs.database.query(`UPDATE test_runs SET twin_of = $2, modality = 'spoken', spoken = $3 WHERE id = $1`, [
        id,
        text,
        JSON.stringify(spokenRun({ line })),
      ]);
      others.push(id);
    }
    return { text, others };
  }

  const lost = (count: number) => (at: number) => (at < count ? 'failed' : 'passed');

  test('are compared pair by pair, with their kinds of criteria', async () => {
    const { text, others } = await twins(['phone', (at) => (at === 11 ? 'connect_failed' : lost(9)(at))]);
    const found = await compare({ before: text, after: others[0] ?? '', asTwins: true });
    expect(found.scenarios).toMatchObject({ compared: 11, ungraded: 1 });
    expect(found.twins?.pairs).toMatchObject({ total: 12, compared: 11, both_passed: 2, only_before_passed: 9 });
    expect(found.twins?.criteria).toMatchObject([
      { by: 'must_pass', group: 'must_pass', scenarios: 11, adjusted_p_value: expect.any(Number) },
      { by: 'must_pass', group: 'others', scenarios: 11, adjusted_p_value: 1 },
      { by: 'severity', scenarios: 11 },
    ]);
    expect(found.verdict).toBe('worse');
  });

  test('are adjusted for the other lines of their family', async () => {
    const alone = await twins(['phone', lost(9)]);
    const three = await twins(['phone', lost(9)], ['wideband', lost(9)]);
    const [one, two] = [
      await compare({ before: alone.text, after: alone.others[0] ?? '' }),
      await compare({ before: three.text, after: three.others[0] ?? '' }),
    ];
    expect(two.tests[0]?.p_value).toBe(one.tests[0]?.p_value);
    expect(two.tests[0]?.adjusted_p_value ?? NaN).toBeCloseTo(2 * (one.tests[0]?.adjusted_p_value ?? NaN), 12);
    const adjusted = ({ twins: of }: typeof one) => of?.criteria[0]?.adjusted_p_value ?? NaN;
    expect(adjusted(two)).toBeCloseTo(2 * adjusted(one), 12);
    expect(two.twins?.lines).toHaveLength(2);
  });
});
