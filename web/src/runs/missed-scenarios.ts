import { isMustPass, missedOf, type DecidedCriterion, gravityOf } from '../../../src/domain';
import { graveMisses, type GraveMiss } from './grave-misses';

/** The fields of a scenario run that are read, in the API's names. */
interface Marked {
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly scenario_severity?: string | null | undefined;
  readonly criteria_results: readonly DecidedCriterion[] | null;
}

/** What a run missed in one scenario. */
export interface MissedScenario<Run> {
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly severity: string | null;
  /** The conversations in which something was missed, in the run's order. */
  readonly runs: readonly Run[];
  readonly grave: readonly GraveMiss<Run>[];
  /** How many other criteria were missed in any of its conversations. */
  readonly others: number;
}

/** Each scenario once, ordered by must-pass criteria missed, then by severity, then by how much was missed. */
export function missedScenarios<Run extends Marked>(scenarioRuns: readonly Run[]): MissedScenario<Run>[] {
  const grave = new Map<string, GraveMiss<Run>[]>();
  for (const miss of graveMisses(scenarioRuns)) {
    grave.set(miss.scenario_id, [...(grave.get(miss.scenario_id) ?? []), miss]);
  }
  const found = new Map<string, { first: Run; runs: Run[]; others: Set<string> }>();
  for (const run of scenarioRuns) {
    const missed = missedOf(run.criteria_results);
    if (missed.length === 0) continue;
    const known = found.get(run.scenario_id) ?? { first: run, runs: [], others: new Set<string>() };
    known.runs.push(run);
    for (const one of missed) if (!isMustPass(one) && one.max_points >= 0) known.others.add(one.criterion);
    found.set(run.scenario_id, known);
  }
  return [...found]
    .map(([scenario_id, { first, runs, others }]) => ({
      scenario_id,
      scenario_name: first.scenario_name,
      severity: first.scenario_severity ?? null,
      runs,
      grave: grave.get(scenario_id) ?? [],
      others: others.size,
    }))
    .sort(byWeight);
}

function byWeight(one: MissedScenario<unknown>, other: MissedScenario<unknown>): number {
  return (
    Number(mustPassOf(other) > 0) - Number(mustPassOf(one) > 0) ||
    gravityOf(other.severity) - gravityOf(one.severity) ||
    mustPassOf(other) - mustPassOf(one) ||
    other.grave.length - one.grave.length ||
    other.others - one.others
  );
}

function mustPassOf({ grave }: MissedScenario<unknown>): number {
  return grave.filter((miss) => miss.isMustPass).length;
}
