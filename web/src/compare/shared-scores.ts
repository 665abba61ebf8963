import type { ScenarioRun } from '../api/scenario-runs';

/** A scenario that both runs graded: its mean score in each, in percent, and by how many points that changed. */
export interface SharedScore {
  readonly id: string;
  readonly name: string;
  readonly before: number;
  readonly after: number;
  readonly change: number;
}

export type SharedColumn = 'name' | 'before' | 'after' | 'change';

/** Means are over the graded trials; a scenario that only one of the runs graded is not shared. */
export function sharedScores(before: readonly ScenarioRun[], after: readonly ScenarioRun[]): SharedScore[] {
  const earlier = gradedOf(before);
  return [...gradedOf(after)].flatMap(([id, { name, scores }]) => {
    const was = earlier.get(id);
    if (was === undefined) return [];
    const [from, to] = [meanOf(was.scores), meanOf(scores)];
    return [{ id, name, before: from, after: to, change: to - from }];
  });
}

/** Rows that are equal in the column are ordered by name. */
export function sortedBy(scores: readonly SharedScore[], column: SharedColumn, isDescending: boolean): SharedScore[] {
  const sign = isDescending ? -1 : 1;
  return [...scores].sort((one, other) => {
    const byName = one.name.localeCompare(other.name, undefined, { numeric: true });
    return (column === 'name' ? sign * byName : sign * (one[column] - other[column])) || byName;
  });
}

function gradedOf(runs: readonly ScenarioRun[]): Map<string, { readonly name: string; readonly scores: number[] }> {
  const found = new Map<string, { readonly name: string; readonly scores: number[] }>();
  for (const { scenario_id: id, scenario_name: name, score_percent: score } of runs) {
    if (score === null) continue;
    const scores = found.get(id)?.scores;
    if (scores === undefined) found.set(id, { name, scores: [score] });
    else scores.push(score);
  }
  return found;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}
