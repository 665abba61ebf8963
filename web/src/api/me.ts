import * as z from 'zod/mini';
import { call } from './client';

const me = z.object({
  name: z.string(),
  role: z.string(),
  may: z.object({ run: z.boolean(), change: z.boolean() }),
});
export type Me = z.output<typeof me>;

/** The owner of the page's key, and what the key may do. */
export function getMe(signal: AbortSignal): Promise<Me> {
  return call(me, '/api/v1/me', { signal });
}
