import type { Exchange } from '../../machines/conversation';
import { DecisionReview } from './decision-review';
import type { CriterionDecision, IndexedCriterion } from './judge';

export interface ReviewRequest {
  readonly criteria: readonly IndexedCriterion[];
  readonly transcript: readonly Exchange[];
  /** Every answer of the judge so far, the first one first. */
  readonly answers: readonly (readonly CriterionDecision[])[];
}

export interface Review {
  /** What is wrong with the answers, by criterion index. */
  readonly objections: ReadonlyMap<number, string>;
  /** The decisions that stand if nothing more is asked. */
  readonly settled: readonly CriterionDecision[];
}

/** Reviews all answers from the beginning, so that a thread without a memory can do it. */
export function review({ criteria, transcript, answers }: ReviewRequest): Review {
  const decisions = new DecisionReview(criteria, transcript);
  for (const answer of answers) decisions.take(answer);
  return { objections: decisions.objections, settled: decisions.settle() };
}
