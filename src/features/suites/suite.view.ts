import { z } from 'zod';
import { id, timestamp } from '../../platform/http/field';
import type { TestSuiteEntity } from './test-suite.entity';

export const suiteView = z
  .object({
    id,
    name: z.string(),
    description: z.string().nullable(),
    scenario_ids: z.array(z.uuid()),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'TestSuite' });
export type SuiteView = z.output<typeof suiteView>;

export const suiteList = z.object({ test_suites: z.array(suiteView), total: z.int() });
export type SuiteList = z.output<typeof suiteList>;

export function viewOfSuite(suite: TestSuiteEntity): SuiteView {
  return {
    id: suite.id,
    name: suite.name,
    description: suite.description,
    scenario_ids: suite.scenarioIds,
    created_at: suite.createdAt.toISOString(),
    updated_at: suite.updatedAt.toISOString(),
  };
}
