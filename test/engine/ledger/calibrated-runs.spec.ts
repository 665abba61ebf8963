import { randomUUID } from 'node:crypto';
import { ProcessesStore } from '../../../src/engine/actors/processes.store';
import type { NewImportedRun } from '../../../src/engine/ledger/imported-run';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

const JUDGE = { name: 'openai', model: 'judge-2', prompt_version: 'v1' };
const TURNS = [{ turn: 1, patientMessage: 'My chest hurts.', agentMessage: 'Please call 999 now.' }];

/** A run of two repeats of one transcript. */
async function calibration(askedJudge: string | null = null) {
  const head = await runs.newRun({ concurrencyLimit: 4 });
  const adHoc = {
    scenario: { name: 'call-1', content: {}, rubric_criteria: [] },
    contentHash: '0'.repeat(64),
  };
  const run: NewImportedRun = {
    ...head,
    region: null,
    trials: 2,
    judge_model: askedJudge,
    calibrated_judge: JUDGE,
    conversations: [7, 4_294_967_295].map((seed, at) => ({
      scenarioId: randomUUID(),
      adHoc,
      trial: at + 1,
      examination: { seed, region: at === 0 ? 'UK' : null },
      turns: TURNS,
    })),
  };
  return runs.testRuns.importRun(run);
}

/** A process of the service, as it says itself that it lives. */
async function processWith(judge: object, asked: string | null = null): Promise<string> {
  const id = randomUUID();
  await new ProcessesStore(runs.database).beat({
    id,
    bus: 'in_process',
    testers: [],
    judges: [{ asked, ...JUDGE, ...judge }],
  });
  return id;
}

const release = ({ testRunId }: { testRunId: string }, heartbeatAgo = '0 s') =>
  runs.database.query(`UPDATE test_runs SET owner = NULL, heartbeat_at = now() - $2::interval WHERE id = $1`, [
    testRunId,
    heartbeatAgo,
  ]);
const adopted = async (owner: string) => (await runs.testRuns.adopt(owner, 100)).map(({ testRunId }) => testRunId);

afterEach(async () => {
  await runs.database.query('DELETE FROM test_runs');
  await runs.database.query('DELETE FROM processes');
});

test('a claim answers the seed and the region of the row', async () => {
  const { testRunId, unsettled } = await calibration();
  const records = [];
  for (const id of unsettled) {
    const claim = await runs.claim(id, testRunId, randomUUID());
    if (claim.kind === 'claimed') records.push(claim.record);
  }
  expect(records).toMatchObject([
    { status: 'grading', seed: 7, region: 'UK', trial: 1, turns: TURNS },
    { status: 'grading', seed: 4_294_967_295, region: null, trial: 2, turns: TURNS },
  ]);
  const plain = await runs.createRun();
  const claim = await runs.claim(plain.unsettled[0] ?? '', plain.testRunId, randomUUID());
  expect(claim).toMatchObject({ kind: 'claimed', record: { seed: expect.any(Number), region: 'US' } });
});

describe('a run without a supervisor that calibrates a judge', () => {
  test.each([
    ['the judge that is set up', null],
    ['a judge that was asked for', 'openai/judge-2'],
  ])('is adopted by a process that has %s, and by no other while that one lives', async (_which, asked) => {
    const run = await calibration(asked);
    const [other, right] = [await processWith({ prompt_version: 'v2' }, asked), await processWith({}, asked)];
    // Its lease has expired, so that nothing but the judge is in the way.
    await release(run, '1 min');
    expect(await adopted(other)).toEqual([]);
    expect(await adopted(right)).toEqual([run.testRunId]);
  });

  test('is adopted by another one when no living process has the judge, once its lease has expired', async () => {
    const run = await calibration();
    const other = await processWith({ model: 'judge-3' });
    await release(run);
    expect(await adopted(other)).toEqual([]);
    await release(run, '1 min');
    expect(await adopted(other)).toEqual([run.testRunId]);
  });

  test('does not keep runs that test agents from being adopted at once', async () => {
    const [calibrating, testing] = [await calibration(), await runs.createRun()];
    await release(calibrating);
    await release(testing);
    expect(await adopted(await processWith({ model: 'judge-3' }))).toEqual([testing.testRunId]);
  });
});

describe('a run that no process can go on with', () => {
  test('ends as failed with its sentence, keeps what was marked, and cancels the rest', async () => {
    const run = await calibration();
    const [first = '', second = ''] = run.unsettled;
    await runs.claim(first, run.testRunId, randomUUID());
    expect((await runs.testRuns.abandon(run.testRunId, 'The judge is another one.')).toSorted()).toEqual(
      [first, second].toSorted(),
    );
    expect(
      await runs.database.query('SELECT status, error_message, owner, canceled_count FROM test_runs WHERE id = $1', [
        run.testRunId,
      ]),
    ).toEqual([{ status: 'failed', error_message: 'The judge is another one.', owner: null, canceled_count: 2 }]);
    expect(runs.told.filter(({ run_id }) => run_id === run.testRunId).map(({ type }) => type)).toEqual([
      'test_run_started',
      'scenario_started',
      'scenario_canceled',
      'scenario_canceled',
      'test_run_failed',
    ]);
  });

  test('is ended once, and one that has ended otherwise stays as it is', async () => {
    const run = await calibration();
    await runs.testRuns.cancel(run.testRunId);
    expect(await runs.testRuns.abandon(run.testRunId, 'Too late.')).toEqual([]);
    expect(await runs.testRuns.abandon(randomUUID(), 'Unknown.')).toEqual([]);
    expect(
      await runs.database.query('SELECT status, error_message FROM test_runs WHERE id = $1', [run.testRunId]),
    ).toEqual([{ status: 'canceled', error_message: null }]);
  });
});
