import * as z from 'zod/mini';
import { REGIONS, DECISIONS, type Decision } from '../../../src/domain';
import { call } from './client';

const reviewSheet = z.object({
  scenario_run_id: z.string(),
  test_run_id: z.string(),
  scenario_name: z.string(),
  trial: z.number(),
  chief_complaint: z.nullable(z.string()),
  region: z.nullable(z.enum(REGIONS)),
  decisions: z.array(z.enum(DECISIONS)),
  criteria: z.array(
    z.object({ index: z.number(), criterion: z.string(), points: z.number(), tags: z.array(z.string()) }),
  ),
  transcript: z.array(z.object({ turn: z.number(), role: z.enum(['patient', 'agent']), content: z.string() })),
  reviewers: z.array(z.string()),
  disagreements: z.number(),
  you: z.object({
    key_name: z.nullable(z.string()),
    reviewer: z.nullable(z.string()),
    not_blind_because: z.nullable(z.string()),
  }),
});
export type ReviewSheet = z.output<typeof reviewSheet>;
export type SheetCriterion = ReviewSheet['criteria'][number];

const review = z.object({
  id: z.string(),
  reviewer: z.string(),
  key_name: z.nullable(z.string()),
  role: z.enum(['reviewer', 'adjudicator']),
  not_blind_because: z.nullable(z.string()),
  criteria: z.array(
    z.object({
      index: z.number(),
      criterion: z.string(),
      decision: z.enum(DECISIONS),
      evidence: z.array(z.object({ turn: z.number(), quote: z.string() })),
    }),
  ),
  passed: z.boolean(),
  score_percent: z.number(),
});
export type Review = z.output<typeof review>;

const reviewList = z.object({ reviews: z.array(review), total: z.number(), disagreements: z.number() });

export interface Quote {
  readonly turn: number;
  readonly quote: string;
}

export interface NewReview {
  readonly reviewer: string;
  readonly role: 'reviewer' | 'adjudicator';
  readonly global_rating: number | null;
  readonly comment: string;
  readonly criteria: readonly { index: number; decision: Decision; rationale: string; evidence: readonly Quote[] }[];
}

const queue = z.object({
  test_run_id: z.string(),
  progress: z.object({ reviewed: z.number(), to_review: z.number(), disagreements: z.number() }),
  results: z.array(
    z.object({
      scenario_run_id: z.string(),
      scenario_name: z.string(),
      trial: z.number(),
      reviews: z.number(),
      reviewers: z.array(z.string()),
      is_reviewed: z.boolean(),
      disagreements: z.number(),
    }),
  ),
  total: z.number(),
});
export type ReviewQueue = z.output<typeof queue>;

const measure = z.object({
  value: z.nullable(z.number()),
  low: z.nullable(z.number()),
  high: z.nullable(z.number()),
  reason: z.nullable(z.string()),
});

const between = {
  pairs: z.number(),
  confusion: z.object({ decisions: z.array(z.string()), counts: z.array(z.array(z.number())) }),
  raw: measure,
  kappa: measure,
  ac1: measure,
  macro_f1: measure,
};

const agreement = z.object({
  confidence: z.number(),
  conversations: z.number(),
  criteria: z.number(),
  raters: z.number(),
  not_blind: z.number(),
  judges: z.array(z.object({ name: z.string(), model: z.nullable(z.string()) })),
  with_judge: z.object({ ...between, faults: z.number(), sensitivity: measure, specificity: measure }),
  between_reviewers: z.nullable(z.object({ conversations: z.number(), ...between })),
  corrected_pass_rate: z.object({
    value: z.nullable(z.number()),
    low: z.optional(z.number()),
    high: z.optional(z.number()),
    judged: z.optional(z.number()),
    reason: z.nullable(z.string()),
  }),
});
export type Agreement = z.output<typeof agreement>;

const path = (id: string, rest: string) => `/api/v1/scenario-runs/${encodeURIComponent(id)}/${rest}`;

export function getReviewSheet(id: string, signal: AbortSignal): Promise<ReviewSheet> {
  return call(reviewSheet, path(id, 'review-sheet'), { signal });
}

export async function listReviews(id: string, signal: AbortSignal): Promise<Review[]> {
  return (await call(reviewList, path(id, 'reviews'), { signal })).reviews;
}

export function createReview(id: string, body: NewReview, idempotencyKey: string): Promise<Review> {
  return call(review, path(id, 'reviews'), { method: 'POST', body, idempotencyKey });
}

interface AskedQueue {
  /** Empty for no reviewer in particular. */
  readonly reviewer: string;
  readonly open: boolean;
  readonly limit: number;
}

/** The queue with the reader's own reviews, without the reasons for its entries, which would reveal what the judge found. */
export function getReviewQueue(
  runId: string,
  { reviewer, open, limit }: AskedQueue,
  signal: AbortSignal,
): Promise<ReviewQueue> {
  const query = new URLSearchParams({
    blind: 'true',
    mine: 'true',
    open: String(open),
    limit: String(limit),
    ...(reviewer !== '' && { reviewer }),
  });
  return call(queue, `/api/v1/tests/${encodeURIComponent(runId)}/review-queue?${query}`, { signal });
}

export function getAgreement(runId: string, signal: AbortSignal): Promise<Agreement> {
  return call(agreement, `/api/v1/agreement?${new URLSearchParams({ test_run_id: runId })}`, { signal });
}
