import { ActorHost } from '../../../src/engine/actors/actor-host';
import { AttemptLeases, type AttemptLease } from '../../../src/engine/actors/attempt-leases';
import { instantNow } from '../../../src/engine/actors/two-clock-instant';
import { OwnershipWatch } from '../../../src/engine/actors/ownership-watch';
import { ScenarioRunActors } from '../../../src/engine/actors/scenario-run-actors';
import { silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { OwnershipStore } from '../../../src/engine/ledger/ownership.store';
import { InProcessRequestBudget } from '../../../src/agents/outbound/in-process.request-budget';
import { ProviderRegistry } from '../../../src/agents/registry';
import { quietExecutions } from '../../setup/quiet-executions';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { openSupervisors } from '../../setup/supervisors';
import { openTextThreads } from '../../setup/text-threads';

const textThreads = openTextThreads();
let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

/** One of its questions may have no answer. */
class HalfStore extends OwnershipStore {
  unanswered: 'canceled runs' | 'lost attempts' | null = null;

  override async findCanceledRuns(ids: readonly string[]) {
    if (this.unanswered === 'canceled runs') throw new Error('The database is busy.');
    return super.findCanceledRuns(ids);
  }

  override async findLostAttempts(...asked: Parameters<OwnershipStore['findLostAttempts']>) {
    if (this.unanswered === 'lost attempts') throw new Error('The database is busy.');
    return super.findLostAttempts(...asked);
  }
}

/** Has one attempt, whatever it executes. */
class OneLease extends ScenarioRunActors {
  lease: AttemptLease | null = null;

  override listLeases(): readonly AttemptLease[] {
    return this.lease === null ? [] : [this.lease];
  }
}

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A process that supervises a run, and executes a scenario run of another. */
async function open() {
  const supervisors = openSupervisors(runs);
  const { processId, owner, settlements, actors } = supervisors;
  const ownership = new HalfStore(runs.database);
  const leases = new AttemptLeases(ownership, runs.database, silentLog);
  const providers = new ProviderRegistry({ budget: new InProcessRequestBudget() });
  const settings = settingsFrom({});
  const executions = quietExecutions(runs, { processId, leases, providers, textThreads, settings });
  const executed = new OneLease(executions, settlements, silentLog);
  const watch = new OwnershipWatch(new ActorHost(executed, actors), executed, leases, ownership, silentLog);
  cleanups.push(
    () => watch.stop(),
    supervisors.close,
    () => providers.close(),
  );
  const supervised = await runs.createRun({ owner });
  actors.supervise(supervised);
  const other = await runs.createRun();
  const [scenarioRunId = ''] = other.unsettled;
  const claim = await runs.claim(scenarioRunId, other.testRunId, owner);
  if (claim.kind !== 'claimed') throw new Error('The scenario run was not claimed.');
  const lease = leases.begin({ scenarioRunId, testRunId: other.testRunId, owner, attempt: 1 }, instantNow());
  executed.lease = lease;
  const heard: string[] = [];
  lease.onLoss((loss) => heard.push(loss));
  const look = async () => {
    watch.start();
    await watch.stop();
  };
  return { actors, ownership, heard, look, supervised, other };
}

describe('a look at the rows of all live actors', () => {
  test('ends the supervision of a run that was canceled, although the other look fails', async () => {
    const { actors, ownership, look, supervised } = await open();
    ownership.unanswered = 'lost attempts';
    await look();
    expect(actors.listIds()).toEqual([supervised.testRunId]);
    await runs.testRuns.cancel(supervised.testRunId);
    await look();
    expect(actors.listIds()).toEqual([]);
  });

  test('ends an attempt that lost its row, although the other look fails', async () => {
    const { ownership, heard, look } = await open();
    ownership.unanswered = 'canceled runs';
    await look();
    expect(heard).toEqual([]);
    await runs.ownership.releaseAll();
    await look();
    expect(heard).toEqual(['superseded']);
  });

  test('ends the attempts of a run that is supervised elsewhere when that is canceled or deleted', async () => {
    for (const end of [runs.testRuns.cancel.bind(runs.testRuns), runs.testRuns.delete.bind(runs.testRuns)]) {
      const { heard, look, other } = await open();
      await end(other.testRunId);
      await look();
      expect(heard).toEqual(['canceled']);
    }
  });
});
