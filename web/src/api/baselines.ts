import * as z from 'zod/mini';
import { call, callForNothing } from './client';

const measured = z.object({ baseline_test_run_id: z.optional(z.nullable(z.string())) });

const pathOf = (agentId: string) => `/api/v1/agents/${encodeURIComponent(agentId)}`;

/** The baseline: the run that the other runs of an agent are compared with; null when there is none. */
export async function getBaseline(agentId: string, signal: AbortSignal): Promise<string | null> {
  return (await call(measured, pathOf(agentId), { signal })).baseline_test_run_id ?? null;
}

/** Sets or clears the baseline. */
export async function setBaseline(agentId: string, runId: string | null): Promise<string | null> {
  if (runId === null) {
    await callForNothing(`${pathOf(agentId)}/baseline`, { method: 'DELETE' });
    return null;
  }
  const options = { method: 'PUT', body: { test_run_id: runId } } as const;
  return (await call(measured, `${pathOf(agentId)}/baseline`, options)).baseline_test_run_id ?? null;
}
