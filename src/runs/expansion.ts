import type { PlannedScenarioRun } from '../persistence/ledger/new-test-run';

/** What each scenario of a run is examined with. */
export interface Axes {
  readonly scenarioIds: readonly string[];
  /** At least 1. */
  readonly trials: number;
}

/**
 * Every conversation of a run. Trial by trial: a run that is looked at early, or canceled, has whole trials of every scenario,
 * not all trials of a few.
 */
export function expand({ scenarioIds, trials }: Axes): PlannedScenarioRun[] {
  const numbers = Array.from({ length: trials }, (_, before) => before + 1);
  return numbers.flatMap((trial) => scenarioIds.map((scenarioId) => ({ scenarioId, trial })));
}
