import type { BodyFor } from '../../../contract/call';
import type { SuiteView } from '../../../contract/test-suites';
import { call, callForNothing, callTagged } from './client';
import { resourceOf, type Resource } from './resource';

export type Suite = SuiteView;
export type SuiteFields = BodyFor<'POST /api/v1/test-suites'>;

export const suites: Resource<Suite, SuiteFields, BodyFor<'PATCH /api/v1/test-suites/{id}'>> = resourceOf({
  view: '/suites',
  idOf: ({ id }) => id,
  list: async (query, signal) => (await call('GET /api/v1/test-suites', { query, signal })).test_suites,
  get: (id, signal) => callTagged('GET /api/v1/test-suites/{id}', { path: { id }, signal }),
  create: (body, idempotencyKey) => callTagged('POST /api/v1/test-suites', { body, idempotencyKey }),
  change: (id, body, etag) => callTagged('PATCH /api/v1/test-suites/{id}', { path: { id }, body, etag }),
  remove: (id) => callForNothing('DELETE /api/v1/test-suites/{id}', { path: { id } }),
});
