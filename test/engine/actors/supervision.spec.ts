import { randomUUID } from 'node:crypto';
import { BusError, subjects } from '../../../src/engine/bus/bus';
import { CommittedEvents } from '../../../src/engine/ledger/run-log';
import type { SupervisionClaim } from '../../../src/engine/ledger/supervision';
import { FailedSupervisions } from '../../../src/engine/ledger/failed-supervisions';
import { OwnershipStore } from '../../../src/engine/ledger/ownership.store';
import { createLog } from '../../../src/platform/config/log';
import { eventually } from '../../setup/eventually';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { openSupervisors } from '../../setup/supervisors';

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

const opened: ReturnType<typeof openSupervisors>[] = [];
afterEach(() => Promise.all(opened.splice(0).map((supervisors) => supervisors.close())));

function open(parts: Parameters<typeof openSupervisors>[1] = {}) {
  const supervisors = openSupervisors(runs, parts);
  opened.push(supervisors);
  return supervisors;
}

/** The run changes hands: its supervisor gives it up, and the owner takes it over. */
async function adopted({ testRunId, attempt }: SupervisionClaim, before: string, owner: string) {
  await runs.testRuns.release({ testRunId, owner: before, attempt });
  const claim = (await runs.testRuns.adopt(owner, 100)).find((one) => one.testRunId === testRunId);
  if (claim === undefined) throw new Error('The run was not adopted.');
  return claim;
}

async function fail(scenarioRunId: string, testRunId: string): Promise<void> {
  const owner = randomUUID();
  await runs.claim(scenarioRunId, testRunId, owner);
  const failure = { code: 'provider_error', message: 'No.' } as const;
  const ref = { scenarioRunId, testRunId, owner, attempt: 1 };
  await runs.scenarioRuns.record({ ...ref, kind: 'failure', failure, metadata: {} });
}

async function rowOf(testRunId: string) {
  const [row] = await runs.database.query(
    'SELECT status, owner, attempt, failed_supervisions FROM test_runs WHERE id = $1',
    [testRunId],
  );
  return row;
}

