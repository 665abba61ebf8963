import type { ScenarioRun } from '../connection/answers';

/** How a scenario fared in the second run, measured by the first. */
export type Change = 'better' | 'worse' | 'same' | 'unknown' | 'only_before' | 'only_after';

export interface ComparedScenario {
  readonly scenario_id: string;
  readonly name: string;
  readonly change: Change;
  readonly before: Mark | null;
  readonly after: Mark | null;
  /** Criteria that were met before and are not now, and the other way round; forbidden acts count when they are done. */
  readonly lost: readonly string[];
  readonly won: readonly string[];
}

export interface Mark {
  readonly status: string;
  readonly score_percent: number | null;
}

/**
 * Scenario by scenario, worst news first. A verdict that turned decides; with the same verdict, the score does. Where either
 * run has no verdict (an error, a cancellation) nothing is known.
 */
export function compareRuns(before: readonly ScenarioRun[], after: readonly ScenarioRun[]): ComparedScenario[] {
  const later = new Map(after.map((run) => [run.scenario_id, run]));
  const known = new Set(before.map(({ scenario_id }) => scenario_id));
  return [
    ...before.map((run) => compared(run, later.get(run.scenario_id) ?? null)),
    ...after.filter(({ scenario_id }) => !known.has(scenario_id)).map((run) => compared(null, run)),
  ].sort((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change));
}

const ORDER: readonly Change[] = ['worse', 'better', 'unknown', 'only_before', 'only_after', 'same'];

function compared(before: ScenarioRun | null, after: ScenarioRun | null): ComparedScenario {
  const one = after ?? before;
  const isBoth = before !== null && after !== null;
  return {
    scenario_id: one?.scenario_id ?? '',
    name: one?.scenario_name ?? '',
    change: changeOf(before, after),
    before: markOf(before),
    after: markOf(after),
    lost: isBoth ? difference(achieved(before), achieved(after)) : [],
    won: isBoth ? difference(achieved(after), achieved(before)) : [],
  };
}

function changeOf(before: ScenarioRun | null, after: ScenarioRun | null): Change {
  if (before === null) return 'only_after';
  if (after === null) return 'only_before';
  const verdicts = [before, after].map(({ status }) => VERDICTS.indexOf(status));
  const [was = -1, is = -1] = verdicts;
  if (was < 0 || is < 0) return 'unknown';
  const difference = is - was || (after.score_percent ?? 0) - (before.score_percent ?? 0);
  if (difference === 0) return 'same';
  return difference > 0 ? 'better' : 'worse';
}

/** From bad to good. */
const VERDICTS = ['failed', 'passed'];

function markOf(run: ScenarioRun | null): Mark | null {
  return run === null ? null : { status: run.status, score_percent: run.score_percent };
}

/** The criteria that went well; of a rubric that has changed meanwhile only the common ones can be compared by text. */
function achieved(run: ScenarioRun): Map<string, boolean> {
  return new Map(
    (run.criteria_results ?? []).map(({ criterion, decision, max_points }) => [
      criterion,
      max_points < 0 ? decision === 'NOT MET' : decision === 'MET',
    ]),
  );
}

/** Criteria that went well in one and not in the other, of those that both have. */
function difference(one: ReadonlyMap<string, boolean>, other: ReadonlyMap<string, boolean>): string[] {
  return [...one]
    .filter(([criterion, isGood]) => isGood && other.get(criterion) === false)
    .map(([criterion]) => criterion);
}
