import type { IncomingHttpHeaders } from 'node:http';

/** What ends a stream of chat completions, and of many others. */
export const DONE = '[DONE]';

/** Longer than the event with the line breaks around it. */
const TAIL = 200;
/** An event of its own, not a line of a longer text: only other fields may stand between an empty line and it. */
const EVENT =
  /(?:\n\n|\r\n\r\n|\r\r)(?:(?:event|id|retry):[^\r\n]{0,60}(?:\r\n|\n|\r)){0,2}data:[ \t]{0,4}\[DONE\][ \t]{0,4}(?:\n\n|\r\n\r\n|\r\r)/;

export function isEventStream(headers: IncomingHttpHeaders): boolean {
  return /^\s*text\/event-stream\b/i.test(headers['content-type'] ?? '');
}

/** Finds the end of a stream of events while it arrives, for servers that leave the connection open after it. */
export class LastEvent {
  private tail = '\n\n';
  private seen = false;

  get wasSeen(): boolean {
    return this.seen;
  }

  /** @param chunk the next one; each is looked at once, whatever the pieces are that the stream comes in */
  isIn(chunk: Buffer): boolean {
    const text = this.tail + chunk.toString('latin1');
    this.seen ||= text.includes(DONE) && EVENT.test(text);
    this.tail = text.slice(-TAIL);
    return this.seen;
  }
}
