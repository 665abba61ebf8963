import { AttemptLeases, type AttemptLease } from '../../src/actors/attempt-leases';
import { Executions } from '../../src/actors/executions';
import type { ProcessId } from '../../src/actors/process-id';
import { ScenarioRunActors } from '../../src/actors/scenario-run-actors';
import type { Settlements } from '../../src/actors/settlements';
import { silentLog } from '../../src/config/log';
import { settingsFrom } from '../../src/config/settings';
import { ScreenshotsStore } from '../../src/persistence/screenshots.store';
import { InProcessRequestBudget } from '../../src/providers/in-process.request-budget';
import { ProviderRegistry } from '../../src/providers/registry';
import type { TextThreads } from '../../src/threads/text-threads';
import { NoTracing } from '../../src/tracing/tracing';
import type { StoredRuns } from './stored-run';

/** Has the leases that the test gives it, whatever it executes. */
class GivenLeases extends ScenarioRunActors {
  readonly leases: AttemptLease[] = [];

  override listLeases(): readonly AttemptLease[] {
    return this.leases;
  }
}

/** The actors of scenario runs of one process, of which only the leases matter. */
export function executedRows(
  { database, ownership, scenarioRuns }: StoredRuns,
  process: { readonly processId: ProcessId; readonly settlements: Settlements },
  threads: TextThreads,
) {
  const providers = new ProviderRegistry({ budget: new InProcessRequestBudget() });
  const leases = new AttemptLeases(ownership, database, silentLog);
  const executions = new Executions(
    process.processId,
    leases,
    providers,
    threads,
    scenarioRuns,
    new ScreenshotsStore(database),
    new NoTracing(),
    settingsFrom({}),
    silentLog,
  );
  const actors = new GivenLeases(executions, process.settlements, silentLog);
  return { actors, leases, close: () => providers.close() };
}
