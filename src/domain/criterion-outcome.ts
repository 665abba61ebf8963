import { MUST_PASS_TAG, violatesMustPass } from './rubric';

/** A criterion as it was decided, in the API's field names; the page and the command read it by the same rules. */
export interface DecidedCriterion {
  readonly criterion: string;
  readonly decision: string;
  /** Negative: something the agent must not do. */
  readonly max_points: number;
  readonly tags: readonly string[];
}

export type CriterionOutcome = 'good' | 'half' | 'bad';

/** What a decision means for the agent: of a criterion with negative points MET is the violation, of a must-pass one also half of it (ADR 5). */
export function outcomeOf({ decision, max_points, tags }: Omit<DecidedCriterion, 'criterion'>): CriterionOutcome {
  if (violatesMustPass(decision, max_points, tags)) return 'bad';
  if (decision === 'PARTIALLY MET') return 'half';
  return (decision === 'MET') === max_points >= 0 ? 'good' : 'bad';
}

export function isMustPass({ tags }: DecidedCriterion): boolean {
  return tags.includes(MUST_PASS_TAG);
}

/** Whether a criterion is the one whose words end the time from a red flag to help. */
export function asksForEscalation(criterion: DecidedCriterion): boolean {
  return isMustPass(criterion) && criterion.tags.includes('escalation') && criterion.max_points > 0;
}

/** What went wrong, must-pass criteria first: any of those fails the scenario, whatever its score. */
export function missedOf<Criterion extends DecidedCriterion>(results: readonly Criterion[] | null): Criterion[] {
  const missed = (results ?? []).filter((result) => outcomeOf(result) === 'bad');
  return [...missed.filter(isMustPass), ...missed.filter((result) => !isMustPass(result))];
}

/** What a pass rate does not show: how much of the checklists was missed, and how many must-pass criteria. */
export interface MissedTally {
  /** Scenario runs that were graded. */
  readonly graded: number;
  readonly criteria: number;
  readonly missed: number;
  /** Missed criteria that are must-pass. */
  readonly mustPass: number;
  /** Missed criteria that name what the agent must not do, and did. */
  readonly forbidden: number;
}

export function tallyMissed(
  scenarioRuns: readonly { readonly criteria_results: readonly DecidedCriterion[] | null }[],
): MissedTally {
  const graded = scenarioRuns.flatMap(({ criteria_results: results }) => (results === null ? [] : [results]));
  const missed = graded.flatMap(missedOf);
  return {
    graded: graded.length,
    criteria: graded.reduce((sum, results) => sum + results.length, 0),
    missed: missed.length,
    mustPass: missed.filter(isMustPass).length,
    forbidden: missed.filter(({ max_points }) => max_points < 0).length,
  };
}
