import { COUNT_UNFINISHED, UnfinishedRunsStore } from '../../../src/engine/ledger/unfinished-runs.store';
import { mostRowsRead, type QueryPlan } from '../../setup/query-plan';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

const FINISHED = 10_000;

let runs: StoredRuns;

beforeAll(async () => {
  runs = await openStoredRuns();
  const { testRunId } = await runs.createRun({ scenarios: 3 });
  await runs.createRun({ scenarios: 2, scheduledAt: '2100-01-01T00:00:00.000Z' });
  // Each finished one is a copy of what is under way, with one of its scenario runs.
  await runs.database.query(
    `INSERT INTO test_runs
     SELECT (jsonb_populate_record(t, jsonb_build_object('id', md5(n::text)::uuid, 'label', 'finished ' || n, 'status', 'completed'))).*
     FROM test_runs t, generate_series(1, $2::int) n WHERE t.id = $1`,
    [testRunId, FINISHED],
  );
  await runs.database.query(
    `INSERT INTO scenario_runs
     SELECT (jsonb_populate_record(s, jsonb_build_object(
       'id', md5(n || ' ' || s.position)::uuid, 'test_run_id', md5(n::text)::uuid, 'status', 'passed'))).*
     FROM scenario_runs s, generate_series(1, $2::int) n
     WHERE s.id = (SELECT id FROM scenario_runs WHERE test_run_id = $1 LIMIT 1)`,
    [testRunId, FINISHED],
  );
  await runs.database.query('ANALYZE test_runs, scenario_runs', []);
});
afterAll(() => runs.close());

test('what is under way is counted by status; the scenario runs of a scheduled run are not', async () => {
  const { testRuns, scenarioRuns } = await new UnfinishedRunsStore(runs.database).count();
  expect(Object.fromEntries(testRuns)).toEqual({ running: 1, scheduled: 1 });
  expect(Object.fromEntries(scenarioRuns)).toEqual({ pending: 3 });
});

test(`beside ${FINISHED} finished runs, none of them is read for it`, async () => {
  const [row] = await runs.database.query<QueryPlan>(`EXPLAIN (ANALYZE, FORMAT JSON) ${COUNT_UNFINISHED}`, []);
  expect(mostRowsRead(row)).toBeLessThanOrEqual(5);
});
