import * as z from 'zod/mini';
import { call, callForNothing } from './client';

const suite = z.object({
  id: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  scenario_ids: z.array(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Suite = z.output<typeof suite>;
const suiteList = z.object({ test_suites: z.array(suite), total: z.number() });

export interface SuiteFields {
  readonly name: string;
  readonly description: string | null;
  readonly scenario_ids: readonly string[];
}

export async function listSuites(signal: AbortSignal): Promise<Suite[]> {
  return (await call(suiteList, '/api/v1/test-suites', { signal })).test_suites;
}

export function getSuite(id: string, signal: AbortSignal): Promise<Suite> {
  return call(suite, path(id), { signal });
}

export function createSuite(fields: SuiteFields): Promise<Suite> {
  return call(suite, '/api/v1/test-suites', { method: 'POST', body: fields });
}

export function updateSuite(id: string, changes: Partial<SuiteFields>): Promise<Suite> {
  return call(suite, path(id), { method: 'PATCH', body: changes });
}

export function deleteSuite(id: string): Promise<void> {
  return callForNothing(path(id), { method: 'DELETE' });
}

const path = (id: string) => `/api/v1/test-suites/${encodeURIComponent(id)}`;
