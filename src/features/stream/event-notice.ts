import { z } from 'zod';
import { eventText, type RunEvent } from '../../domain/run-events';
import { type Bus, BusError } from '../../engine/bus/bus';
import { subjects } from '../../engine/bus/subjects';
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

const pointer = z.object({ type: z.literal('stored'), seq: z.int().positive() });
const event = z.object({ type: z.string(), run_id: z.string(), seq: z.int().positive(), at: z.string() });

/** Reads an EventNotice from the bus. Undefined for anything else: the log is read sooner or later anyway. */
export function readNotice(payload: unknown): Arrival | undefined {
  if (isEvent(payload)) {
    const { run_id, seq, at, ...fields } = payload;
    const json = eventText(JSON.stringify(fields), { run_id, seq, at });
    return { kind: 'event', frame: frameOf({ seq, type: fields.type, json, at }) };
  }
  const pointed = pointer.safeParse(payload);
  return pointed.success ? { kind: 'stored', seq: pointed.data.seq } : undefined;
}

/** Not what the schema makes of it, which would lose the other fields or their order. */
function isEvent(payload: unknown): payload is z.output<typeof event> {
  return event.safeParse(payload).success;
}

function pointerTo({ run_id, seq }: EventNotice): Pointer {
  return { run_id, seq, type: 'stored' };
}

/** Characters of all its texts; everything else in an event is small. */
function textIn(event: RunEvent): number {
  return Object.values(event).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}
