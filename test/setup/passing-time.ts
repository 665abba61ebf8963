import { Reconciler } from '../../src/engine/actors/reconciler';
import { TestRunActors } from '../../src/engine/actors/test-run-actors';
import { WorkIntake } from '../../src/engine/actors/work-intake';
import { LEASE_SECONDS } from '../../src/engine/ledger/lease';
import { eventually } from './eventually';
import type { TestService } from './service';

interface Queried {
  query(sql: string, values: unknown[]): Promise<unknown>;
}

/** As if the owner of a run had been silent for the time of a lease: a longer one goes on to hold. */
export async function passLease(database: Queried, testRunId: string): Promise<void> {
  for (const [table, key] of [
    ['test_runs', 'id'],
    ['scenario_runs', 'test_run_id'],
  ]) {
    await database.query(
      `UPDATE ${table} SET heartbeat_at = heartbeat_at - make_interval(secs => $2) WHERE ${key} = $1`,
      [testRunId, LEASE_SECONDS],
    );
  }
}

/** The service looks at once for what nobody supervises or executes, and has looked when this resolves. */
export async function reconcile({ app }: Pick<TestService, 'app'>): Promise<void> {
  const reconciler = app.get(Reconciler);
  await reconciler.stop();
  reconciler.start();
  await reconciler.stop();
  reconciler.start();
}

/** Resolves when the service has dispatched scenario runs of a run, and executes none of them: it has declined them, or they have ended. */
export async function untilDeclined({ app }: Pick<TestService, 'app'>, testRunId: string): Promise<void> {
  await eventually(() => {
    const run = [...app.get(TestRunActors).listSupervised()].find((one) => one.testRunId === testRunId);
    expect(run?.dispatched.length ?? 0).toBeGreaterThan(0);
  });
  await reconcile({ app });
  await eventually(() => expect(app.get(WorkIntake).isIdle).toBe(true));
}
