import { z } from 'zod';
import type { StoredEvent } from '../persistence/event-log.store';

const envelope = z.looseObject({ seq: z.int().positive(), type: z.string() });

/** What a notice tells: the event itself, or only that the log has it. */
export interface Notice {
  readonly seq: number;
  readonly event: StoredEvent | undefined;
}

/** Reads an EventNotice from the bus. Undefined for anything else: the log is read sooner or later anyway. */
export function readNotice(payload: unknown): Notice | undefined {
  const parsed = envelope.safeParse(payload);
  if (!parsed.success) return undefined;
  const { seq, type } = parsed.data;
  return { seq, event: type === 'stored' ? undefined : { seq, type, json: JSON.stringify(payload) } };
}
