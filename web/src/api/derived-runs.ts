import * as z from 'zod/mini';
import { call } from './client';

const begun = z.object({ id: z.string() });
export type BegunRun = z.output<typeof begun>;

/** What a conversation is marked with when it is marked again. */
export const RUBRICS = ['current', 'as_run'] as const;
export type RubricChoice = (typeof RUBRICS)[number];

/** The body of POST /api/v1/tests/{id}/regrade. */
export interface Regrade {
  readonly rubric: RubricChoice;
  readonly judge_model?: string;
}

/** The body of POST /api/v1/scenario-runs/{id}/fork; what is left out is as it was. */
export interface Fork {
  readonly at_turn: number;
  readonly patient_message?: string;
  readonly agent_id?: string;
  readonly trials?: number;
}

/** @param idempotencyKey of this request: sent again with it, it begins nothing again */
export function retryRun(id: string, idempotencyKey: string): Promise<BegunRun> {
  return call(begun, `/api/v1/tests/${encodeURIComponent(id)}/retry`, { method: 'POST', idempotencyKey });
}

/** @param idempotencyKey likewise */
export function regradeRun(id: string, body: Regrade, idempotencyKey: string): Promise<BegunRun> {
  return call(begun, `/api/v1/tests/${encodeURIComponent(id)}/regrade`, { method: 'POST', body, idempotencyKey });
}

/** @param idempotencyKey likewise */
export function forkScenarioRun(id: string, body: Fork, idempotencyKey: string): Promise<BegunRun> {
  return call(begun, `/api/v1/scenario-runs/${encodeURIComponent(id)}/fork`, { method: 'POST', body, idempotencyKey });
}
