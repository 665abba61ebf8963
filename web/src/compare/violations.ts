/** A must-pass violation, in the API's names. */
interface Violation {
  readonly scenario_run_id: string;
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly trial: number;
  readonly criterion: string;
}

/** A must-pass criterion of one scenario, with the conversations that violate it. */
export interface ViolatedCriterion {
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly criterion: string;
  readonly runs: readonly Pick<Violation, 'scenario_run_id' | 'trial'>[];
}

/** Each criterion once, however many trials violate it; the most frequent first. */
export function groupViolations(violations: readonly Violation[]): ViolatedCriterion[] {
  const found = new Map<string, ViolatedCriterion>();
  for (const { scenario_id, scenario_name, criterion, scenario_run_id, trial } of violations) {
    const key = JSON.stringify([scenario_id, criterion]);
    const runs = [...(found.get(key)?.runs ?? []), { scenario_run_id, trial }];
    found.set(key, { scenario_id, scenario_name, criterion, runs });
  }
  return [...found.values()].sort((one, other) => other.runs.length - one.runs.length);
}
