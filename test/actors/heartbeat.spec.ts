import { Heartbeat } from '../../src/actors/heartbeat';
import { momentNow } from '../../src/actors/moment';
import { silentLog } from '../../src/config/log';
import { OwnershipStore } from '../../src/persistence/ledger/ownership.store';
import { executedRows } from '../setup/executed-rows';
import { openStoredRuns, type StoredRuns } from '../setup/stored-run';
import { openSupervisors } from '../setup/supervisors';
import { openTextThreads } from '../setup/text-threads';

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

/** A process that supervises one run and executes a scenario run of another, both of them with old signs of life. */
async function open() {
  const supervisors = openSupervisors(runs);
  const { owner, processId, actors, bus } = supervisors;
  const executed = executedRows(runs, supervisors, threads);
  const ownership = new HeldStore(runs.database);
  const heartbeat = new Heartbeat(executed.actors, actors, ownership, processId, silentLog);
  cleanups.push(
    () => heartbeat.stop(),
    () => bus.close(),
    executed.close,
  );
  const supervised = await runs.createRun({ owner });
  actors.supervise(supervised);
  const other = await runs.createRun();
  const [scenarioRunId = ''] = other.unsettled;
  await runs.claim(scenarioRunId, other.testRunId, owner);
  const ref = { scenarioRunId, testRunId: other.testRunId, owner, attempt: 1 };
  executed.actors.leases.push(executed.leases.begin(ref, momentNow()));
  for (const table of ['test_runs', 'scenario_runs']) {
    await runs.database.query(`UPDATE ${table} SET heartbeat_at = now() - interval '1 hour'`);
  }
  /** Of both rows, whether their owner counts as alive. */
  const alive = async () => {
    const [run] = await runs.database.query<{ fresh: boolean }>(
      `SELECT heartbeat_at > now() - interval '1 minute' AS fresh FROM test_runs WHERE id = $1`,
      [supervised.testRunId],
    );
    const [standing] = await runs.ownership.findStanding([scenarioRunId]);
    return { supervised: run?.fresh, executed: standing?.isUnowned === false };
  };
  return { heartbeat, ownership, alive };
}

describe('the heartbeat of a process', () => {
  test('begins at once, and renews what is supervised and what is executed', async () => {
    const { heartbeat, alive } = await open();
    expect(await alive()).toEqual({ supervised: false, executed: false });
    heartbeat.start();
    await heartbeat.stop();
    expect(await alive()).toEqual({ supervised: true, executed: true });
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
    expect(await alive()).toEqual({ supervised: true, executed: true });
  });
});
