import fc from 'fast-check';
import { silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { Database } from '../../../src/platform/database/database';
import { RunStatisticsStore } from '../../../src/features/statistics/run-statistics.store';
import { TestRunsStore } from '../../../src/features/runs/test-runs.store';
import { statisticsOf } from '../../../src/features/statistics/statistics-of';
import { rateOf, type Cluster, passHat } from '../../../src/domain/statistics/clusters';
import { minimumDetectableDrop } from '../../../src/domain/statistics/power';
import { createTestDatabase, type TestDatabase } from '../../setup/database';
import { OFFLINE, storeGradedRun, storeScenarios } from '../../setup/graded-run';
import { tries } from '../../setup/sample';

const SCENARIOS = 12;

let testDatabase: TestDatabase;
let database: Database;
let ids: string[];
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.open(settingsFrom({ DATABASE_URL: testDatabase.url }), silentLog);
  ids = await storeScenarios(
    database,
    Array.from({ length: SCENARIOS }, (_, place) => `Scenario ${place}`),
  );
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

interface Scenario {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly severity: string;
  readonly tags: readonly string[];
  readonly isGone: boolean;
  readonly outcomes: readonly string[];
}

const outcome = fc.constantFrom('passed', 'passed', 'failed', 'provider_timeout', 'canceled');
const table: fc.Arbitrary<Scenario[]> = fc.integer({ min: 1, max: 5 }).chain((trials) =>
  fc
    .array(
      fc.record({
        category: fc.constantFrom('emergency', 'chronic', 'Überweisung', ''),
        severity: fc.constantFrom('critical', 'low'),
        tags: fc.array(fc.constantFrom('a', 'b', 'c "quoted", {braced}'), { maxLength: 4 }),
        isGone: fc.boolean(),
        outcomes: fc.array(outcome, { minLength: trials, maxLength: trials }),
      }),
      { minLength: 1, maxLength: SCENARIOS },
    )
    .map((rows) => rows.map((row, place) => ({ ...row, id: ids[place] ?? '', name: `Scenario ${place}` }))),
);

/** Categories and tags as the table has them; a scenario that is gone is one that was never stored. */
async function arrange(scenarios: readonly Scenario[]): Promise<Scenario[]> {
  await database.query(
    `UPDATE scenarios s SET category = g.category, severity = g.severity, tags = g.tags
     FROM json_to_recordset($1) AS g(id uuid, category text, severity text, tags text[]) WHERE s.id = g.id`,
    [JSON.stringify(scenarios)],
  );
  return scenarios.map((scenario) => (scenario.isGone ? { ...scenario, id: gone(scenario.id) } : scenario));
}

const gone = (id: string): string => `${id.slice(0, -8)}00000000`;

function clusterOf({ outcomes }: Scenario): Cluster {
  const passed = outcomes.filter((one) => one === 'passed').length;
  return { passed, graded: passed + outcomes.filter((one) => one === 'failed').length };
}

const percent = (share: number | null | undefined): number | null => {
  if (share === null || share === undefined) return null;
  return expect.closeTo(share * 100, 9);
};

/** What a rate of these scenarios, each counted on its own, is to be shown as. */
function rateShown(scenarios: readonly Cluster[]) {
  const rate = rateOf(scenarios, 0.95);
  return { value: percent(rate?.value), low: percent(rate?.low), high: percent(rate?.high) };
}

function groupsShown(scenarios: readonly Scenario[], key: string, namesOf: (one: Scenario) => readonly string[]) {
  const present = scenarios.filter(({ isGone }) => !isGone);
  const names = [...new Set(present.flatMap(namesOf))].sort((one, other) => one.localeCompare(other, 'en'));
  return names.map((name) => {
    const clusters = present.filter((one) => namesOf(one).includes(name)).map(clusterOf);
    return {
      [key]: name,
      graded: clusters.reduce((sum, one) => sum + one.graded, 0),
      passed: clusters.reduce((sum, one) => sum + one.passed, 0),
      ...rateShown(clusters),
    };
  });
}

async function answerFor(runId: string) {
  const run = await new TestRunsStore(database).find(runId);
  if (run === null) throw new Error('The run was not stored.');
  const store = new RunStatisticsStore(database);
  const [asOfOneMoment, sideBySide] = [await store.read(runId, false), await store.read(runId, true)];
  expect(sideBySide).toEqual(asOfOneMoment);
  return statisticsOf(run, asOfOneMoment, 95);
}

test('the sums from PostgreSQL equal what the formulas give scenario by scenario', async () => {
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const scenarios = await arrange(rows);
      const clusters = scenarios.map(clusterOf);
      const [trials, total] = [
        scenarios[0]?.outcomes.length ?? 0,
        scenarios.flatMap(({ outcomes }) => outcomes).length,
      ];
      const rate = rateOf(clusters, 0.95);
      const found = await answerFor(await storeGradedRun(database, scenarios));
      expect(found).toMatchObject({
        scenarios: scenarios.length,
        total,
        graded_pass_rate: {
          ...rateShown(clusters),
          effective_n: rate === null ? 0 : expect.closeTo(rate.effectiveSize, 9),
          method: rate?.method ?? 'wilson',
        },
        pass_hat: Array.from({ length: trials }, (_, place) => {
          const { k, value, scenarios: of } = passHat(clusters, place + 1);
          return { k, value: percent(value), scenarios: of };
        }),
        minimum_detectable_drop: percent(rate && minimumDetectableDrop(rate.value, rate.effectiveSize)),
      });
      expect(found.by_category).toEqual(groupsShown(scenarios, 'category', ({ category }) => [category]));
      expect(found.by_severity).toEqual(groupsShown(scenarios, 'severity', ({ severity }) => [severity]));
      expect(found.by_tag).toEqual(groupsShown(scenarios, 'tag', ({ tags }) => tags));
      expect(found.unstable).toEqual(
        scenarios.flatMap((scenario) => {
          const { graded, passed } = clusterOf(scenario);
          if (passed === 0 || passed === graded) return [];
          return [{ scenario_id: scenario.id, scenario_name: scenario.name, graded, passed }];
        }),
      );
    }),
    { numRuns: tries({ inCi: 120, elsewhere: 40 }) },
  );
});

