import * as z from 'zod/mini';
import { call } from './client';

const record = z.object({
  number: z.number(),
  at: z.string(),
  who: z.string(),
  role: z.string(),
  address: z.nullable(z.string()),
  method: z.string(),
  route: z.string(),
  resource: z.string(),
  resource_ids: z.array(z.string()),
  fields: z.array(z.string()),
  outcome: z.string(),
  status: z.nullable(z.number()),
  replayed: z.boolean(),
});
export type AuditRecord = z.output<typeof record>;
const list = z.object({ records: z.array(record), total: z.number() });

export const RECORDS_A_PAGE = 25;

/** Filters by the names of the API's parameters; empty ones are not sent. */
export type AuditFilter = Readonly<Record<'who' | 'resource' | 'resource_id', string>>;

/** @param page from 0 */
export function listAuditRecords(
  filter: AuditFilter,
  page: number,
  signal: AbortSignal,
): Promise<z.output<typeof list>> {
  const query = new URLSearchParams({ limit: String(RECORDS_A_PAGE), offset: String(page * RECORDS_A_PAGE) });
  for (const [name, value] of Object.entries(filter)) if (value !== '') query.set(name, value);
  return call(list, `/api/v1/audit?${query}`, { signal });
}
