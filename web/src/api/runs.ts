import type { AnswerTo, BodyFor, Given } from '../../../contract/call';
import type { TestRunListItem, TestRunView } from '../../../contract/test-runs';
import type { StartRunAnswer } from '../../../contract/start-run';
import { call, callForNothing } from './client';

export type { TestRunListItem as TestRun, TestRunView as TestRunDetail } from '../../../contract/test-runs';
export type TestRunList = AnswerTo<'GET /api/v1/tests'>;
/** Fields left out have the service's defaults. */
export type StartRun = BodyFor<'POST /start-run'>;

/** Of an agent, and not as the twin of a run. */
export type StartOfAgent = Omit<StartRun, 'agent_id' | 'twin_of'> & { readonly agent_id: string };

export type UpdateRun = BodyFor<'PATCH /api/v1/tests/{id}'>;

export const RUNS_A_PAGE = 25;

/** Which runs are listed: all that fit everything that is given. */
export type RunFilter = Omit<NonNullable<Given<'GET /api/v1/tests'>['query']>, 'limit' | 'offset'>;

/** @param page from 0 */
export function listRuns(filter: RunFilter, page: number, signal: AbortSignal): Promise<TestRunList> {
  const query = { ...filter, limit: RUNS_A_PAGE, offset: page * RUNS_A_PAGE };
  return call('GET /api/v1/tests', { query, signal });
}

/** The runs that began from the scenario runs of one, the newest first, as many as one page of the API holds. */
export function listDerivedRuns(id: string, signal: AbortSignal): Promise<TestRunList> {
  return call('GET /api/v1/tests', { query: { derived_from: id, limit: 100 }, signal });
}

/** The runs that examine the same as one, held differently, without itself. */
export function listTwins(id: string, signal: AbortSignal): Promise<TestRunList> {
  return call('GET /api/v1/tests', { query: { twin_of: id, limit: 100 }, signal });
}

export function getRun(id: string, signal: AbortSignal): Promise<TestRunView> {
  return call('GET /api/v1/tests/{id}', { path: { id }, signal });
}

/** @param idempotencyKey a request sent again with the same key starts no second run */
export function startRun(body: StartRun, idempotencyKey: string): Promise<StartRunAnswer> {
  return call('POST /start-run', { body, idempotencyKey });
}

export function cancelRun(id: string): Promise<AnswerTo<'POST /cancel-run'>> {
  return call('POST /cancel-run', { body: { test_run_id: id } });
}

/** Changes what people say of it; fields left out stay as they are. */
export function updateRun(id: string, body: UpdateRun): Promise<TestRunView> {
  return call('PATCH /api/v1/tests/{id}', { path: { id }, body });
}

export function deleteRun(id: string): Promise<void> {
  return callForNothing('DELETE /api/v1/tests/{id}', { path: { id } });
}

/** The newest runs, as many as one page of the API holds. */
export async function recentRuns(signal: AbortSignal): Promise<readonly TestRunListItem[]> {
  return (await call('GET /api/v1/tests', { query: { limit: 100 }, signal })).runs;
}
