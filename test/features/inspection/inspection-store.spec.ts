import { InspectionStore, SCENARIO_RUN_STEPS } from '../../../src/features/inspection/inspection.store';
import { mostRowsRead, type QueryPlan } from '../../setup/query-plan';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
let testRunId: string;

beforeAll(async () => {
  runs = await openStoredRuns();
  ({ testRunId } = await runs.createRun());
  // The log of a large run: ten events of each of a thousand scenario runs, in turns, as conversations at once leave it.
  await runs.database.query(
    `INSERT INTO run_log (test_run_id, seq, type, fields, scenario_run_id)
     SELECT $1, 1000 + n, CASE WHEN n < 1000 THEN 'scenario_started' ELSE 'transcript_update' END,
            json_build_object('scenario_run_id', md5((n % 1000)::text)::uuid, 'turn', n / 1000, 'agent_message', repeat('text ', 100)),
            md5((n % 1000)::text)::uuid
     FROM generate_series(0, 9999) n`,
    [testRunId],
  );
  await runs.database.query('ANALYZE run_log', []);
});
afterAll(() => runs.close());

const oneOfThem = async () => {
  const [row] = await runs.database.query<{ id: string }>('SELECT md5($1)::uuid AS id', ['7']);
  return row?.id ?? '';
};

test('the steps of a scenario run are its own events, in order', async () => {
  const steps = await new InspectionStore(runs.database).scenarioRunSteps(testRunId, await oneOfThem());
  expect(steps.map(({ type, turn }) => [type, turn])).toEqual([
    ['scenario_started', 0],
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((turn) => ['transcript_update', turn]),
  ]);
});

test('no other event of the run is read for them', async () => {
  const [row] = await runs.database.query<QueryPlan>(`EXPLAIN (ANALYZE, FORMAT JSON) ${SCENARIO_RUN_STEPS}`, [
    testRunId,
    await oneOfThem(),
  ]);
  expect(mostRowsRead(row)).toBe(10);
});
