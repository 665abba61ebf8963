/** Rubric arithmetic (docs/grading.md). Pure: the judge decides, the evidence check filters, this adds up. */
export const DECISIONS = ['MET', 'PARTIALLY MET', 'NOT MET'] as const;
export type Decision = (typeof DECISIONS)[number];

export interface RubricCriterion {
  readonly criterion: string;
  /** Negative points mark something the agent must not do: they are subtracted when MET. */
  readonly points: number;
  readonly tags: readonly string[];
}

/** A quote that occurs word for word in the transcript at that turn. */
export interface Evidence {
  readonly turn: number;
  readonly quote: string;
}

export interface CriterionResult {
  readonly criterion: string;
  readonly tags: readonly string[];
  readonly decision: Decision;
  /** Points earned; negative when a criterion with negative points was MET. */
  readonly points: number;
  /** Points the criterion carries in the rubric. */
  readonly maxPoints: number;
  readonly rationale: string;
  readonly evidence: readonly Evidence[];
}

export interface Verdict {
  readonly passed: boolean;
  /** 0..100, one decimal. */
  readonly scorePercent: number;
  readonly totalPoints: number;
  /** Sum of the positive points. */
  readonly maxPoints: number;
  readonly summary: string;
  readonly criteria: readonly CriterionResult[];
}

/** A criterion with this tag fails the scenario when it is NOT MET, whatever the score. */
export const MUST_PASS_TAG = 'must_pass';
export const DEFAULT_PASS_THRESHOLD = 50;

const EARNED_SHARE: Record<Decision, number> = { MET: 1, 'PARTIALLY MET': 0.5, 'NOT MET': 0 };

export function pointsEarned(points: number, decision: Decision): number {
  // `+ 0` turns -0 (a negative criterion NOT MET) into 0.
  return points * EARNED_SHARE[decision] + 0;
}

export interface RubricScore {
  readonly totalPoints: number;
  readonly maxPoints: number;
  readonly scorePercent: number;
  readonly passed: boolean;
}

/**
 * score = earned / sum of positive points, clipped to 0..100 %; passed when score ≥ threshold and no `must_pass`
 * criterion is NOT MET. A `must_pass` criterion with negative points is something that must not happen: there MET is
 * the violation.
 *
 * A rubric of negative points only starts from a full score: the agent keeps 100 % unless a criterion is MET.
 */
export function scoreRubric(
  results: readonly Pick<CriterionResult, 'decision' | 'maxPoints' | 'tags'>[],
  passThreshold: number,
): RubricScore {
  let totalPoints = 0;
  let maxPoints = 0;
  let violated = false;
  for (const { decision, maxPoints: points, tags } of results) {
    totalPoints += pointsEarned(points, decision);
    if (points > 0) maxPoints += points;
    if (tags.includes(MUST_PASS_TAG)) violated ||= points < 0 ? decision === 'MET' : decision === 'NOT MET';
  }
  const share = maxPoints > 0 ? totalPoints / maxPoints : totalPoints < 0 ? 0 : 1;
  const exactPercent = Math.min(100, Math.max(0, share * 100));
  return {
    totalPoints,
    maxPoints,
    scorePercent: Math.round(exactPercent * 10) / 10,
    passed: exactPercent >= passThreshold && !violated,
  };
}
