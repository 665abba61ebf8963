import type { ApiClient } from './api-client';
import { eventually } from './eventually';

/** Waits until the audit trail holds so many changes and says of each how it ended, which is written beside the answer, not before it. */
export async function untilEnded(api: ApiClient, count: number): Promise<void> {
  await eventually(async () => {
    const { body } = await api.get('/api/v1/audit?limit=1000');
    const open = body.records.filter(({ status }: { status: number | null }) => status === null);
    expect({ total: body.total, open }).toEqual({ total: count, open: [] });
  });
}
