import type { PatientProfile } from '../../domain/patient';
import type { PlannedScenarioRun } from '../../engine/ledger/new-test-run';

/** What each scenario of a run is examined with. */
export interface Axes {
  readonly scenarioIds: readonly string[];
  /** At least one. */
  readonly patients: readonly PatientProfile[];
  /** At least 1. */
  readonly trials: number;
}

/**
 * Every conversation of a run: each scenario with each patient, trial by trial: a run that is looked at early, or canceled, has whole trials of every scenario,
 * not all trials of a few.
 */
export function expand({ scenarioIds, patients, trials }: Axes): PlannedScenarioRun[] {
  const numbers = Array.from({ length: trials }, (_, before) => before + 1);
  return numbers.flatMap((trial) =>
    scenarioIds.flatMap((scenarioId) => patients.map((patient) => ({ scenarioId, trial, patient }))),
  );
}
