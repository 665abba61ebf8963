import { RunStatisticsStore } from '../../../src/features/statistics/run-statistics.store';
import { OFFLINE, scenariosToRun } from '../../setup/graded-run';
import { untilWaiting } from '../../setup/lock-waits';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
let ids: readonly string[];
let run: Awaited<ReturnType<typeof scenariosToRun>>['run'];
beforeAll(async () => {
  runs = await openStoredRuns();
  ({ ids, run } = await scenariosToRun(runs.database, ['A', 'B', 'C', 'D']));
});
afterAll(() => runs.close());

/** The same, whether the run goes on or has ended. */
async function read(id: string) {
  const store = new RunStatisticsStore(runs.database);
  const [atOnce, ofOneMoment] = [await store.read(id, true), await store.read(id, false)];
  expect(ofOneMoment).toEqual(atOnce);
  return atOnce;
}

describe('what the statistics of a run are made of', () => {
  test('counts what has no verdict by its reason, the most frequent first, and then by the words for it', async () => {
    const { ungraded } = await read(
      await run([
        ['canceled', 'timed_out', 'provider_error'],
        ['passed', 'provider_error', 'canceled'],
        ['failed', 'connect_failed', 'provider_error'],
      ]),
    );
    expect(ungraded).toEqual([
      { status: 'error', error_code: 'provider_error', count: 3 },
      { status: 'canceled', error_code: null, count: 2 },
      { status: 'error', error_code: 'connect_failed', count: 1 },
      { status: 'error', error_code: 'timed_out', count: 1 },
    ]);
  });

  test('counts what has no verdict once, whoever examined, and then says which is most frequent', async () => {
    const id = await run([['timed_out'], ['timed_out'], ['provider_error'], ['canceled']]);
    const unexamined = (positions: readonly number[]) =>
      runs.database.query(
        'UPDATE scenario_runs SET examiners = NULL WHERE test_run_id = $1 AND position = ANY($2::int[])',
        [id, positions],
      );
    await unexamined([2, 4]);
    const timedOut = { status: 'error', error_code: 'timed_out', count: 2 };
    const [once, canceled] = [
      { status: 'error', error_code: 'provider_error', count: 1 },
      { status: 'canceled', error_code: null, count: 1 },
    ];
    expect((await read(id)).ungraded).toEqual([timedOut, canceled, once]);
    // Each of the two kinds of three is smaller than the other one, which both together are not.
    const more = await run([
      ['provider_error', 'timed_out'],
      ['provider_error', 'timed_out'],
      ['provider_error', 'timed_out'],
      ['passed', 'timed_out'],
    ]);
    await runs.database.query(
      `UPDATE scenario_runs SET examiners = NULL WHERE test_run_id = $1 AND trial = 2 AND position > 6`,
      [more],
    );
    expect((await read(more)).ungraded).toEqual([
      { ...timedOut, count: 4 },
      { ...once, count: 3 },
    ]);
  });

  test('names the scenarios whose trials disagree, in the order of the run', async () => {
    const { unstable, scenarios } = await read(
      await run([
        ['passed', 'failed', 'passed'],
        ['passed', 'passed', 'passed'],
        ['failed', 'canceled', 'failed'],
        ['timed_out', 'failed', 'passed'],
      ]),
    );
    expect(unstable).toEqual([
      { scenario_id: ids[0], scenario_name: 'A', graded: 3, passed: 2 },
      { scenario_id: ids[3], scenario_name: 'D', graded: 2, passed: 1 },
    ]);
    expect(scenarios.map(({ graded, passed, scenarios: of, total }) => [graded, passed, of, total])).toEqual([
      [2, 0, 1, 3],
      [2, 1, 1, 3],
      [3, 2, 1, 3],
      [3, 3, 1, 3],
    ]);
    expect((await read(await run([['passed'], ['failed']]))).unstable).toEqual([]);
  });

  test('names the scenarios in which the patient was at fault, over all their trials, and no others', async () => {
    const id = await run([
      ['passed', 'failed'],
      ['passed', 'passed'],
    ]);
    const findings = { violations: [], disputed: 1, flags: [], patient_faults: [] };
    const note = (position: number, of: object) =>
      runs.database.query(
        'UPDATE scenario_runs SET findings = $3, metadata = $4 WHERE test_run_id = $1 AND position = $2',
        [id, position, JSON.stringify(of), JSON.stringify(OFFLINE)],
      );
    await note(2, findings);
    expect((await read(id)).faulty).toEqual([]);
    await note(1, { ...findings, patient_faults: ['volunteered'] });
    expect((await read(id)).faulty).toEqual([{ scenario_id: ids[0], scenario_name: 'A', graded: 2, passed: 1 }]);
  });

  test('is how a run that goes on stood at one moment: what ends while it is read counts in none of it', async () => {
    const id = await run([['passed', 'timed_out']], { status: 'running' });
    await runs.database.query(
      `INSERT INTO reviews (scenario_run_id, number, reviewer, key_name, role, blind, comment, criteria, passed, score_percent,
         effective_passed, effective_score_percent, disagreements)
       SELECT id, 1, 'A', 'a key', 'reviewer', true, '', '[]', true, 100, true, 100, 0
       FROM scenario_runs WHERE test_run_id = $1 AND trial = 1`,
      [id],
    );
    const reading = await runs.database.transaction(async (tx) => {
      await tx.query('LOCK TABLE reviews IN ACCESS EXCLUSIVE MODE');
      const tallies = new RunStatisticsStore(runs.database).read(id, false);
      // It has counted the scenarios, and waits for the reviews.
      await untilWaiting(runs.database, tallies);
      await tx.query(`UPDATE scenario_runs SET status = 'passed' WHERE test_run_id = $1 AND trial = 2`, [id]);
      return { tallies };
    });
    const { scenarios, reviewed, ungraded } = await reading.tallies;
    expect(scenarios).toMatchObject([{ graded: 1, passed: 1, total: 2 }]);
    expect(reviewed).toMatchObject([{ graded: 1, passed: 1, reviewed: 1 }]);
    expect(ungraded).toEqual([{ status: 'error', error_code: 'timed_out', count: 1 }]);
  });
});
