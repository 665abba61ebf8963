import * as z from 'zod/mini';
import { call } from './client';

const begun = z.object({ id: z.string() });
export type BegunRun = z.output<typeof begun>;

/** The rubric for marking a conversation again. */
export const RUBRICS = ['current', 'as_run'] as const;
export type RubricChoice = (typeof RUBRICS)[number];

/** The body of POST /api/v1/tests/{id}/regrade. */
export interface Regrade {
  readonly rubric: RubricChoice;
  readonly judge_model?: string;
}

/** The body of POST /api/v1/scenario-runs/{id}/fork; fields left out keep their values. */
export interface Fork {
  readonly at_turn: number;
  readonly patient_message?: string;
  readonly agent_id?: string;
  readonly trials?: number;
}

/** @param idempotencyKey a request sent again with the same key begins no second run */
export function retryRun(id: string, idempotencyKey: string): Promise<BegunRun> {
  return call(begun, `/api/v1/tests/${encodeURIComponent(id)}/retry`, { method: 'POST', idempotencyKey });
}

/** @param idempotencyKey a request sent again with the same key begins no second run */
export function regradeRun(id: string, body: Regrade, idempotencyKey: string): Promise<BegunRun> {
  return call(begun, `/api/v1/tests/${encodeURIComponent(id)}/regrade`, { method: 'POST', body, idempotencyKey });
}

/** @param idempotencyKey a request sent again with the same key begins no second run */
export function forkScenarioRun(id: string, body: Fork, idempotencyKey: string): Promise<BegunRun> {
  return call(begun, `/api/v1/scenario-runs/${encodeURIComponent(id)}/fork`, { method: 'POST', body, idempotencyKey });
}
