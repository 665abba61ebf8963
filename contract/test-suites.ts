import { z } from 'zod';
import { WHOLE_LIST, wholeListFields } from './page';
import { description, givenId, id, name, timestamp } from './field';
import { CHANGED_MEANWHILE, pageHeaders, tagHeaders } from './headers';
import { operation } from './operation';

const listQuery = z.object(wholeListFields);

const NOT_FOUND = 'Test suite not found';

const WRONG_FIELD = 'A field is missing or wrong, or names scenarios that do not exist.';

const suiteView = z
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

const suiteList = z.object({ test_suites: z.array(suiteView), total: z.int() });

export type SuiteList = z.output<typeof suiteList>;

export const scenarioIds = z.array(givenId).max(10_000).describe('In the order in which they run.');

const createSuiteRequest = z.object({ name, description: description.nullish(), scenario_ids: scenarioIds }).meta({
  id: 'CreateTestSuite',
  examples: [{ name: 'Release gate', scenario_ids: ['7d3f6c1e-52a9-4b0e-9a57-0d5c1f8e2b34'] }],
});

export type CreateSuiteRequest = z.output<typeof createSuiteRequest>;

const updateSuiteRequest = z
  .object({ name: name.optional(), description: description.nullish(), scenario_ids: scenarioIds.optional() })
  .meta({ id: 'UpdateTestSuite', examples: [{ name: 'Release gate 2' }] });

export type UpdateSuiteRequest = z.output<typeof updateSuiteRequest>;

export const listTestSuites = operation({
  id: 'listTestSuites',
  method: 'GET',
  path: '/api/v1/test-suites',
  tag: 'Test suites',
  role: 'viewer',
  summary: 'List test suites, by name',
  description: WHOLE_LIST,
  query: listQuery,
  answers: { 200: { description: 'The test suites.', schema: suiteList, headers: pageHeaders } },
});

export const createTestSuite = operation({
  id: 'createTestSuite',
  method: 'POST',
  path: '/api/v1/test-suites',
  tag: 'Test suites',
  role: 'admin',
  summary: 'Create a test suite',
  body: createSuiteRequest,
  isKeyed: true,
  answers: {
    201: { description: 'The test suite as stored.', schema: suiteView, headers: tagHeaders },
    400: WRONG_FIELD,
  },
});

export const getTestSuite = operation({
  id: 'getTestSuite',
  method: 'GET',
  path: '/api/v1/test-suites/{id}',
  tag: 'Test suites',
  role: 'viewer',
  summary: 'Get a test suite',
  answers: { 200: { description: 'The test suite.', schema: suiteView, headers: tagHeaders }, 404: NOT_FOUND },
});

export const updateTestSuite = operation({
  id: 'updateTestSuite',
  method: 'PATCH',
  path: '/api/v1/test-suites/{id}',
  tag: 'Test suites',
  role: 'admin',
  summary: 'Update a test suite',
  description: 'Fields that are left out stay as they are; runs that have started keep their scenarios.',
  body: updateSuiteRequest,
  takesIfMatch: true,
  answers: {
    200: { description: 'The test suite as it is now.', schema: suiteView, headers: tagHeaders },
    400: WRONG_FIELD,
    404: NOT_FOUND,
    412: CHANGED_MEANWHILE,
  },
});

export const deleteTestSuite = operation({
  id: 'deleteTestSuite',
  method: 'DELETE',
  path: '/api/v1/test-suites/{id}',
  tag: 'Test suites',
  role: 'admin',
  summary: 'Delete a test suite',
  description: 'Its scenarios and past runs stay.',
  answers: { 204: { description: 'Deleted.' }, 404: NOT_FOUND },
});
