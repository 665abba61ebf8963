import type { BodyFor } from '../../../contract/call';
import type { DerivedRunAnswer } from '../../../contract/derived-runs';
import { call } from './client';

export type { DerivedRunAnswer as BegunRun } from '../../../contract/derived-runs';
export type Regrade = BodyFor<'POST /api/v1/tests/{id}/regrade'>;
export type Fork = BodyFor<'POST /api/v1/scenario-runs/{id}/fork'>;

/** The rubric for marking a conversation again. */
export const RUBRICS = ['current', 'as_run'] as const;
export type RubricChoice = (typeof RUBRICS)[number];

/** @param idempotencyKey a request sent again with the same key begins no second run */
export function retryRun(id: string, idempotencyKey: string): Promise<DerivedRunAnswer> {
  return call('POST /api/v1/tests/{id}/retry', { path: { id }, idempotencyKey });
}

/** @param idempotencyKey a request sent again with the same key begins no second run */
export function regradeRun(id: string, body: Regrade, idempotencyKey: string): Promise<DerivedRunAnswer> {
  return call('POST /api/v1/tests/{id}/regrade', { path: { id }, body, idempotencyKey });
}

/** @param idempotencyKey a request sent again with the same key begins no second run */
export function forkScenarioRun(id: string, body: Fork, idempotencyKey: string): Promise<DerivedRunAnswer> {
  return call('POST /api/v1/scenario-runs/{id}/fork', { path: { id }, body, idempotencyKey });
}
