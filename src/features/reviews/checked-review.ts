import { DECISIONS } from '../../domain/rubric';
import type { ReviewedCriterion } from './reviews.store';
import type { StoredCriterionResult } from '../runs/scenario-runs.store';
import { MOST_PROBLEMS } from '../../examiners/judge/quoted-words';
import type { CreateReviewRequest } from './review.requests';

/** What a review is about. */
export interface Reviewable {
  readonly criteria: readonly StoredCriterionResult[];
  readonly rubricScale: string | null;
  /** What is wrong with its quotes, by path (`quoteProblems`). */
  readonly quoteProblems: readonly string[];
}

/** A review that does not fit its conversation: by path, what is wrong. */
export class UnfitReview extends Error {
  override readonly name = 'UnfitReview';
}

/**
 * The decisions in the rubric's order: one for each criterion, of its scale, with quotes that stand word for word in the agent's reply of
 * their turn, as the judge's do. Of a review with more than MOST_PROBLEMS the first of them are named.
 * @throws UnfitReview
 */
export function checkedDecisions(
  given: CreateReviewRequest['criteria'],
  { criteria, rubricScale, quoteProblems }: Reviewable,
): ReviewedCriterion[] {
  const problems: string[] = [];
  const decided = new Map<number, ReviewedCriterion>();
  for (const [place, { index, decision, rationale, evidence }] of given.entries()) {
    const path = `criteria[${place}]`;
    if (index >= criteria.length) {
      problems.push(
        `${path}.index: there is no criterion ${index}; the ${criteria.length} of this rubric are 0 to ${criteria.length - 1}`,
      );
    } else if (decided.has(index)) {
      problems.push(`${path}.index: criterion ${index} is decided twice`);
    }
    if (rubricScale === 'binary' && decision === DECISIONS[1]) {
      problems.push(`${path}.decision: this rubric is marked MET or NOT MET, without ${DECISIONS[1]}`);
    }
    decided.set(index, { decision, rationale, evidence });
  }
  problems.push(...quoteProblems);
  const missing = criteria.flatMap((_, index) => (decided.has(index) ? [] : [index]));
  if (missing.length > 0) {
    problems.push(
      `criteria: no decision on ${missing.slice(0, 10).join(', ')}${missing.length > 10 ? ', …' : ''}; each criterion needs one`,
    );
  }
  if (problems.length > 0) throw new UnfitReview(problems.slice(0, MOST_PROBLEMS).join('; '));
  return criteria.flatMap((_, index) => decided.get(index) ?? []);
}
