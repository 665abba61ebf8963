import { randomUUID } from 'node:crypto';
import { RunExaminersStore } from '../../../src/engine/ledger/run-examiners.store';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { spokenRun } from '../../setup/spoken-run';

let runs: StoredRuns;
let examiners: RunExaminersStore;
beforeAll(async () => {
  runs = await openStoredRuns();
  examiners = new RunExaminersStore(runs.database);
});
afterAll(() => runs.close());

describe('the examiners that a run asks for', () => {
  test('are those that it was started with', async () => {
    const run = { ...(await runs.newRun()), tester_model: 'openai/patient-1', judge_model: 'anthropic/judge-2' };
    await runs.testRuns.create(run);
    expect(await examiners.askedFor(run.id)).toEqual({
      tester_model: 'openai/patient-1',
      judge_model: 'anthropic/judge-2',
      calibrated_judge: null,
      is_spoken: false,
    });
  });

  test('speak where the run is spoken, but for one that only marks again what was spoken', async () => {
    const { testRunId } = await runs.createRun({ spoken: spokenRun() });
    expect(await examiners.askedFor(testRunId)).toMatchObject({
      tester_model: null,
      judge_model: null,
      is_spoken: true,
    });
    await runs.database.query(`UPDATE test_runs SET derivation = 'retry' WHERE id = $1`, [testRunId]);
    expect(await examiners.askedFor(testRunId)).toMatchObject({ is_spoken: true });
    await runs.database.query(`UPDATE test_runs SET derivation = 'regrade' WHERE id = $1`, [testRunId]);
    expect(await examiners.askedFor(testRunId)).toMatchObject({ is_spoken: false });
  });

  test('are unknown of a run that is not there', async () => {
    expect(await examiners.askedFor(randomUUID())).toBeNull();
  });
});

test('who has examined in a run is noted once, however often it is told, and each pair for itself', async () => {
  const { testRunId } = await runs.createRun();
  const tester = { name: 'openai', model: 'patient-1', prompt_version: 'p1' };
  const [judge, other] = ['v1', 'v2'].map((prompt_version) => ({ name: 'openai', model: 'judge-2', prompt_version }));
  if (judge === undefined || other === undefined) throw new Error('There are two.');
  for (const each of [judge, judge, other]) await examiners.note(testRunId, { tester, judge: each });
  const noted = await runs.database.query('SELECT tester, judge FROM run_examiners WHERE test_run_id = $1 ORDER BY 2', [
    testRunId,
  ]);
  expect(noted).toEqual([
    { tester, judge },
    { tester, judge: other },
  ]);
});
