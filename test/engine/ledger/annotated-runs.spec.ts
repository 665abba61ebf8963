import { randomUUID } from 'node:crypto';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
let testRunId: string;
beforeEach(async () => {
  runs = await openStoredRuns();
  ({ testRunId } = await runs.createRun());
});
afterEach(() => runs.close());

const annotations = async () => {
  const [row] = await runs.database.query('SELECT name, note, tags FROM test_runs WHERE id = $1', [testRunId]);
  return row;
};

describe('the annotations of a run', () => {
  test('change where they are given, and stay where they are left out', async () => {
    const given = { name: 'Release 4.2', note: 'Before the \0 change.', tags: ['gate'] };
    expect(await runs.testRuns.annotate(testRunId, given)).toBe(true);
    const stored = { ...given, note: 'Before the \ufffd change.' };
    expect(await annotations()).toEqual(stored);
    expect(await runs.testRuns.annotate(testRunId, { name: undefined, note: null, tags: undefined })).toBe(true);
    expect(await annotations()).toEqual({ ...stored, note: null });
    expect(await runs.testRuns.annotate(testRunId, { tags: [] })).toBe(true);
    expect(await annotations()).toEqual({ ...stored, note: null, tags: [] });
  });

  test('stay as they are where none is given, which is told apart from a run that is not there', async () => {
    const before = await annotations();
    expect(await runs.testRuns.annotate(testRunId, {})).toBe(true);
    expect(await annotations()).toEqual(before);
    expect(await runs.testRuns.annotate(randomUUID(), {})).toBe(false);
    expect(await runs.testRuns.annotate(randomUUID(), { name: 'Nothing' })).toBe(false);
  });

  test('are those of tests of agents: a run that calibrates a judge has none', async () => {
    const judge = { name: 'offline', model: null, prompt_version: null };
    await runs.database.query('UPDATE test_runs SET calibrated_judge = $2 WHERE id = $1', [
      testRunId,
      JSON.stringify(judge),
    ]);
    expect(await runs.testRuns.annotate(testRunId, { name: 'A calibration' })).toBe(false);
    expect(await annotations()).toMatchObject({ name: null });
  });
});
