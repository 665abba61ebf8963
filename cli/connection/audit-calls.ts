import { z } from 'zod';
import type { Given } from '../../contract/call';
import type { ServiceApi } from './service-api';

/** The call about the audit trail. It throws the same errors as ServiceApi. */

const auditRecord = z.looseObject({
  number: z.number(),
  at: z.string(),
  who: z.string(),
  role: z.string(),
  address: z.string().nullable(),
  method: z.string(),
  route: z.string(),
  resource: z.string(),
  resource_ids: z.array(z.string()),
  fields: z.array(z.string()),
  request_id: z.string().nullable(),
  outcome: z.string(),
  status: z.number().nullable(),
  replayed: z.boolean(),
  completed_at: z.string().nullable(),
});
export type AuditRecord = z.infer<typeof auditRecord>;

const auditList = z.looseObject({ records: z.array(auditRecord), total: z.number().nullable() });

/** The most records in one answer. */
const A_PAGE = 100;

/** The filters, by the names of the API's parameters. */
export type AuditQuery = NonNullable<Given<'GET /api/v1/audit'>['query']>;

export interface AuditPage {
  readonly records: readonly AuditRecord[];
  /** How many records match in all, as of the first page; null on later pages. */
  readonly total: number | null;
}

/** Newest first, at most `most` of them, page after page: records added while reading cause neither gaps nor repeats. */
export async function* auditPages(api: ServiceApi, query: AuditQuery, most: number): AsyncGenerator<AuditPage> {
  let before: AuditQuery = {};
  for (let left = most; left > 0;) {
    const limit = Math.min(A_PAGE, left);
    const page = await api.ask('GET /api/v1/audit', { query: { ...query, ...before, limit } }, auditList);
    yield page;
    const last = page.records.at(-1);
    if (last === undefined || page.records.length < limit) return;
    before = { before: last.number };
    left -= page.records.length;
  }
}
