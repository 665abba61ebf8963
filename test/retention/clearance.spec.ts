import { createLog } from '../../src/config/log';
import { settingsFrom } from '../../src/config/settings';
import { DeletedRunsStore } from '../../src/persistence/deleted-runs.store';
import { Clearance } from '../../src/retention/clearance';
import { openStoredRuns, type StoredRuns } from '../setup/stored-run';

let runs: StoredRuns;
beforeEach(async () => {
  runs = await openStoredRuns();
});
afterEach(() => runs.close());

/** A clearance that keeps runs for so many days, and what it logs. */
function clearanceFor(days: string): { clearance: Clearance; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const clearance = new Clearance(new DeletedRunsStore(runs.database), settingsFrom({ RETENTION_DAYS: days }), log);
  return { clearance, lines };
}

async function canceledRun(endedDaysAgo: number): Promise<string> {
  const { testRunId } = await runs.createRun({ scenarios: 60 });
  await runs.testRuns.cancel(testRunId);
  await runs.database.query(
    `UPDATE test_runs SET created_at = created_at - make_interval(days => $2),
       completed_at = completed_at - make_interval(days => $2) WHERE id = $1`,
    [testRunId, endedDaysAgo],
  );
  return testRunId;
}

const left = async () => (await runs.database.query<{ id: string }>('SELECT id FROM test_runs')).map(({ id }) => id);

test('what is too old goes with all that belongs to it, and the log says what and how much that was', async () => {
  const old: string[] = [];
  for (let run = 0; run < 21; run += 1) old.push(await canceledRun(31));
  const young = await canceledRun(29);
  const { clearance, lines } = clearanceFor('30');
  await clearance.retire();
  expect(await left()).toEqual([young]);
  await clearance.clear();
  expect(lines).toEqual([
    expect.objectContaining({ msg: 'Runs that ended too long ago were deleted', runs: 20, retentionDays: 30 }),
    expect.objectContaining({ msg: 'Runs that ended too long ago were deleted', runs: 1, retentionDays: 30 }),
    expect.objectContaining({
      msg: 'What deleted runs left behind was cleared away',
      runs: 21,
      scenarioRuns: 21 * 60,
      turns: 0,
      events: expect.any(Number),
      seconds: expect.any(Number),
    }),
  ]);
  const told = lines.flatMap(({ testRunIds }) => (Array.isArray(testRunIds) ? testRunIds : []));
  expect(told.sort()).toEqual(old.sort());
  expect(await runs.database.query('SELECT DISTINCT test_run_id FROM scenario_runs')).toEqual([{ test_run_id: young }]);
});

test('by itself nothing is too old; what is deleted by hand is cleared away all the same', async () => {
  const old = await canceledRun(4_000);
  const { clearance, lines } = clearanceFor('');
  await clearance.retire();
  expect(await left()).toEqual([old]);
  await clearance.clear();
  expect(lines).toEqual([]);
  await runs.testRuns.delete(old);
  await clearance.clear();
  expect(lines).toEqual([expect.objectContaining({ runs: 1, scenarioRuns: 60 })]);
});

test('a process that stops leaves the rest to the next', async () => {
  await runs.testRuns.delete(await canceledRun(0));
  const stopping = clearanceFor('').clearance;
  await stopping.beforeApplicationShutdown();
  await stopping.clear();
  expect(await runs.database.query('SELECT FROM deleted_test_runs')).toHaveLength(1);
  await clearanceFor('').clearance.clear();
  expect(await runs.database.query('SELECT FROM scenario_runs')).toEqual([]);
});