test('the rate without the conversations in which the patient was at fault is the rate of the others', async () => {
  const FAULTY = { ...OFFLINE, patient_faults: [{ turn: 1, kind: 'volunteered', severity: 'minor', text: 'x' }] };
  const faults = fc.array(fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), {
    minLength: SCENARIOS,
    maxLength: SCENARIOS,
  });
  await fc.assert(
    fc.asyncProperty(table, faults, async (rows, isFaulty) => {
      const scenarios = await arrange(rows);
      const runId = await storeGradedRun(database, scenarios);
      const faulty = scenarios.flatMap(({ id, outcomes }, place) =>
        outcomes.flatMap((_, trial) => (isFaulty[place]?.[trial] === true ? [{ id, trial: trial + 1 }] : [])),
      );
      await database.query(
        `UPDATE scenario_runs r SET findings = $3, metadata = $4
         FROM json_to_recordset($2) AS f(id uuid, trial int)
         WHERE r.test_run_id = $1 AND r.scenario_id = f.id AND r.trial = f.trial`,
        [
          runId,
          JSON.stringify(faulty),
          JSON.stringify({ violations: [], disputed: 0, flags: [], patient_faults: ['volunteered'] }),
          JSON.stringify(FAULTY),
        ],
      );
      const others = scenarios.map((scenario, place) =>
        clusterOf({ ...scenario, outcomes: scenario.outcomes.filter((_, trial) => isFaulty[place]?.[trial] !== true) }),
      );
      const { patient_faults } = await answerFor(runId);
      expect(patient_faults.scenario_runs).toBe(faulty.length);
      if (faulty.length === 0) expect(patient_faults.pass_rate_without).toBeNull();
      else expect(patient_faults.pass_rate_without).toMatchObject(rateShown(others));
    }),
    { numRuns: tries({ inCi: 60, elsewhere: 20 }) },
  );
});
