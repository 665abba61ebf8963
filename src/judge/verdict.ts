import {
  pointsEarned,
  scoreRubric,
  type CriterionResult,
  type RubricCriterion,
  type Verdict,
} from '../../machines/rubric';
import type { CriterionDecision } from './judge';

/** Adds checked decisions up to a verdict. There is one decision for each criterion, in the rubric's order. */
export function verdictOf(
  criteria: readonly RubricCriterion[],
  decisions: readonly CriterionDecision[],
  passThreshold: number,
  summary: string,
): Verdict {
  const results = decisions.flatMap(({ index, decision, rationale, evidence }): CriterionResult[] => {
    const rubric = criteria[index];
    if (rubric === undefined) return [];
    const { criterion, points, tags } = rubric;
    return [
      { criterion, tags, decision, points: pointsEarned(points, decision), maxPoints: points, rationale, evidence },
    ];
  });
  const { passed, scorePercent, totalPoints, maxPoints } = scoreRubric(results, passThreshold);
  return { passed, scorePercent, totalPoints, maxPoints, summary, criteria: results };
}
