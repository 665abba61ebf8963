import type { TestRun } from '../api/runs';
import type { ScenarioRun } from '../api/scenario-runs';

export type Change = 'worse' | 'better' | 'same' | 'not comparable';
export const CHANGES: readonly Change[] = ['worse', 'better', 'not comparable', 'same'];

/** One scenario in two runs; null where a run did not have it. */
export interface Compared {
  readonly scenarioId: string;
  readonly name: string;
  readonly base: ScenarioRun | null;
  readonly head: ScenarioRun | null;
  readonly change: Change;
  /** Score of the second run minus that of the first; null when one of them was not marked. */
  readonly difference: number | null;
}

/** By scenario, what got worse first. Only marked scenario runs are compared: an error says nothing about the agent. */
export function compare(base: readonly ScenarioRun[], head: readonly ScenarioRun[]): Compared[] {
  const heads = new Map(head.map((run) => [run.scenario_id, run]));
  const bases = new Map(base.map((run) => [run.scenario_id, run]));
  const ids = new Set([...bases.keys(), ...heads.keys()]);
  const compared = [...ids].map((id) => comparedOf(id, bases.get(id) ?? null, heads.get(id) ?? null));
  return compared.sort(
    (one, other) =>
      CHANGES.indexOf(one.change) - CHANGES.indexOf(other.change) ||
      Math.abs(other.difference ?? 0) - Math.abs(one.difference ?? 0) ||
      one.name.localeCompare(other.name),
  );
}

function comparedOf(scenarioId: string, base: ScenarioRun | null, head: ScenarioRun | null): Compared {
  const name = head?.scenario_name ?? base?.scenario_name ?? scenarioId;
  const isMarked = typeof base?.passed === 'boolean' && typeof head?.passed === 'boolean';
  if (!isMarked) return { scenarioId, name, base, head, change: 'not comparable', difference: null };
  const difference = (head.score_percent ?? 0) - (base.score_percent ?? 0);
  return { scenarioId, name, base, head, change: changeOf(base.passed, head.passed, difference), difference };
}

/** Passing or not weighs more than the score. */
function changeOf(passedBefore: boolean | null, passesNow: boolean | null, difference: number): Change {
  if (passedBefore !== passesNow) return passesNow === true ? 'better' : 'worse';
  if (difference === 0) return 'same';
  return difference > 0 ? 'better' : 'worse';
}

/** What makes the two pass rates say less than they seem to, in sentences. */
export function doubtsAbout(base: TestRun, head: TestRun, compared: readonly Compared[]): string[] {
  const doubts: string[] = [];
  for (const [title, run] of [['first', base] as const, ['second', head] as const]) {
    if (run.status !== 'completed')
      doubts.push(`The ${title} run is ${run.status}: its pass rate is not that of a whole run.`);
    if (run.error_count > 0) doubts.push(`${run.error_count} errors of the ${title} run count as not passed.`);
  }
  if (compared.some(({ base: before, head: after }) => before === null || after === null)) {
    doubts.push('The runs had different scenarios.');
  }
  if (base.max_turns !== head.max_turns)
    doubts.push(`Conversations had ${base.max_turns} turns before, ${head.max_turns} after.`);
  if (base.pass_threshold !== head.pass_threshold) {
    doubts.push(`The pass mark was ${base.pass_threshold} % before, ${head.pass_threshold} % after.`);
  }
  return doubts;
}
