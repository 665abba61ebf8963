import { isFinalEvent } from '../../domain';

/**
 * One event, or several in a row, as the bytes of an event stream. They are made once and written to every subscriber.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export interface Frame {
  /** Sequence number of its (last) event: a subscriber's position after it. */
  readonly seq: number;
  /** True when its (last) event is the run's final one. */
  readonly final: boolean;
  readonly bytes: Buffer;
  /** When its (last) event happened, ISO 8601 by PostgreSQL's clock; null when that is unknown. */
  readonly at: string | null;
}

/** @param event `json` is the text of the whole event, without line breaks */
export function frameOf(event: {
  readonly seq: number;
  readonly type: string;
  readonly json: string;
  readonly at?: string;
}): Frame {
  return {
    seq: event.seq,
    final: isFinalEvent(event.type),
    bytes: Buffer.from(`id: ${event.seq}\ndata: ${event.json}\n\n`),
    at: event.at ?? null,
  };
}

/** Consecutive frames as one; undefined when there are none. */
export function joinFrames(frames: readonly Frame[]): Frame | undefined {
  const last = frames.at(-1);
  if (!last || frames.length === 1) return last;
  return { seq: last.seq, final: last.final, at: last.at, bytes: Buffer.concat(frames.map((frame) => frame.bytes)) };
}

/** How long EventSource should wait before it connects again, in milliseconds. */
const RETRY_MS = 1_000;

/** The first message of every stream. It has no id, so it does not move a client's Last-Event-ID. */
export function connectedMessage(runId: string, run: object | null): string {
  return `retry: ${RETRY_MS}\ndata: ${JSON.stringify({ type: 'connected', run_id: runId, run })}\n\n`;
}

/** A comment: proxies see traffic, clients see nothing. */
export const HEARTBEAT = Buffer.from(': heartbeat\n\n');
