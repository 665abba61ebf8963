import { AttemptLeases, type AttemptLease } from '../../src/engine/actors/attempt-leases';
import { Executions } from '../../src/engine/actors/executions';
import type { ProcessId } from '../../src/engine/actors/process-id';
import { ScenarioRunActors } from '../../src/engine/actors/scenario-run-actors';
import type { Settlements } from '../../src/engine/actors/settlements';
import { silentLog } from '../../src/platform/config/log';
import { settingsFrom } from '../../src/platform/config/settings';
import { ScreenshotsStore } from '../../src/engine/ledger/screenshots.store';
import { InProcessRequestBudget } from '../../src/agents/outbound/in-process.request-budget';
import { ProviderRegistry } from '../../src/agents/registry';
import type { TextThreads } from '../../src/examiners/threads/text-threads';
import { NoTracing } from '../../src/platform/telemetry/tracing/tracing';
import { inText } from './in-text';
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
    inText,
    silentLog,
  );
  const actors = new GivenLeases(executions, process.settlements, silentLog);
  return { actors, leases, close: () => providers.close() };
}
