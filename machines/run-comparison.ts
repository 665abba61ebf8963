import { isUsualPatient, patientName } from './patient';
import { outcomeOf, type DecidedCriterion } from './criterion-outcome';

/** How a scenario fared in the second run, measured by the first; the worst news first. */
export const CHANGES = ['worse', 'better', 'not_comparable', 'same'] as const;
export type Change = (typeof CHANGES)[number];

export const CHANGE_WORDS: Readonly<Record<Change, string>> = {
  worse: 'worse',
  better: 'better',
  not_comparable: 'not comparable',
  same: 'same',
};

/** Answers of older services have none. */
type ComparedPatient = { readonly style: string; readonly language: string };

/** " (anxious patient)" behind a scenario's name; nothing for the usual patient. */
function patientOf(patient: ComparedPatient | undefined): string {
  return patient === undefined || isUsualPatient(patient) ? '' : ` (${patientName(patient)})`;
}

/** The fields of a scenario run that are compared, in the API's names. */
export interface ComparableScenarioRun {
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly trial: number;
  readonly patient?: ComparedPatient | undefined;
  readonly status: string;
  readonly score_percent: number | null;
  readonly criteria_results: readonly DecidedCriterion[] | null;
}

export interface ComparedScenario<Run> {
  readonly scenario_id: string;
  readonly name: string;
  readonly trial: number;
  readonly change: Change;
  /** Why it cannot be compared, such as `error after` or `only before`; null when it can. */
  readonly reason: string | null;
  /** Null where a run did not have it. */
  readonly before: Run | null;
  readonly after: Run | null;
  /** Percentage points, one decimal; null when it cannot be compared. */
  readonly score_change: number | null;
  /** Criteria that went well before and not after, and the other way round, of those that both rubrics have. */
  readonly lost: readonly string[];
  readonly won: readonly string[];
}

/**
 * Scenario by scenario, and trial by trial. A verdict that turned decides; with the same verdict the score does. Only what was graded in both
 * runs is compared: an error or a cancellation says nothing about the agent.
 */
export function compareRuns<Run extends ComparableScenarioRun>(
  before: readonly Run[],
  after: readonly Run[],
): ComparedScenario<Run>[] {
  const later = new Map(after.map((run) => [conversationOf(run), run]));
  const known = new Set(before.map(conversationOf));
  const compared = [
    ...before.map((run) => compareScenario(run, later.get(conversationOf(run)) ?? null)),
    ...after.filter((run) => !known.has(conversationOf(run))).map((run) => compareScenario(null, run)),
  ];
  return compared.sort(
    (one, other) =>
      CHANGES.indexOf(one.change) - CHANGES.indexOf(other.change) ||
      Math.abs(other.score_change ?? 0) - Math.abs(one.score_change ?? 0) ||
      one.name.localeCompare(other.name) ||
      one.trial - other.trial,
  );
}

function conversationOf({ scenario_id, trial, patient }: ComparableScenarioRun): string {
  return `${scenario_id} ${trial} ${patientOf(patient)}`;
}

/** Of the scenarios that were graded in both runs: the pass rates that can be compared. */
export function gradedInBoth(compared: readonly ComparedScenario<ComparableScenarioRun>[]): {
  readonly scenarios: number;
  readonly passed_before: number;
  readonly passed_after: number;
} {
  const both = compared.filter(({ change }) => change !== 'not_comparable');
  const passed = (run: ComparableScenarioRun | null): boolean => run?.status === 'passed';
  return {
    scenarios: both.length,
    passed_before: both.filter(({ before }) => passed(before)).length,
    passed_after: both.filter(({ after }) => passed(after)).length,
  };
}

function compareScenario<Run extends ComparableScenarioRun>(
  before: Run | null,
  after: Run | null,
): ComparedScenario<Run> {
  const { scenario_id = '', scenario_name = '', trial = 1, patient } = after ?? before ?? {};
  const name = `${scenario_name}${patientOf(patient)}`;
  const reason = whyNot(before, after);
  const isComparable = reason === null && before !== null && after !== null;
  if (!isComparable) {
    return {
      scenario_id,
      name,
      trial,
      change: 'not_comparable',
      reason,
      before,
      after,
      score_change: null,
      lost: [],
      won: [],
    };
  }
  const score_change = Math.round(((after.score_percent ?? 0) - (before.score_percent ?? 0)) * 10) / 10;
  const [was, is] = [achieved(before), achieved(after)];
  return {
    scenario_id,
    name,
    trial,
    change: changeOf(before.status, after.status, score_change),
    reason,
    before,
    after,
    score_change,
    lost: inFirstOnly(was, is),
    won: inFirstOnly(is, was),
  };
}

function whyNot(before: ComparableScenarioRun | null, after: ComparableScenarioRun | null): string | null {
  if (before === null) return 'only after';
  if (after === null) return 'only before';
  const reasons = [
    ...(isGraded(before) ? [] : [`${before.status} before`]),
    ...(isGraded(after) ? [] : [`${after.status} after`]),
  ];
  return reasons.length === 0 ? null : reasons.join(', ');
}

function isGraded({ status }: ComparableScenarioRun): boolean {
  return status === 'passed' || status === 'failed';
}

function changeOf(was: string, is: string, scoreChange: number): Change {
  if (was !== is) return is === 'passed' ? 'better' : 'worse';
  if (scoreChange === 0) return 'same';
  return scoreChange > 0 ? 'better' : 'worse';
}

/** Of a rubric that has changed meanwhile only the common criteria can be compared, by their text. */
function achieved({ criteria_results }: ComparableScenarioRun): Map<string, boolean> {
  return new Map((criteria_results ?? []).map((result) => [result.criterion, outcomeOf(result) === 'good']));
}

function inFirstOnly(one: ReadonlyMap<string, boolean>, other: ReadonlyMap<string, boolean>): string[] {
  return [...one]
    .filter(([criterion, isGood]) => isGood && other.get(criterion) === false)
    .map(([criterion]) => criterion);
}
