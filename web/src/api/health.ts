import * as z from 'zod/mini';
import { call } from './client';

const check = z.object({ status: z.enum(['ok', 'warning', 'error']), detail: z.string() });
const health = z.object({
  status: z.enum(['ok', 'error']),
  version: z.string(),
  checks: z.object({ database: check, bus: check, tester: check, judge: check, browser: check }),
  setup: z.record(z.string(), z.string()),
});
export type Health = z.output<typeof health>;

export function getHealth(signal: AbortSignal): Promise<Health> {
  return call(health, '/health', { signal });
}
