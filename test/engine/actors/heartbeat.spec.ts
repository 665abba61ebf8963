import { Heartbeat } from '../../../src/engine/actors/heartbeat';
import { instantNow } from '../../../src/engine/actors/two-clock-instant';
import { silentLog } from '../../../src/platform/config/log';
import { LEASE_SECONDS } from '../../../src/engine/ledger/lease';
import { OwnershipStore } from '../../../src/engine/ledger/ownership.store';
import { eventually } from '../../setup/eventually';
import { executedRows } from '../../setup/executed-rows';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { openSupervisors } from '../../setup/supervisors';
import { openTextThreads } from '../../setup/text-threads';

const threads = openTextThreads();
let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

/** Its renewals may be held up. */
class HeldStore extends OwnershipStore {
  renewals = 0;
  holds: Promise<void> = Promise.resolve();

  override async renew(...asked: Parameters<OwnershipStore['renew']>): Promise<void> {
    this.renewals += 1;
    await this.holds;
    return super.renew(...asked);
  }
}

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A process that supervises a run and one that waits for its time, and executes two scenario runs of another, all with old signs of life. */
async function open() {
  const supervisors = openSupervisors(runs);
  const { owner, processId, actors } = supervisors;
  const executed = executedRows(runs, supervisors, threads);
  const ownership = new HeldStore(runs.database);
  const heartbeat = new Heartbeat(executed.actors, actors, ownership, processId, silentLog);
  cleanups.push(() => heartbeat.stop(), supervisors.close, executed.close);
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
  const supervised = [await runs.createRun({ owner }), await runs.createRun({ owner, scheduledAt })];
  for (const claim of supervised) actors.supervise(claim);
  const { testRunId, unsettled } = await runs.createRun({ scenarios: 2 });
  for (const scenarioRunId of unsettled) {
    await runs.claim(scenarioRunId, testRunId, owner);
    const ref = { scenarioRunId, testRunId, owner, attempt: 1 };
    executed.actors.leases.push(executed.leases.begin(ref, instantNow()));
    // The last of them is being graded.
    if (scenarioRunId === unsettled.at(-1)) await runs.scenarioRuns.record({ ...ref, kind: 'gradingStart' });
  }
  for (const table of ['test_runs', 'scenario_runs']) {
    await runs.database.query(`UPDATE ${table} SET heartbeat_at = now() - interval '1 hour'`);
  }
  /** How many of the rows have an owner that counts as alive. */
  const alive = async () => {
    const fresh = await runs.database.query(
      `SELECT FROM test_runs WHERE id = ANY($1::uuid[]) AND heartbeat_at > now() - interval '1 minute'`,
      [supervised.map((claim) => claim.testRunId)],
    );
    const standings = await runs.ownership.findStanding(unsettled);
    return { supervised: fresh.length, executed: standings.filter(({ isUnowned }) => !isUnowned).length };
  };
  return { heartbeat, ownership, alive };
}

describe('the heartbeat of a process', () => {
  test('begins at once, and renews what is supervised and what is executed', async () => {
    const { heartbeat, alive } = await open();
    expect(await alive()).toEqual({ supervised: 0, executed: 0 });
    heartbeat.start();
    await heartbeat.stop();
    expect(await alive()).toEqual({ supervised: 2, executed: 2 });
  });

  test('comes again long before a lease runs out', async () => {
    const { heartbeat, ownership } = await open();
    heartbeat.start();
    await eventually(() => expect(ownership.renewals).toBeGreaterThan(1), (LEASE_SECONDS * 1_000) / 2);
  });

  test('has ended when its stop resolves: nothing is written after it', async () => {
    const { heartbeat, ownership, alive } = await open();
    let goOn: () => void = () => undefined;
    ownership.holds = new Promise((resolve) => (goOn = resolve));
    heartbeat.start();
    let isStopped = false;
    const stopped = heartbeat.stop().then(() => (isStopped = true));
    await new Promise(setImmediate);
    expect({ isStopped, renewals: ownership.renewals }).toEqual({ isStopped: false, renewals: 1 });
    goOn();
    await stopped;
    expect(await alive()).toEqual({ supervised: 2, executed: 2 });
  });
});
