import type { Screen } from '../cli/output/terminal';
import { oneLine } from '../cli/output/harmless-text';
import { startProgress } from '../cli/watch/progress';
import { Tally } from '../cli/watch/tally';
import { DEFAULT_TURNS } from '../src/domain';
import { DemoFailure } from './demo-failure';
import { followRun } from './follow-run';
import type { ScenarioRun, ServiceApi, TestRun, WantedRun } from './service-api';

export interface Examined {
  readonly run: TestRun;
  readonly scenarioRuns: readonly ScenarioRun[];
}

/** Starts a run, shows it as it goes on, and waits for its end. @throws DemoFailure unless it completes */
export async function examine(
  api: ServiceApi,
  wanted: WantedRun,
  screen: Screen,
  signal: AbortSignal,
): Promise<Examined> {
  const started = await api.startRun(wanted);
  const progress = startProgress(screen, new Tally(started.total_scenarios, DEFAULT_TURNS, 1));
  try {
    await followRun({ url: api.url, runId: started.id, signal, onEvent: (event) => progress.show(event) });
  } finally {
    progress.stop();
  }
  const run = await api.testRun(started.id);
  if (run.status !== 'completed') {
    throw new DemoFailure(`The run ended as ${run.status}: ${oneLine(run.error_message ?? 'without a reason')}`);
  }
  return { run, scenarioRuns: await api.scenarioRuns(started.id) };
}
