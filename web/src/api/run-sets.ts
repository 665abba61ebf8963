import type { AnswerTo, BodyFor } from '../../../contract/call';
import type { ComparisonsView, RunSetView, StartRunSetAnswer } from '../../../contract/run-sets';
import { call } from './client';

export type { RunSetView as RunSet } from '../../../contract/run-sets';
export type SetComparisons = ComparisonsView;
export type PairOfRuns = ComparisonsView['pairs'][number];
/** Fields left out have the service's defaults. */
export type StartRunSet = BodyFor<'POST /start-run-set'>;

/** @param idempotencyKey a request sent again with the same key starts no second set */
export function startRunSet(body: StartRunSet, idempotencyKey: string): Promise<StartRunSetAnswer> {
  return call('POST /start-run-set', { body, idempotencyKey });
}

export function getRunSet(id: string, signal: AbortSignal): Promise<RunSetView> {
  return call('GET /api/v1/run-sets/{id}', { path: { id }, signal });
}

export function cancelRunSet(id: string): Promise<AnswerTo<'POST /api/v1/run-sets/{id}/cancel'>> {
  return call('POST /api/v1/run-sets/{id}/cancel', { path: { id } });
}

export function compareRunSet(id: string, signal: AbortSignal): Promise<ComparisonsView> {
  return call('GET /api/v1/run-sets/{id}/comparisons', { path: { id }, signal });
}
