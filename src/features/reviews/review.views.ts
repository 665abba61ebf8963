import { z } from 'zod';
import { DECISIONS } from '../../domain/rubric';
import { id, timestamp } from '../../platform/http/field';
import type { NotBlind } from '../shown-marks/shown-marks.store';
import type { ReviewedRun, StoredReview } from './reviews.store';

const percent = z.number().min(0).max(100);

const evidence = z.object({ turn: z.int(), quote: z.string() });

const reviewedCriterion = z.object({
  index: z.int().min(0),
  criterion: z.string(),
  decision: z.enum(DECISIONS),
  rationale: z.string(),
  evidence: z.array(evidence),
});

export const keyName = z
  .string()
  .nullable()
  .describe('Of the service key that wrote it; null on a service without keys.');
export const notBlindBecause = z.string().nullable().describe('A sentence; null when the review is blind.');

export const reviewView = z
  .object({
    id,
    scenario_run_id: id,
    test_run_id: id,
    number: z.int().min(1).describe('From 1, within its scenario run.'),
    reviewer: z.string(),
    key_name: keyName,
    role: z.enum(['reviewer', 'adjudicator']),
    blind: z
      .boolean()
      .describe(
        'Known by the service: it had shown this key no marks of this conversation, nor what others decided (which an adjudicator has to read).',
      ),
    not_blind_because: notBlindBecause,
    global_rating: z.int().min(1).max(5).nullable(),
    comment: z.string(),
    criteria: z.array(reviewedCriterion),
    passed: z.boolean().describe('By these decisions, scored as the judge’s are.'),
    score_percent: percent,
    created_at: timestamp,
  })
  .meta({ id: 'Review' });
export type ReviewView = z.infer<typeof reviewView>;

export const reviewList = z.object({
  reviews: z.array(reviewView),
  total: z.int().min(0),
  disagreements: z.int().min(0).describe('Criteria on which reviewers differ and no adjudicator has decided.'),
});
export type ReviewList = z.infer<typeof reviewList>;

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
        : `The key "${keyName}" was shown how the judge marked this conversation, or it was shown while the service had no keys.`;
    case 'source_deleted':
      return 'The run that this one began from was deleted, and with it the record of who was shown its marks.';
    case 'reviews_shown':
      return keyName === null
        ? 'This service has no keys, so it cannot tell people apart, and it has shown what others decided about this conversation.'
        : `The key "${keyName}" was shown what others decided about this conversation.`;
    case 'said_so':
      return 'The reviewer said so.';
  }
}
