import * as z from 'zod/mini';
import { call } from './client';

const me = z.object({
  name: z.string(),
  role: z.string(),
  may: z.object({ run: z.boolean(), change: z.boolean() }),
});
export type Me = z.output<typeof me>;

/** Whose key the page has, and what it may do. */
export function getMe(signal: AbortSignal): Promise<Me> {
  return call(me, '/api/v1/me', { signal });
}
