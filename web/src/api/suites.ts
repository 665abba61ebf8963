import * as z from 'zod/mini';
import { call } from './client';
import { resourceAt, type Resource } from './resource';

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

const API = '/api/v1/test-suites';

export const suites: Resource<Suite, SuiteFields, Partial<SuiteFields>> = resourceAt({
  view: '/suites',
  api: API,
  item: suite,
  idOf: ({ id }) => id,
  list: async (page, signal) => (await call(suiteList, API + page, { signal })).test_suites,
});
