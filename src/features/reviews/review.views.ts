import type { NotBlind } from '../shown-marks/shown-marks.store';
import type { ReviewedRun, StoredReview } from './reviews.store';
import { type ReviewView } from '../../../contract/reviews';

export function viewOfReview(review: StoredReview, { criteria_results, test_run_id }: ReviewedRun): ReviewView {
  return {
    id: review.id,
    scenario_run_id: review.scenario_run_id,
    test_run_id,
    number: review.number,
    reviewer: review.reviewer,
    key_name: review.key_name,
    role: review.role,
    blind: review.blind,
    not_blind_because: review.not_blind_because && notBlindSentence(review.not_blind_because, review.key_name),
    global_rating: review.global_rating,
    comment: review.comment,
    criteria: review.criteria.map(({ decision, rationale, evidence: quotes }, index) => ({
      index,
      criterion: criteria_results?.[index]?.criterion ?? '',
      decision,
      rationale,
      evidence: quotes.map((quote) => ({ ...quote })),
    })),
    passed: review.passed,
    score_percent: review.score_percent,
    created_at: review.created_at.toISOString(),
  };
}

/**
 * Why a review is not blind, for people to read.
 * @param keyName null on a service without keys
 */
export function notBlindSentence(reason: NotBlind, keyName: string | null): string {
  switch (reason) {
    case 'marks_shown':
      return keyName === null
        ? 'This service has no keys, so it cannot tell people apart, and it has shown how the judge marked this conversation.'
        : `"${keyName}" was shown how the judge marked this conversation, or it was shown while the service had no keys.`;
    case 'source_deleted':
      return 'The run that this one began from was deleted, and with it the record of who was shown its marks.';
    case 'reviews_shown':
      return keyName === null
        ? 'This service has no keys, so it cannot tell people apart, and it has shown what others decided about this conversation.'
        : `"${keyName}" was shown what others decided about this conversation.`;
    case 'said_so':
      return 'The reviewer said so.';
  }
}
