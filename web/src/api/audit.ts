import type { AnswerTo } from '../../../contract/call';
import { call } from './client';

export type { AuditRecordView as AuditRecord } from '../../../contract/audit';

export const RECORDS_A_PAGE = 25;

/** Filters by the names of the API's parameters; empty ones are not sent. */
export type AuditFilter = Readonly<Record<'who' | 'resource' | 'resource_id', string>>;

/** @param page from 0 */
export function listAuditRecords(
  { who, resource, resource_id }: AuditFilter,
  page: number,
  signal: AbortSignal,
): Promise<AnswerTo<'GET /api/v1/audit'>> {
  const query = {
    limit: RECORDS_A_PAGE,
    offset: page * RECORDS_A_PAGE,
    who: who || undefined,
    resource: resource || undefined,
    resource_id: resource_id || undefined,
  };
  return call('GET /api/v1/audit', { query, signal });
}
