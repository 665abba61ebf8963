import { z } from 'zod';
import { description, givenId, name } from '../../platform/http/field';

const scenarioIds = z.array(givenId).max(10_000).describe('In the order in which they run.');

export const createSuiteRequest = z
  .object({ name, description: description.nullish(), scenario_ids: scenarioIds })
  .meta({
    id: 'CreateTestSuite',
    examples: [{ name: 'Release gate', scenario_ids: ['7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34'] }],
  });
export type CreateSuiteRequest = z.output<typeof createSuiteRequest>;

export const updateSuiteRequest = z
  .object({ name: name.optional(), description: description.nullish(), scenario_ids: scenarioIds.optional() })
  .meta({ id: 'UpdateTestSuite', examples: [{ name: 'Release gate 2' }] });
export type UpdateSuiteRequest = z.output<typeof updateSuiteRequest>;
