import type { AttemptLeases } from '../../src/engine/actors/attempt-leases';
import { Executions } from '../../src/engine/actors/executions';
import type { ProcessId } from '../../src/engine/actors/process-id';
import { silentLog } from '../../src/platform/config/log';
import type { Settings } from '../../src/platform/config/settings';
import { ScreenshotsStore } from '../../src/engine/ledger/screenshots.store';
import type { ProviderRegistry } from '../../src/agents/registry';
import type { TextThreads } from '../../src/examiners/threads/text-threads';
import { NoTracing } from '../../src/platform/telemetry/tracing/tracing';
import { inText } from './in-text';
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
    inText,
    silentLog,
  );
}
