import type { AttemptLeases } from '../../src/actors/attempt-leases';
import { Executions } from '../../src/actors/executions';
import type { ProcessId } from '../../src/actors/process-id';
import { silentLog } from '../../src/config/log';
import type { Settings } from '../../src/config/settings';
import { ScreenshotsStore } from '../../src/persistence/screenshots.store';
import type { ProviderRegistry } from '../../src/providers/registry';
import type { TextThreads } from '../../src/threads/text-threads';
import { NoTracing } from '../../src/tracing/tracing';
import type { StoredRuns } from './stored-run';

export interface QuietParts {
  readonly processId: ProcessId;
  readonly leases: AttemptLeases;
  readonly providers: ProviderRegistry;
  readonly textThreads: TextThreads;
  readonly settings: Settings;
}

/** What executes stored runs, without traces or a log. */
export function quietExecutions(
  { database, scenarioRuns }: StoredRuns,
  { processId, leases, providers, textThreads, settings }: QuietParts,
): Executions {
  const screenshots = new ScreenshotsStore(database);
  const tracing = new NoTracing();
  return new Executions(
    processId,
    leases,
    providers,
    textThreads,
    scenarioRuns,
    screenshots,
    tracing,
    settings,
    silentLog,
  );
}
