import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { startedRun } from './answers';
import type { ServiceApi } from './service-api';

/** Calls that begin runs from other runs, or from conversations held elsewhere. They throw the same errors as ServiceApi. */

const derivedRun = startedRun.extend({
  scenarios_launched: z.number(),
  scenarios_carried: z.number().default(0),
  derived_from: z.string().nullable(),
  derivation: z.string(),
});
export type DerivedRun = z.infer<typeof derivedRun>;

const make = (api: ServiceApi, path: string, body: object, signal: AbortSignal): Promise<DerivedRun> =>
  api.ask({ method: 'POST', path, body, idempotencyKey: randomUUID(), signal }, derivedRun);

export function retryRun(api: ServiceApi, id: string, signal: AbortSignal): Promise<DerivedRun> {
  return make(api, `/api/v1/tests/${encodeURIComponent(id)}/retry`, {}, signal);
}

export function regradeRun(api: ServiceApi, id: string, request: object, signal: AbortSignal): Promise<DerivedRun> {
  return make(api, `/api/v1/tests/${encodeURIComponent(id)}/regrade`, request, signal);
}

export function forkScenarioRun(
  api: ServiceApi,
  id: string,
  request: object,
  signal: AbortSignal,
): Promise<DerivedRun> {
  return make(api, `/api/v1/scenario-runs/${encodeURIComponent(id)}/fork`, request, signal);
}

export function gradeTranscripts(api: ServiceApi, request: object, signal: AbortSignal): Promise<DerivedRun> {
  return make(api, '/api/v1/transcripts', request, signal);
}
