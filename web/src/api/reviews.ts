import type { AgreementView } from '../../../contract/agreement';
import type { BodyFor } from '../../../contract/call';
import type { ReviewQueueView } from '../../../contract/review-queue';
import type { ReviewSheetView } from '../../../contract/review-sheet';
import type { ReviewView } from '../../../contract/reviews';
import { call } from './client';

export type { AgreementView as Agreement } from '../../../contract/agreement';
export type { ReviewQueueView as ReviewQueue } from '../../../contract/review-queue';
export type { ReviewSheetView as ReviewSheet } from '../../../contract/review-sheet';
export type { ReviewView as Review } from '../../../contract/reviews';
export type SheetCriterion = ReviewSheetView['criteria'][number];
export type Quote = ReviewView['criteria'][number]['evidence'][number];
export type NewReview = BodyFor<'POST /api/v1/scenario-runs/{id}/reviews'>;

export function getReviewSheet(id: string, signal: AbortSignal): Promise<ReviewSheetView> {
  return call('GET /api/v1/scenario-runs/{id}/review-sheet', { path: { id }, signal });
}

export async function listReviews(id: string, signal: AbortSignal): Promise<readonly ReviewView[]> {
  return (await call('GET /api/v1/scenario-runs/{id}/reviews', { path: { id }, signal })).reviews;
}

export function createReview(id: string, body: NewReview, idempotencyKey: string): Promise<ReviewView> {
  return call('POST /api/v1/scenario-runs/{id}/reviews', { path: { id }, body, idempotencyKey });
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
): Promise<ReviewQueueView> {
  const query = {
    blind: 'true',
    mine: 'true',
    open: open ? 'true' : 'false',
    limit,
    reviewer: reviewer || undefined,
  } as const;
  return call('GET /api/v1/tests/{id}/review-queue', { path: { id: runId }, query, signal });
}

export function getAgreement(runId: string, signal: AbortSignal): Promise<AgreementView> {
  return call('GET /api/v1/agreement', { query: { test_run_id: runId }, signal });
}
