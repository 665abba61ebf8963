import { randomUUID } from 'node:crypto';
import { RunExaminersStore, type ExaminerPair } from '../../../src/engine/ledger/run-examiners.store';
import { offlineExaminerSelection } from '../../setup/offline-examiner-selection';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { openTextThreads } from '../../setup/text-threads';

const threads = openTextThreads();
let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

/** Counts what the database is asked. */
class CountedStore extends RunExaminersStore {
  asked = 0;
  noted = 0;

  override askedFor(testRunId: string) {
    this.asked += 1;
    return super.askedFor(testRunId);
  }

  override note(testRunId: string, pair: ExaminerPair) {
    this.noted += 1;
    return super.note(testRunId, pair);
  }
}

function open() {
  const store = new CountedStore(runs.database);
  return { store, selection: offlineExaminerSelection(runs.database, threads, store) };
}

describe('who plays and marks in a run', () => {
  test('is asked of the database once a run, and noted once', async () => {
    const { store, selection } = open();
    const [{ testRunId: one }, { testRunId: other }] = [await runs.createRun(), await runs.createRun()];
    for (const testRunId of [one, one, other, one]) {
      const selected = await selection.of(testRunId);
      expect(selected?.examiners).toMatchObject({ tester: { name: 'offline' }, judge: { name: 'offline' } });
      if (selected !== null) await selection.note(testRunId, selected.examiners);
    }
    expect([store.asked, store.noted]).toEqual([2, 2]);
  });

  test('is nobody in a run that there is not, which is asked for again', async () => {
    const { store, selection } = open();
    const testRunId = randomUUID();
    expect([await selection.of(testRunId), await selection.of(testRunId)]).toEqual([null, null]);
    expect(store.asked).toBe(2);
  });

  test('may be a model that is not allowed here any more: nobody plays in its place', async () => {
    const { selection } = open();
    const { testRunId } = await runs.createRun();
    await runs.database.query(`UPDATE test_runs SET judge_model = 'anthropic/claude-gone' WHERE id = $1`, [testRunId]);
    const selected = await selection.of(testRunId);
    expect(selected?.examiners.judge).toMatchObject({ name: 'anthropic', model: 'claude-gone' });
    expect(() => selected?.players()).toThrow(/as its judge, and no process of the service has that model/);
  });

  test.each([
    ['tester', 'tester_failed'],
    ['judge', 'grading_failed'],
  ])('is nobody for a vendor that nobody here knows, and says which role is empty: %s', async (role, code) => {
    const { selection } = open();
    const { testRunId } = await runs.createRun();
    await runs.database.query(`UPDATE test_runs SET ${role}_model = 'nobody/nameless' WHERE id = $1`, [testRunId]);
    const selected = await selection.of(testRunId);
    expect(selected?.examiners).toMatchObject({
      [role]: { name: 'unknown', model: 'nobody/nameless', promptVersion: null },
    });
    const failure = { code, message: expect.stringContaining(`asks for nobody/nameless as its ${role}`) };
    expect(() => selected?.players()).toThrow(expect.objectContaining({ failure }));
  });

  test('is kept of the newest thousand runs, however many there have been', async () => {
    class EmptyStore extends CountedStore {
      override async askedFor() {
        this.asked += 1;
        return { tester_model: null, judge_model: null, calibrated_judge: null, is_spoken: false };
      }

      override async note() {
        this.noted += 1;
      }
    }
    const store = new EmptyStore(runs.database);
    const selection = offlineExaminerSelection(runs.database, threads, store);
    const examine = async (testRunId: string) => {
      const selected = await selection.of(testRunId);
      if (selected !== null) await selection.note(testRunId, selected.examiners);
      return [store.asked, store.noted];
    };
    for (let number = 0; number < 1_001; number += 1) await examine(`run ${number}`);
    expect(await examine('run 1')).toEqual([1_001, 1_001]);
    expect(await examine('run 0')).toEqual([1_002, 1_002]);
  });
});
