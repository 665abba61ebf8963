import { gravityOf } from '../../../src/domain';

/** A must-pass violation, in the API's names. */
interface Violation {
  readonly scenario_run_id: string;
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly trial: number;
  readonly criterion: string;
  /** missed: what earns points was not done. committed: what costs points was done. */
  readonly kind: 'missed' | 'committed';
}

/** A must-pass criterion of one scenario, with the conversations that violate it. */
export interface ViolatedCriterion extends Pick<Violation, 'scenario_id' | 'scenario_name' | 'criterion' | 'kind'> {
  /** Null for none, and before it is known. */
  readonly severity: string | null;
  readonly runs: readonly Pick<Violation, 'scenario_run_id' | 'trial'>[];
}

/** Each criterion once, however many trials violate it; the gravest scenarios first, and of one severity the most frequent violations. */
export function groupViolations(
  violations: readonly Violation[],
  severityOf: (scenarioId: string) => string | null = () => null,
): ViolatedCriterion[] {
  const found = new Map<string, ViolatedCriterion>();
  for (const { scenario_id, scenario_name, criterion, kind, scenario_run_id, trial } of violations) {
    const key = JSON.stringify([scenario_id, criterion, kind]);
    const runs = [...(found.get(key)?.runs ?? []), { scenario_run_id, trial }];
    found.set(key, { scenario_id, scenario_name, criterion, kind, severity: severityOf(scenario_id), runs });
  }
  return [...found.values()].sort(
    (one, other) => gravityOf(other.severity) - gravityOf(one.severity) || other.runs.length - one.runs.length,
  );
}
