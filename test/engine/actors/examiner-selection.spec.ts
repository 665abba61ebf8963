import { randomUUID } from 'node:crypto';
import { namedExaminers } from '../../../src/engine/actors/examiner-selection';
import { documentOf } from '../../../src/engine/actors/outcome-metadata';
import {
  RunExaminersStore,
  type ExaminerDocument,
  type ExaminerPair,
} from '../../../src/engine/ledger/run-examiners.store';
import { OfflineJudge } from '../../../src/examiners/judge/offline.judge';
import { OfflineTester } from '../../../src/examiners/tester/offline.tester';
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
      expect(selected).toMatchObject({ lacking: null, ending: null, isSpoken: false });
      expect(selected?.players()).toEqual(selected?.examiners);
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
    expect(selected).toMatchObject({ ending: null });
    expect(selected?.lacking).toEqual({ testers: [{ asked: null }], judges: [{ asked: 'anthropic/claude-gone' }] });
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
    expect(selected?.lacking).toMatchObject({ [`${role}s`]: [{ asked: 'nobody/nameless' }] });
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

describe('the judge of a calibration', () => {
  const now = documentOf(new OfflineJudge(threads));
  const other = { name: 'openai', model: 'judge-2', prompt_version: 'v1' };

  class CalibratedStore extends RunExaminersStore {
    constructor(
      private readonly calibrated: ExaminerDocument,
      private readonly judgeModel: string | null = null,
    ) {
      super(runs.database);
    }

    override async askedFor() {
      return {
        tester_model: null,
        judge_model: this.judgeModel,
        calibrated_judge: this.calibrated,
        is_spoken: false,
      };
    }
  }

  const selectedFor = async (...given: ConstructorParameters<typeof CalibratedStore>) => {
    const selection = offlineExaminerSelection(runs.database, threads, new CalibratedStore(...given));
    return (await selection.of('a calibration')) ?? undefined;
  };

  test('is the one of this process', async () => {
    expect(await selectedFor(now)).toMatchObject({ lacking: null, ending: null });
  });

  test.each<[what: string, calibrated: ExaminerDocument, judge: string | null, why: RegExp]>([
    [
      'of another vendor',
      { ...now, name: 'openai' },
      null,
      /^It was begun with the openai judge, .*: the judge became the offline judge\./,
    ],
    ['of another model', other, null, /^It was begun with openai\/judge-2, .*: the judge became the offline judge\./],
    [
      'of the same name that had a model',
      { ...now, model: 'rules-2' },
      null,
      /^It was begun with offline\/rules-2, .*: the judge became the offline judge\./,
    ],
    [
      'with other prompts',
      { ...now, prompt_version: 'v0' },
      null,
      /^It was begun with the offline judge, .*: its prompts changed\./,
    ],
    ['that may not be used', other, 'openai/judge-2', /: the judge became one whose model may not be used\./],
  ])('is lacking where it is one %s, and the run says why it ends', async (_what, calibrated, judge, why) => {
    const selected = await selectedFor(calibrated, judge);
    expect(selected?.lacking).toEqual({ testers: [{ asked: null }], judges: [{ asked: judge, ...calibrated }] });
    expect(selected?.ending).toMatch(why);
    expect(selected?.ending).toMatch(/A calibration is about one judge: start it again\.$/);
  });
});

describe('the examiners that a verdict names', () => {
  const examiners = { tester: new OfflineTester(threads), judge: new OfflineJudge(threads) };

  test('are those of the run', () => {
    expect(namedExaminers(examiners, null)).toBe(examiners);
  });

  test('are the tester that played the conversation in another, and the judge of this one', () => {
    expect(namedExaminers(examiners, { name: 'openai', model: 'patient-2', prompt_version: 'p2' })).toEqual({
      tester: { name: 'openai', model: 'patient-2', promptVersion: 'p2' },
      judge: examiners.judge,
    });
  });
});