describe('the supervisor of a run', () => {
  test('dispatches up to the limit, and the next one for each that settles, until the run has ended', async () => {
    class NotedFailures extends FailedSupervisions {
      noted = 0;

      override note(...supervision: Parameters<FailedSupervisions['note']>) {
        this.noted += 1;
        return super.note(...supervision);
      }
    }
    const failures = new NotedFailures(runs.database, new CommittedEvents());
    const { bus, owner, settlements, actors } = open({ failures });
    const claim = await runs.createRun({ scenarios: 3, concurrencyLimit: 1, owner });
    const { testRunId, unsettled } = claim;
    actors.supervise(claim);
    for (const [at, scenarioRunId] of unsettled.entries()) {
      const before = unsettled.slice(0, at + 1).map((id) => `${id}:0`);
      await eventually(() => expect(bus.dispatched).toEqual(before));
      await fail(scenarioRunId, testRunId);
      settlements.announce(testRunId, scenarioRunId);
    }
    await eventually(() => expect(actors.listIds()).toEqual([]));
    expect(await rowOf(testRunId)).toMatchObject({ status: 'failed', owner: null });
    // Its scenario runs have failed; its supervision has not.
    expect(failures.noted).toBe(0);
    // Nobody listens for what settles in it any more.
    const asked = bus.request(subjects.settlement(testRunId), {}, { timeoutMs: 1_000 });
    await expect(asked).rejects.toMatchObject({ reason: 'no_responder' });
  });

  test('gives the queue a bounded number of messages at a time, in the order of the run, whatever the limit', async () => {
    const { bus, owner, actors } = open();
    const claim = await runs.createRun({ scenarios: 500, concurrencyLimit: 500, owner });
    actors.supervise(claim);
    await eventually(() => expect(actors.listSupervised()[0]?.dispatched.length).toBe(500));
    expect(bus.dispatched).toEqual(claim.unsettled.map((id) => `${id}:0`));
    expect(bus.mostOpen).toBe(64);
  });

  test('of a scheduled run waits for its time, by the clock of the database', async () => {
    const { bus, owner, actors } = open();
    const scheduledAt = new Date(Date.now() + 500).toISOString();
    const claim = await runs.createRun({ scenarios: 1, owner, scheduledAt });
    actors.supervise(claim);
    await eventually(() => expect(bus.dispatched.length).toBe(1));
    const rows = await runs.database.query(
      'SELECT status, started_at >= scheduled_at AS in_time FROM test_runs WHERE id = $1',
      [claim.testRunId],
    );
    expect(rows).toEqual([{ status: 'running', in_time: true }]);
  });

  test('that takes a run over dispatches what nobody executes, and settles what has ended without its report', async () => {
    const { bus, owner, actors } = open();
    const before = randomUUID();
    const run = await runs.createRun({ scenarios: 4, owner: before });
    const [ended = '', executed = '', fresh = '', released = ''] = run.unsettled;
    const claim = await adopted(run, before, owner);
    await fail(ended, run.testRunId);
    await runs.claim(executed, run.testRunId, randomUUID());
    const gone = { scenarioRunId: released, testRunId: run.testRunId, owner: randomUUID(), attempt: 1 };
    await runs.claim(released, run.testRunId, gone.owner);
    await runs.scenarioRuns.record({ ...gone, kind: 'release', sentTurns: 0 });
    actors.supervise(claim);
    await eventually(() =>
      expect(actors.listSupervised()).toEqual([
        { testRunId: run.testRunId, attempt: 2, dispatched: [executed, fresh, released] },
      ]),
    );
    expect([...bus.dispatched].sort()).toEqual([`${fresh}:0`, `${released}:1`].sort());
  });

  test('gives way to the next one of the same process, which alone goes on', async () => {
    const { owner, actors, started } = open();
    const first = await runs.createRun({ scenarios: 2, owner });
    actors.supervise(first);
    const second = await adopted(first, owner, owner);
    actors.supervise(second);
    expect(started.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(started.map(({ actor }) => actor.getSnapshot().status)).toEqual(['done', 'active']);
    expect(actors.listIds()).toEqual([first.testRunId]);
    await eventually(() => expect(actors.listSupervised()[0]?.dispatched).toEqual(first.unsettled));
    expect(await rowOf(first.testRunId)).toMatchObject({ owner, attempt: 2, failed_supervisions: 0 });
  });

  test('releases the run when its process stops, which counts as no failure', async () => {
    const { owner, actors } = open();
    const claim = await runs.createRun({ scenarios: 2, owner });
    actors.supervise(claim);
    actors.releaseAll();
    expect(actors.isSettled).toBe(false);
    await eventually(() => expect([actors.listIds(), actors.isSettled]).toEqual([[], true]));
    expect(await rowOf(claim.testRunId)).toMatchObject({ status: 'running', owner: null, failed_supervisions: 0 });
  });

  test('is not settled while it records the end of its run, for which a stopping process waits', async () => {
    const { owner, settlements, actors } = open();
    const claim = await runs.createRun({ owner });
    const { testRunId, unsettled } = claim;
    const [scenarioRunId = ''] = unsettled;
    actors.supervise(claim);
    await fail(scenarioRunId, testRunId);
    expect(actors.isSettled).toBe(true);
    await runs.database.transaction(async (tx) => {
      await tx.query('SELECT FROM test_runs WHERE id = $1 FOR UPDATE', [testRunId]);
      settlements.announce(testRunId, scenarioRunId);
      await eventually(() => expect(actors.isSettled).toBe(false));
    });
    await eventually(() => expect(actors.isSettled).toBe(true));
    expect(await rowOf(testRunId)).toMatchObject({ status: 'failed', owner: null });
  });

  test('of a scheduled run that cannot learn how long it is to wait fails, which the log says, and does not begin', async () => {
    class LostClock extends OwnershipStore {
      override millisecondsUntil(): Promise<never> {
        return Promise.reject(new Error('Nobody knows the time.'));
      }
    }
    const lines: unknown[] = [];
    const log = createLog('warn', { write: (line) => lines.push(JSON.parse(line)) });
    const { bus, owner, actors } = open({ ownership: new LostClock(runs.database), log });
    const claim = await runs.createRun({ owner, scheduledAt: new Date(Date.now() + 3_600_000).toISOString() });
    actors.supervise(claim);
    await eventually(() => expect([actors.listIds(), actors.isSettled]).toEqual([[], true]));
    expect(await rowOf(claim.testRunId)).toMatchObject({ status: 'scheduled', owner: null, failed_supervisions: 1 });
    expect(bus.dispatched).toEqual([]);
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'An effect of a test run failed',
        effect: 'waitUntilDue',
        error: expect.objectContaining({ message: 'Nobody knows the time.' }),
        testRunId: claim.testRunId,
        attempt: 1,
      }),
    ]);
  });

  test('that fails releases the run too, and that counts', async () => {
    const { bus, owner, actors } = open();
    bus.broken = true;
    const claim = await runs.createRun({ scenarios: 2, owner });
    actors.supervise(claim);
    await eventually(() => expect([actors.listIds(), actors.isSettled]).toEqual([[], true]));
    expect(await rowOf(claim.testRunId)).toMatchObject({ status: 'running', owner: null, failed_supervisions: 1 });
  });

  test('that fails and cannot release its run is over: the lease will expire, which the log says', async () => {
    class LostFailures extends FailedSupervisions {
      override note(): Promise<never> {
        return Promise.reject(new Error('The row cannot be written.'));
      }
    }
    const lines: unknown[] = [];
    const log = createLog('warn', { write: (line) => lines.push(JSON.parse(line)) });
    const failures = new LostFailures(runs.database, new CommittedEvents());
    const { bus, owner, actors } = open({ failures, log });
    bus.broken = true;
    const claim = await runs.createRun({ owner });
    actors.supervise(claim);
    await eventually(() => expect([actors.listIds(), actors.isSettled]).toEqual([[], true]));
    expect(await rowOf(claim.testRunId)).toMatchObject({ status: 'running', owner });
    expect(lines).toEqual([
      expect.objectContaining({ msg: 'An effect of a test run failed', effect: 'dispatch' }),
      expect.objectContaining({
        msg: 'A test run could not be released; its lease will expire',
        error: expect.objectContaining({ message: 'The row cannot be written.' }),
        testRunId: claim.testRunId,
      }),
    ]);
  });

  test('that finds its work refused for good fails, as no waiting mends that', async () => {
    const { bus, owner, actors } = open();
    bus.broken = true;
    bus.breaks = () => new BusError('invalid_payload', 'The queue does not take this.');
    const claim = await runs.createRun({ scenarios: 2, owner });
    actors.supervise(claim);
    await eventually(() => expect([actors.listIds(), actors.isSettled]).toEqual([[], true]));
    expect(await rowOf(claim.testRunId)).toMatchObject({ owner: null, failed_supervisions: 1 });
  });

  test('that finds the queue out of reach goes on when it is back: that is no failure', async () => {
    const { bus, owner, actors } = open();
    bus.refusals = 2;
    const claim = await runs.createRun({ scenarios: 2, owner });
    actors.supervise(claim);
    await eventually(() => expect(bus.dispatched.length).toBe(2));
    expect([...bus.dispatched].sort()).toEqual(claim.unsettled.map((id) => `${id}:0`).sort());
    expect(actors.listIds()).toEqual([claim.testRunId]);
    expect(await rowOf(claim.testRunId)).toMatchObject({ owner, failed_supervisions: 0 });
  });

  test('ends with the cancellation of the run, and dispatches nothing more', async () => {
    const { bus, owner, settlements, actors } = open();
    const claim = await runs.createRun({ scenarios: 2, concurrencyLimit: 1, owner });
    const [first = ''] = claim.unsettled;
    actors.supervise(claim);
    await eventually(() => expect(bus.dispatched).toEqual([`${first}:0`]));
    await runs.testRuns.cancel(claim.testRunId);
    actors.cancel(claim.testRunId);
    settlements.announce(claim.testRunId, first);
    expect(actors.listIds()).toEqual([]);
    await new Promise(setImmediate);
    expect(bus.dispatched).toHaveLength(1);
    expect(await rowOf(claim.testRunId)).toMatchObject({ status: 'canceled', failed_supervisions: 0 });
  });
});
