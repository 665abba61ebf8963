import { z } from 'zod';
import { startedRun } from './run-answers';
import type { ServiceApi } from './service-api';

/** Calls that begin runs from other runs, or from conversations held elsewhere. They throw the same errors as ServiceApi. */

const derivedRun = startedRun.extend({
  scenarios_launched: z.number(),
  scenarios_carried: z.number().default(0),
  derived_from: z.string().nullable(),
  derivation: z.string(),
});
export type DerivedRun = z.infer<typeof derivedRun>;

export function retryRun(api: ServiceApi, id: string, signal: AbortSignal): Promise<DerivedRun> {
  return api.make('POST /api/v1/tests/{id}/retry', { path: { id }, body: {}, signal }, derivedRun);
}

export function regradeRun(api: ServiceApi, id: string, body: object, signal: AbortSignal): Promise<DerivedRun> {
  return api.make('POST /api/v1/tests/{id}/regrade', { path: { id }, body, signal }, derivedRun);
}

export function forkScenarioRun(api: ServiceApi, id: string, body: object, signal: AbortSignal): Promise<DerivedRun> {
  return api.make('POST /api/v1/scenario-runs/{id}/fork', { path: { id }, body, signal }, derivedRun);
}

export function gradeTranscripts(api: ServiceApi, body: object, signal: AbortSignal): Promise<DerivedRun> {
  return api.make('POST /api/v1/transcripts', { body, signal }, derivedRun);
}
