import { ProviderError } from '../errors';
import type { CallLimits } from './call-limits';
import type { PageReader, Reading } from './page-reader';

const LOOK_EVERY_MS = 100;
/** Reading takes at most this share of the time, however large the page is. */
const LOOKS_APART = 4;
/** How long a page may take to show an animated greeting. */
const SETTLE_WITHIN_MS = 10_000;

export interface WatchedReply {
  readonly text: string;
  /** When the last part of it appeared, by `performance.now()`. */
  readonly completeAt: number;
}

export interface Watch {
  readonly reader: PageReader;
  readonly limits: CallLimits;
  readonly idleMs: number;
}

interface ReplyWatch extends Watch {
  /** Whether the page says that the conversation is over: then no reply is waited for. */
  readonly isOver: () => Promise<boolean>;
}

/** Waits until the page has been quiet for `idleMs`, or for as long as a greeting may take. Resolves with what it shows then. */
export async function settle({ reader, limits, idleMs }: Watch, withinMs = SETTLE_WITHIN_MS): Promise<Reading> {
  const end = performance.now() + withinMs;
  let reading = await limits.call(reader.read());
  const quiet = new Quiet(idleMs, performance.now());
  for (;;) {
    await limits.sleep(LOOK_EVERY_MS);
    const next = await looked(limits, () => reader.read());
    const now = performance.now();
    if (next !== null && next.texts.join('\n') !== reading.texts.join('\n')) {
      reading = next;
      quiet.changed(now);
    } else if (next !== null) {
      quiet.unchanged(now);
    }
    if (quiet.isReached || now >= end) return reading;
  }
}

/**
 * Waits for the whole reply: its text was seen unchanged for `idleMs` and nothing indicates that more is coming.
 * @param before what the page showed when the message was not sent yet
 * @param progress called with the text so far
 * @returns null when the deadline came first, or the conversation was over without a reply
 */
export async function watchReply(
  { reader, limits, idleMs, isOver }: ReplyWatch,
  before: Reading & { readonly busy: number },
  message: string,
  deadline: number,
  progress: (text: string) => void,
): Promise<WatchedReply | null> {
  let text = '';
  let changedAt = performance.now();
  const quiet = new Quiet(idleMs, changedAt);
  let sawEnd = false;
  for (;;) {
    const began = performance.now();
    if (began >= deadline) return null;
    const reply = await looked(limits, async () => reader.replyBetween(before, await reader.read(), message));
    const now = performance.now();
    if (reply !== null && reply !== text) {
      text = reply;
      changedAt = now;
      quiet.changed(now);
      progress(text);
    } else if (reply !== null) {
      quiet.unchanged(now);
    }
    if (text !== '' && quiet.isReached) {
      const busy = await looked(limits, () => reader.countBusy());
      if (busy !== null && busy <= before.busy) return { text, completeAt: changedAt };
    }
    if (text === '' && (await looked(limits, isOver)) === true) {
      // The last words may appear a moment after the sign.
      if (sawEnd && quiet.isReached) return null;
      if (!sawEnd) quiet.changed(now);
      sawEnd = true;
    }
    // One slow read does not put off the next one beyond the deadline, where the page would seem to have stopped answering.
    await limits.sleep(Math.min(Math.max(LOOK_EVERY_MS, (now - began) * LOOKS_APART), Math.max(0, deadline - now)));
  }
}

/** A page that reloads, as a form without scripts does, cannot be read for a moment: null then. */
async function looked<T>(limits: CallLimits, look: () => Promise<T>): Promise<T | null> {
  try {
    return await limits.call(look());
  } catch (error) {
    if (limits.failure !== null || error instanceof ProviderError) throw error;
    return null;
  }
}

/** A text must be seen unchanged at least this many times before it counts as quiet. */
const LEAST_LOOKS = 3;

/**
 * How long a text has been seen unchanged. Time in which it was not read counts for little: a machine or a page that stood
 * still for a while shows the old text right after it, and the rest of a reply comes a moment later.
 */
class Quiet {
  private seenMs = 0;
  private lookedAt: number;

  /**
   * @param idleMs how long the text must stay unchanged
   * @param now by `performance.now()`, as in the calls
   */
  constructor(
    private readonly idleMs: number,
    now: number,
  ) {
    this.lookedAt = now;
  }

  changed(now: number): void {
    this.seenMs = 0;
    this.lookedAt = now;
  }

  /** The text is what it was at the last read. A read that saw nothing is not reported here: it is not a sign of quiet. */
  unchanged(now: number): void {
    this.seenMs += Math.min(now - this.lookedAt, this.idleMs / LEAST_LOOKS);
    this.lookedAt = now;
  }

  get isReached(): boolean {
    // Thirds of some numbers add up to a little less than the number.
    return this.seenMs >= this.idleMs - 0.5;
  }
}
