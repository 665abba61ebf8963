import { randomUUID } from 'node:crypto';
import { TwinGone, type NewTestRun } from '../../../src/engine/ledger/new-test-run';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

const copiesOf = (testRunId: string) =>
  runs.database.query(
    `SELECT scenario_id, position, scenario_name, scenario, scenario_revision, scenario_content_hash
     FROM scenario_runs WHERE test_run_id = $1 ORDER BY position`,
    [testRunId],
  );
const twinOf = (run: NewTestRun): NewTestRun => {
  const id = randomUUID();
  return { ...run, id, test_run_id: `run_${id}`, twin: { id: run.id, first: run.id } };
};

describe('a twin of a run', () => {
  test('has its scenarios as it found them, whatever became of them', async () => {
    const run = await runs.newRun({ scenarios: 2, trials: 2 });
    await runs.testRuns.create(run);
    await runs.database.query(`UPDATE scenarios SET name = 'Another name', content_hash = repeat('1', 64)`);
    const twin = twinOf(run);
    const claim = await runs.testRuns.create(twin);
    expect(claim.unsettled).toHaveLength(4);
    expect(await copiesOf(twin.id)).toEqual(await copiesOf(run.id));
    expect(await runs.database.query('SELECT twin_of FROM test_runs WHERE id = $1', [twin.id])).toEqual([
      { twin_of: run.id },
    ]);
    expect(await runs.database.query('SELECT twin_of FROM test_runs WHERE id = $1', [run.id])).toEqual([
      { twin_of: null },
    ]);
  });

  test.each([
    ['a run that is gone', (run: NewTestRun) => runs.database.query('DELETE FROM test_runs WHERE id = $1', [run.id])],
    [
      'a run of which a scenario run is gone',
      (run: NewTestRun) =>
        runs.database.query('DELETE FROM scenario_runs WHERE test_run_id = $1 AND position = 2', [run.id]),
    ],
  ])('of %s is not stored at all', async (_what, remove) => {
    const run = await runs.newRun({ scenarios: 2 });
    await runs.testRuns.create(run);
    await remove(run);
    const twin = twinOf(run);
    await expect(runs.testRuns.create(twin)).rejects.toThrow(TwinGone);
    expect(await runs.database.query('SELECT id FROM test_runs WHERE id = $1', [twin.id])).toEqual([]);
  });
});
