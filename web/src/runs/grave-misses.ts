import { isMustPass, missedOf, type DecidedCriterion } from '../../../src/domain';

/** The fields of a scenario run that are read, in the API's names. */
interface Marked<Criterion> {
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly criteria_results: readonly Criterion[] | null;
}

/** A criterion of one scenario that fails it by itself, or an act that the agent must not do. */
export interface GraveMiss<Run> {
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly criterion: string;
  readonly isMustPass: boolean;
  readonly isForbidden: boolean;
  /** The conversations in which it happened, in the run's order. */
  readonly runs: readonly Run[];
  /** How many conversations of the scenario were graded. */
  readonly graded: number;
}

/** Each once, however often it happened: must-pass criteria first, then the most frequent. */
export function graveMisses<Run extends Marked<DecidedCriterion>>(scenarioRuns: readonly Run[]): GraveMiss<Run>[] {
  const graded = new Map<string, number>();
  for (const { scenario_id, criteria_results } of scenarioRuns) {
    if (criteria_results !== null) graded.set(scenario_id, (graded.get(scenario_id) ?? 0) + 1);
  }
  const found = new Map<string, GraveMiss<Run>>();
  for (const run of scenarioRuns) {
    for (const result of missedOf(run.criteria_results)) {
      const isForbidden = result.max_points < 0;
      if (!isMustPass(result) && !isForbidden) continue;
      const key = JSON.stringify([run.scenario_id, result.criterion, isForbidden]);
      const known = found.get(key);
      found.set(key, {
        scenario_id: run.scenario_id,
        scenario_name: run.scenario_name,
        criterion: result.criterion,
        isMustPass: isMustPass(result),
        isForbidden,
        runs: [...(known?.runs ?? []), run],
        graded: graded.get(run.scenario_id) ?? 0,
      });
    }
  }
  return [...found.values()].sort(
    (one, other) => Number(other.isMustPass) - Number(one.isMustPass) || other.runs.length - one.runs.length,
  );
}
