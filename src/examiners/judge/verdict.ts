import {
  pointsEarned,
  scoreRubric,
  type CriterionResult,
  type Evidence,
  type RubricCriterion,
  type Verdict,
} from '../../domain/rubric';
import type { CriterionDecision } from './criterion-decision';
import type { NumberedSentence } from './marking-request';

export interface VerdictFrame {
  /** 0..100 */
  readonly passThreshold: number;
  readonly summary: string;
  /** Of the agent. */
  readonly replies: number;
}

/** Adds up reviewed decisions to a verdict. There is one decision for each criterion, in the rubric's order. */
export function verdictOf(
  criteria: readonly RubricCriterion[],
  decisions: readonly CriterionDecision[],
  { passThreshold, summary, replies }: VerdictFrame,
): Verdict {
  const results = decisions.flatMap((decided): CriterionResult[] => {
    const rubric = criteria[decided.index];
    if (rubric === undefined) return [];
    const { criterion, points, tags } = rubric;
    const { decision, rationale, evidence, absence, votes } = decided;
    return [
      {
        criterion,
        tags,
        decision,
        points: pointsEarned(points, decision),
        maxPoints: points,
        rationale,
        evidence: evidenceOf(evidence),
        absence,
        ...(absence ? { repliesRead: replies } : {}),
        ...(votes === undefined ? {} : { votes }),
        disputed: new Set(votes).size > 1,
      },
    ];
  });
  const { passed, scorePercent, totalPoints, maxPoints } = scoreRubric(results, passThreshold);
  return { passed, scorePercent, totalPoints, maxPoints, summary, criteria: results };
}

/** The stored words, fit for PostgreSQL. */
export function evidenceOf(sentences: readonly NumberedSentence[]): Evidence[] {
  return sentences.map(({ turn, text }) => ({ turn, quote: text.replaceAll('\0', '').toWellFormed() }));
}
