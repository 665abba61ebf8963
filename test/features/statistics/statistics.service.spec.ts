import { randomUUID } from 'node:crypto';
import { CalibrationsStore } from '../../../src/features/calibrations/calibrations.store';
import { TestRunsStore } from '../../../src/features/runs/test-runs.store';
import { RunStatisticsStore, type RunTallies } from '../../../src/features/statistics/run-statistics.store';
import { StatisticsService } from '../../../src/features/statistics/statistics.service';
import { RULES_VERSION } from '../../../src/examiners/judge/offline.judge';
import { storeGradedRun, storeScenarios, type GradedRunOptions } from '../../setup/graded-run';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
let id: string;
beforeAll(async () => {
  runs = await openStoredRuns();
  [id = ''] = await storeScenarios(runs.database, ['Chest pain']);
});
afterAll(() => runs.close());

const stored = (outcomes: readonly string[], options: GradedRunOptions = {}): Promise<string> =>
  storeGradedRun(runs.database, [{ id, name: 'Chest pain', outcomes }], options);

function service(store = new RunStatisticsStore(runs.database)): StatisticsService {
  return new StatisticsService(new TestRunsStore(runs.database), store, new CalibrationsStore(runs.database));
}

describe('the statistics of a run', () => {
  test('are found by its id and by its label, with the confidence asked for', async () => {
    const run = await stored(['passed', 'failed']);
    const found = await service().find(run, 95);
    expect(found).toMatchObject({ test_run_id: run, status: 'completed', confidence: 95, graded: 2, passed: 1 });
    expect(await service().find(`run_${run}`, 95)).toEqual(found);
    const narrow = await service().find(run, 50);
    expect(narrow.confidence).toBe(50);
    expect(narrow.graded_pass_rate.low ?? NaN).toBeGreaterThan(found.graded_pass_rate.low ?? NaN);
  });

  test.each([randomUUID(), 'nightly'])('are none of a run that does not exist: %s', async (unknown) => {
    await expect(service().find(unknown, 95)).rejects.toMatchObject({ status: 404, message: 'Test run not found' });
  });

  test('are none of a run that was deleted while they were read', async () => {
    const run = await stored(['passed']);
    class Deleting extends RunStatisticsStore {
      override async read(testRunId: string, hasEnded: boolean): Promise<RunTallies> {
        const tallies = await super.read(testRunId, hasEnded);
        await runs.database.query('DELETE FROM test_runs WHERE id = $1', [testRunId]);
        return tallies;
      }
    }
    await expect(service(new Deleting(runs.database)).find(run, 95)).rejects.toMatchObject({ status: 404 });
  });

  test('are read from one moment where the run goes on, and not where it has ended', async () => {
    const asked: boolean[] = [];
    class Noting extends RunStatisticsStore {
      override read(testRunId: string, hasEnded: boolean): Promise<RunTallies> {
        asked.push(hasEnded);
        return super.read(testRunId, hasEnded);
      }
    }
    const noting = new Noting(runs.database);
    await service(noting).find(await stored(['passed']), 95);
    await service(noting).find(await stored(['passed'], { status: 'running' }), 95);
    expect(asked).toEqual([true, false]);
  });

  test('say how far the judge that marked most of it is calibrated, and that nothing has been marked', async () => {
    const unmarked = await service().find(await stored(['canceled'], { metadata: {} }), 95);
    expect(unmarked.calibration_note).toBe('Nothing has been marked yet.');
    const run = await stored(['passed']);
    expect((await service().find(run, 95)).calibration_note).toMatch(/^The judge has not been calibrated/);
    const calibration = await stored(['passed', 'passed']);
    await runs.database.query(`UPDATE test_runs SET name = 'Labels', calibrated_judge = $2 WHERE id = $1`, [
      calibration,
      { name: 'offline', model: null, prompt_version: RULES_VERSION },
    ]);
    const measure = { value: 0.8, low: 0.7, high: 0.9, reason: null };
    const agreement = { raw: measure, kappa: measure, ac1: measure, macro_f1: measure };
    await runs.database.query(`INSERT INTO calibrations (id, source, criteria, result) VALUES ($1, 'given', 1, $2)`, [
      calibration,
      { agreement, controls: { share: null } },
    ]);
    expect((await service().find(run, 95)).calibration).toMatchObject({
      id: calibration,
      name: 'Labels',
      stale: false,
    });
  });
});
