import { randomUUID } from 'node:crypto';
import { CommittedEvents } from '../../../src/engine/ledger/run-log';
import { RunLimits, ScenarioVanished, TooManyScheduledRuns } from '../../../src/engine/ledger/new-test-run';
import { TestRunLedger } from '../../../src/engine/ledger/test-run.ledger';
import { settingsFrom } from '../../../src/platform/config/settings';
import { exchange, openStoredRuns, PASSED, type RunOptions, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
beforeEach(async () => {
  runs = await openStoredRuns();
});
afterEach(() => runs.close());

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const ago = (seconds: number) => new Date(Date.now() - 1_000 * seconds).toISOString();
const toldOf = (testRunId: string) => runs.told.filter(({ run_id }) => run_id === testRunId);
const countOf = async (table: string) => {
  const [row] = await runs.database.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
  return row?.count;
};

/** As the service writes runs with these limits. */
const ledgerWith = (limits: { mostScheduled?: number; graceSeconds?: number }) =>
  new TestRunLedger(runs.database, new CommittedEvents(), { mostScheduled: 100, graceSeconds: 3_600, ...limits });

describe('a new run', () => {
  test.each([
    ['that starts at once', null, { status: 'running', launched: 4 }],
    ['that waits for its time', inAnHour(), { status: 'scheduled', launched: 0 }],
  ])('%s is stored whole, in the order of its plan', async (_what, scheduledAt, { status, launched }) => {
    const run = await runs.newRun({ scenarios: 2, trials: 2, scheduledAt, concurrencyLimit: 3 });
    const claim = await runs.testRuns.create(run);
    expect(claim).toMatchObject({ testRunId: run.id, attempt: 1, status, scheduledAt, concurrencyLimit: 3 });
    const rows = await runs.database.query<{ id: string }>(
      `SELECT id, scenario_id AS "scenarioId", trial, patient, (examination->>'seed')::float8 AS seed FROM scenario_runs WHERE test_run_id = $1 ORDER BY position`,
      [run.id],
    );
    expect(rows).toEqual(run.planned.map((planned) => ({ id: expect.any(String), ...planned })));
    expect(claim.unsettled).toEqual(rows.map(({ id }) => id));
    const type = status === 'running' ? 'test_run_started' : 'test_run_scheduled';
    expect(toldOf(run.id)).toMatchObject([{ seq: 1, type, total_scenarios: 4, scenarios_launched: launched }]);
    const [stored] = await runs.database.query(
      'SELECT status, owner, attempt, started_at IS NOT NULL AS is_started FROM test_runs WHERE id = $1',
      [run.id],
    );
    expect(stored).toEqual({ status, owner: run.owner, attempt: 1, is_started: status === 'running' });
  });

  test.each([null, inAnHour()])('is stored once when the answer was lost, and answered the same (%s)', async (at) => {
    const run = await runs.newRun({ scenarios: 3, scheduledAt: at });
    const claim = await runs.testRuns.create(run);
    expect(await runs.testRuns.create(run)).toEqual(claim);
    expect(await countOf('scenario_runs')).toBe(3);
    expect(runs.told).toMatchObject([{ run_id: run.id, seq: 1 }]);
    expect(await countOf('run_log')).toBe(1);
  });

  test('that starts at once is stored however many wait for their time', async () => {
    await runs.testRuns.create(await runs.newRun({ scheduledAt: inAnHour() }));
    const run = await runs.newRun();
    await ledgerWith({ mostScheduled: 0 }).create(run);
    expect(await countOf('test_runs')).toBe(2);
    const waiting = await runs.newRun({ scheduledAt: inAnHour() });
    await expect(ledgerWith({ mostScheduled: 1 }).create(waiting)).rejects.toThrow(TooManyScheduledRuns);
  });

  test('of a scenario that is not there is not stored at all', async () => {
    const run = await runs.newRun({ scenarios: 1 });
    const [planned] = run.planned;
    if (planned === undefined) throw new Error('One is planned.');
    const gone = { ...run, planned: [planned, { ...planned, scenarioId: randomUUID() }] };
    await expect(runs.testRuns.create(gone)).rejects.toBeInstanceOf(ScenarioVanished);
    expect([await countOf('test_runs'), await countOf('scenario_runs'), toldOf(run.id)]).toEqual([0, 0, []]);
  });

  test('waits for its time only while fewer wait than may: beyond that nothing of it is stored', async () => {
    const ledger = ledgerWith({ mostScheduled: 2 });
    const create = async (options: RunOptions) => ledger.create(await runs.newRun(options));
    await create({ scheduledAt: inAnHour() });
    await create({ scheduledAt: null });
    await create({ scheduledAt: inAnHour() });
    const refused = await create({ scheduledAt: inAnHour() }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TooManyScheduledRuns);
    expect(refused).toMatchObject({ most: 2 });
    expect(await countOf('test_runs')).toBe(3);
    await create({ scheduledAt: null });
  });
});

test('how many runs may wait, and how late one may be found, are as the settings say', () => {
  const limits = new RunLimits(settingsFrom({ MAX_SCHEDULED_RUNS: '7', SCHEDULE_GRACE: '2m' }));
  expect({ ...limits }).toEqual({ mostScheduled: 7, graceSeconds: 120 });
});

describe('a run that is found after its time', () => {
  async function due(lateSeconds: number, graceSeconds: number) {
    const owner = randomUUID();
    const { testRunId, unsettled } = await runs.createRun({ scenarios: 2, owner, scheduledAt: ago(lateSeconds) });
    const started = await ledgerWith({ graceSeconds }).start({ testRunId, owner, attempt: 1 });
    const run = await runs.reads.find(testRunId);
    const standings = await runs.ownership.findStanding(unsettled);
    return { started, run, statuses: standings.map(({ status }) => status), testRunId };
  }

  test('within the grace starts', async () => {
    const { started, run, statuses } = await due(50, 60);
    expect(started).toEqual({ kind: 'started' });
    expect(run).toMatchObject({ status: 'running', error_message: null });
    expect(statuses).toEqual(['pending', 'pending']);
  });

  test.each([
    [90, 1, /found 9\d seconds later; SCHEDULE_GRACE allows 1 second,/],
    [3_600 * 26, 120, /found 26 hours later; SCHEDULE_GRACE allows 2 minutes,/],
    [86_400 * 3, 119, /found 3 days later; SCHEDULE_GRACE allows 119 seconds,/],
  ])('beyond the grace fails, and says how late it was found: %d s after %d s', async (late, grace, words) => {
    const { started, run, statuses, testRunId } = await due(late, grace);
    expect(started).toEqual({ kind: 'failed' });
    expect(run).toMatchObject({ status: 'failed', error_message: expect.stringMatching(words) });
    expect(statuses).toEqual(['canceled', 'canceled']);
    const types = await runs.database.query<{ type: string }>(
      'SELECT type FROM run_log WHERE test_run_id = $1 ORDER BY seq',
      [testRunId],
    );
    expect(types.map(({ type }) => type)).toEqual([
      'test_run_scheduled',
      'scenario_canceled',
      'scenario_canceled',
      'test_run_failed',
    ]);
  });
});

describe('a run whose scenario runs are all final', () => {
  /** Each ends as said: passed, failed, or in an error with this message. */
  async function ended(ends: readonly ('passed' | 'failed' | { readonly error: string })[]) {
    const owner = randomUUID();
    const { testRunId, unsettled } = await runs.createRun({ scenarios: ends.length, owner });
    for (const [at, end] of ends.entries()) {
      const scenarioRunId = unsettled[at] ?? '';
      await runs.claim(scenarioRunId, testRunId, owner);
      const ref = { scenarioRunId, testRunId, owner, attempt: 1 };
      if (typeof end === 'object') {
        const failure = { code: 'provider_error', message: end.error } as const;
        await runs.scenarioRuns.record({ ...ref, kind: 'failure', failure, metadata: {} });
        continue;
      }
      const said = { exchange: exchange(1), continuation: null, startsGrading: true };
      await runs.scenarioRuns.record({ ...ref, ...said, kind: 'turn', metadata: {} });
      const verdict = { ...PASSED, passed: end === 'passed' };
      await runs.scenarioRuns.record({ ...ref, kind: 'verdict', verdict, metadata: {} });
    }
    const finished = await runs.testRuns.finish({ testRunId, owner, attempt: 1 });
    return { finished, run: await runs.reads.find(testRunId), told: toldOf(testRunId).at(-1) };
  }

  test.each<[readonly ('passed' | 'failed' | { readonly error: string })[], number]>([
    [['passed', 'failed', { error: 'No.' }], 33.33],
    [['failed'], 0],
    [['passed'], 100],
  ])('is complete when any of them was graded: %j', async (ends, pass_rate) => {
    const { finished, run, told } = await ended(ends);
    expect(finished).toEqual({ kind: 'finished', status: 'completed' });
    expect(run).toMatchObject({ status: 'completed', error_message: null });
    const count = (end: string) => ends.filter((one) => one === end).length;
    expect(told).toMatchObject({
      type: 'test_run_complete',
      passed_count: count('passed'),
      failed_count: count('failed'),
      error_count: ends.length - count('passed') - count('failed'),
      canceled_count: 0,
      pass_rate,
    });
  });

  test('has failed when none was graded, and says the reason that they share, or the one of most', async () => {
    const same = await ended([{ error: 'Nobody answers.' }, { error: 'Nobody answers.' }]);
    expect(same.run).toMatchObject({ status: 'failed', error_message: 'Nobody answers.' });
    expect(same.told).toMatchObject({ type: 'test_run_failed', error_count: 2, pass_rate: 0 });
    const mixed = await ended([{ error: 'A.' }, { error: 'B.' }, { error: 'B.' }]);
    expect(mixed.run).toMatchObject({ error_message: expect.stringMatching(/most often: B\.$/) });
  });

  test('is not over while one of them is still being graded, whoever supervises it', async () => {
    const owner = randomUUID();
    const { testRunId, unsettled } = await runs.createRun({ scenarios: 2, owner });
    const [graded = '', failed = ''] = unsettled;
    for (const scenarioRunId of unsettled) await runs.claim(scenarioRunId, testRunId, owner);
    const ref = { testRunId, owner, attempt: 1 };
    await runs.scenarioRuns.record({ ...ref, scenarioRunId: graded, kind: 'gradingStart' });
    const failure = { code: 'provider_error', message: 'No.' } as const;
    await runs.scenarioRuns.record({ ...ref, scenarioRunId: failed, kind: 'failure', failure, metadata: {} });
    expect(await runs.testRuns.finish(ref)).toEqual({ kind: 'unsettled', scenarioRunIds: [graded] });
    await runs.testRuns.release(ref);
    expect(await runs.testRuns.adopt(randomUUID(), 1)).toMatchObject([{ testRunId, unsettled: [graded] }]);
  });

  test('is final once: neither its supervisor nor anybody else ends it again', async () => {
    const { run } = await ended(['passed']);
    if (run === null) throw new Error('It is stored.');
    expect(await runs.testRuns.cancel(run.id)).toEqual({ kind: 'alreadyFinal', status: 'completed' });
    expect(await runs.reads.find(run.id)).toEqual(run);
  });
});

test('a run that was canceled or deleted is over for its supervisor, and unknown is what never was', async () => {
  const owner = randomUUID();
  const { testRunId } = await runs.createRun({ owner });
  await runs.testRuns.cancel(testRunId);
  const supervision = { testRunId, owner, attempt: 1 };
  expect(await runs.testRuns.finish(supervision)).toEqual({ kind: 'finished', status: 'canceled' });
  // Deleted is canceled, and more.
  await runs.testRuns.delete(testRunId);
  expect(await runs.testRuns.finish(supervision)).toEqual({ kind: 'finished', status: 'canceled' });
  expect(await runs.testRuns.start(supervision)).toEqual({ kind: 'canceled' });
  expect(await runs.testRuns.cancel(randomUUID())).toEqual({ kind: 'unknown' });
});

describe('runs that nobody supervises', () => {
  test('are taken over with all that their supervisor needs: the oldest first, no more than asked, and none that has ended', async () => {
    const scheduledAt = inAnHour();
    const claims = [
      await runs.createRun({ scenarios: 2, concurrencyLimit: 3 }),
      await runs.createRun(),
      await runs.createRun({ scheduledAt, concurrencyLimit: 4 }),
      await runs.createRun(),
    ];
    const [first, ended, scheduled, last] = claims;
    if (!first || !ended || !scheduled || !last) throw new Error('There are four.');
    await runs.testRuns.cancel(ended.testRunId);
    expect(await runs.testRuns.adopt(randomUUID(), 100)).toEqual([]);
    await runs.ownership.releaseAll();
    await runs.database.query(`UPDATE test_runs SET created_at = now() + interval '1 minute' WHERE id = $1`, [
      last.testRunId,
    ]);
    // Rows that were written lately are no older for it.
    await runs.database.query('UPDATE test_runs SET name = $2 WHERE id = $1', [first.testRunId, 'The first']);
    const owner = randomUUID();
    const adopted = await runs.testRuns.adopt(owner, 2);
    expect(adopted.toSorted((one, other) => other.concurrencyLimit - one.concurrencyLimit)).toEqual([
      { ...scheduled, attempt: 2 },
      { ...first, attempt: 2 },
    ]);
    // Whoever supervised it before writes nothing more, not even after the hand-over was noticed.
    const before = { testRunId: scheduled.testRunId, owner, attempt: 1 };
    expect(await runs.testRuns.start(before)).toEqual({ kind: 'superseded' });
    expect(await runs.testRuns.adopt(owner, 100)).toEqual([{ ...last, attempt: 2 }]);
  });
});
