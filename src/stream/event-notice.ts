import { z } from 'zod';
import type { RunEvent } from '../../machines/run-events';
import { type Bus, BusError } from '../bus/bus';
import { subjects } from '../bus/subjects';
import { frameOf } from './frame';
import type { Arrival } from './run-feed';

/**
 * What travels on the bus after a commit: the event itself, or for an event too large for one message, only where to
 * read it. Receivers that see a gap, or only a pointer, read the stored log.
 */
export type EventNotice = RunEvent | Pointer;
type Pointer = { readonly run_id: string; readonly seq: number; readonly type: 'stored' };

/** Events with more text than this are sent as a pointer; as JSON the text stays below what any bus carries by default, 1 MiB. */
const LONGEST_TEXT = 128 * 1024;

export function noticeOf(event: RunEvent): EventNotice {
  return textIn(event) > LONGEST_TEXT ? pointerTo(event) : event;
}

/** @throws BusError, but not for an event that is too large: the bus knows its own limit, and a pointer always fits */
export function publishNotice(bus: Bus, notice: EventNotice): void {
  const subject = subjects.testRunEvent(notice.run_id);
  try {
    bus.publish(subject, notice);
  } catch (error) {
    if (!(error instanceof BusError) || error.reason !== 'payload_too_large') throw error;
    bus.publish(subject, pointerTo(notice));
  }
}

const envelope = z.looseObject({ seq: z.int().positive(), type: z.string() });

/** Reads an EventNotice from the bus. Undefined for anything else: the log is read sooner or later anyway. */
export function readNotice(payload: unknown): Arrival | undefined {
  const parsed = envelope.safeParse(payload);
  if (!parsed.success) return undefined;
  const { seq, type } = parsed.data;
  if (type === 'stored') return { kind: 'stored', seq };
  return { kind: 'event', frame: frameOf({ seq, type, json: JSON.stringify(payload) }) };
}

function pointerTo({ run_id, seq }: EventNotice): Pointer {
  return { run_id, seq, type: 'stored' };
}

/** Characters of all its texts; everything else in an event is small. */
function textIn(event: RunEvent): number {
  return Object.values(event).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}
