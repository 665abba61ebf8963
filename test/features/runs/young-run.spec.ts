import { storeDerivedRun } from '../../../src/engine/ledger/derived-run';
import { storeImportedRun } from '../../../src/engine/ledger/imported-run';
import { RunOutlinesStore } from '../../../src/engine/ledger/run-outlines.store';
import { DerivationSourcesStore } from '../../../src/features/derived/derivation-sources.store';
import { ReviewedConversationsStore } from '../../../src/features/reviews/reviewed-conversations.store';
import { ScenarioRunsStore } from '../../../src/features/runs/scenario-runs.store';
import { GridStore } from '../../../src/features/statistics/grid.store';
import { AgentHistoryStore } from '../../../src/features/statistics/history/agent-history.store';
import { RunPairsStore } from '../../../src/features/statistics/run-pairs.store';
import { RunStatisticsStore } from '../../../src/features/statistics/run-statistics.store';
import type { Database } from '../../../src/platform/database';
import { RunReportStore } from '../../../src/features/report/run-report.store';
import { TwinPairsStore } from '../../../src/features/statistics/twin-pairs.store';
import { explaining } from '../../setup/query-plan';
import { rowsRead } from '../../setup/rows-read';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

/**
 * PostgreSQL plans by statistics, and looks at the tables once a minute: of a run that has begun, or was stored, since then it expects a
 * row or none.
 */
const SCENARIO_RUNS = 1_000;
/** Rows read for each of the run's, over all statements of one answer. */
const A_FEW = 12;

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
  await runs.createRun({ scenarios: SCENARIO_RUNS });
  await runs.database.query('ANALYZE');
});
afterAll(() => runs.close());

/** A finished run of many scenarios that nothing has told the planner about. */
async function youngRun(): Promise<string> {
  const { testRunId } = await runs.createRun({ scenarios: SCENARIO_RUNS });
  await runs.database.query(
    `UPDATE scenario_runs SET status = 'passed', passed = true, score_percent = 90, turns = 1 WHERE test_run_id = $1`,
    [testRunId],
  );
  await runs.database.query(
    `INSERT INTO turns (scenario_run_id, conversation, turn, patient_message, patient_at, agent_message, agent_at, metadata)
     SELECT id, conversation, 1, 'My chest hurts.', now(), 'Call an ambulance.', now(), '{}' FROM scenario_runs WHERE test_run_id = $1`,
    [testRunId],
  );
  return testRunId;
}

describe('of a run that the planner does not know yet, no more than a few rows for each of its own are read', () => {
  test('for its report', async () => {
    const testRunId = await youngRun();
    const { explained, mostRows } = explaining(runs.database);
    expect(await new RunReportStore(explained).scenarios(testRunId, SCENARIO_RUNS)).toHaveLength(SCENARIO_RUNS);
    expect(mostRows()).toBeLessThanOrEqual(A_FEW * SCENARIO_RUNS);
  });

  test('for the pairs of two twins', async () => {
    const [before, after] = [await youngRun(), await youngRun()];
    const { explained, mostRows } = explaining(runs.database);
    const pairs = new TwinPairsStore(explained);
    expect(await pairs.outcomes(before, after)).toMatchObject([
      { before: 'passed', after: 'passed', count: SCENARIO_RUNS },
    ]);
    expect(await pairs.scenarios(before, after)).toHaveLength(SCENARIO_RUNS);
    expect(mostRows()).toBeLessThanOrEqual(A_FEW * SCENARIO_RUNS);
  });

  const READS: readonly (readonly [
    string,
    (database: Database, testRunId: string, other: string) => Promise<unknown>,
  ])[] = [
    ['statistics', (database, testRunId) => new RunStatisticsStore(database).read(testRunId, true)],
    ['comparison', (database, testRunId, other) => new RunPairsStore(database).read(other, testRunId)],
    [
      'grid',
      (database, testRunId) => new GridStore(database).read([testRunId], { order: 'worst', limit: 100, offset: 0 }),
    ],
    [
      'grid beside another run',
      (database, testRunId, other) =>
        new GridStore(database).read([testRunId, other], { order: 'differing', limit: 100, offset: 0 }),
    ],
    ['review queue', (database, testRunId) => new ReviewedConversationsStore(database).reviewable(testRunId, 1)],
    [
      'last page',
      (database, testRunId) =>
        new ScenarioRunsStore(database).list(testRunId, { limit: 100, offset: 900, scenarioIds: null }),
    ],
    ['export', (database, testRunId) => new ScenarioRunsStore(database).listAfter(testRunId, 500, 100)],
    ['notice to other services', (database, testRunId) => new RunOutlinesStore(database).ofRun(testRunId)],
    ['derivation', (database, testRunId) => new DerivationSourcesStore(database).otherRubricsOf(testRunId)],
    ['place in its agent’s history', (database, testRunId) => new AgentHistoryStore(database).results([testRunId])],
    ['approvals', (database, testRunId) => new RunReportStore(database).signedScenarios(testRunId)],
  ];
  test.each(READS)('for its %s', async (_what, read) => {
    const { explained, mostRows } = explaining(runs.database);
    await read(explained, await youngRun(), await youngRun());
    expect(mostRows()).toBeLessThanOrEqual(A_FEW * SCENARIO_RUNS);
    expect(mostRows()).toBeGreaterThan(0);
  });

  test('to store one that is derived from it', async () => {
    const testRunId = await youngRun();
    const sources = await runs.database.query<{ id: string }>(
      'SELECT id FROM scenario_runs WHERE test_run_id = $1 ORDER BY position',
      [testRunId],
    );
    const derived = {
      ...(await runs.newRun()),
      derived_from: testRunId,
      derivation: 'regrade' as const,
      born: sources.map(({ id }) => ({
        sourceId: id,
        trial: 1,
        birth: 'whole' as const,
        keptTurns: 1,
        givenMessage: null,
      })),
      otherRubrics: [],
    };
    const read = await runs.database.transaction(async (tx) => {
      const already = await rowsRead(tx);
      await storeDerivedRun(tx, derived);
      return (await rowsRead(tx)) - already;
    });
    expect(read).toBeLessThanOrEqual(A_FEW * SCENARIO_RUNS);
  });

  test('to store one of conversations that were held elsewhere', async () => {
    const run = await runs.newRun();
    const [scenario] = run.planned;
    const conversation = {
      scenarioId: scenario?.scenarioId ?? '',
      adHoc: null,
      trial: 1,
      examination: null,
      turns: [{ turn: 1, patientMessage: 'My chest hurts.', agentMessage: 'Call an ambulance.' }],
    };
    const imported = {
      ...run,
      calibrated_judge: null,
      conversations: Array.from({ length: SCENARIO_RUNS }, () => conversation),
    };
    const read = await runs.database.transaction(async (tx) => {
      const already = await rowsRead(tx);
      await storeImportedRun(tx, imported);
      return (await rowsRead(tx)) - already;
    });
    expect(read).toBeLessThanOrEqual(A_FEW * SCENARIO_RUNS);
  });
});
