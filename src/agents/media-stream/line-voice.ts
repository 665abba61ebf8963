import type { PressedKey } from '../provider';
import type { Uttered } from '../voice/call-floor';
import { SPOKEN_RATE } from '../voice/sound-clocks';
import { framesIn, lineFrame, SILENT_FRAME } from './line-sound';
import { MEDIA_MS } from './stream-messages';

interface Utterance {
  readonly samples: Int16Array;
  readonly keys: readonly PressedKey[];
  readonly done: (uttered: Uttered) => void;
  readonly failed: (reason: Error) => void;
  next: number;
  from: number;
  /** By how much the first or the last frame was late, and any frame. */
  edgeLateMs: number;
  latestMs: number;
}

/** A shorter hole is shorter than a pause inside a word, and than what a telephone's jitter buffer waits for. */
const LONGEST_HOLE_MS = 60;

/**
 * What we say on a line, a frame at a time. A frame that goes out at T holds the 20 ms before it, as a telephone's does: the last word has been
 * said when its frame goes out.
 */
export class LineVoice {
  private current: Utterance | null = null;

  /** Resolves when its last frame has gone out. @param samples of SPOKEN_RATE */
  say(samples: Int16Array, keys: readonly PressedKey[]): Promise<Uttered> {
    this.current?.failed(new Error('Something else is said.'));
    return new Promise((done, failed) => {
      this.current = { samples, keys, done, failed, next: 0, from: 0, edgeLateMs: 0, latestMs: 0 };
    });
  }

  /**
   * The next frame, and the keys whose tones end in it.
   * @param dueAt machine ms at which it goes out @param lateMs by how much later it does
   */
  frame(dueAt: number, lateMs: number): { readonly codes: Uint8Array; readonly pressed: readonly string[] } {
    const { current } = this;
    if (current === null) return { codes: SILENT_FRAME, pressed: [] };
    if (current.next === 0) current.from = dueAt - MEDIA_MS;
    current.latestMs = Math.max(current.latestMs, lateMs);
    const codes = lineFrame(current.samples, current.next);
    const from = current.next * MEDIA_MS;
    const ended = current.keys.filter(({ afterMs }) => afterMs > from && afterMs <= from + MEDIA_MS);
    const isFirst = current.next === 0;
    current.next += 1;
    const isLast = current.next >= framesIn(current.samples);
    if (isFirst || isLast) current.edgeLateMs = Math.max(current.edgeLateMs, lateMs);
    if (isLast) this.finish(current, null);
    return { codes, pressed: ended.map(({ key }) => key) };
  }

  /** Ends what is being said. @param now machine ms */
  hush(now: number): void {
    if (this.current !== null) this.finish(this.current, now);
  }

  /** Nothing more is said. */
  end(): void {
    this.current?.failed(new Error('The line has ended.'));
    this.current = null;
  }

  private finish({ samples, done, from, edgeLateMs, latestMs, next }: Utterance, hushedAt: number | null): void {
    this.current = null;
    const began = next === 0 && hushedAt !== null ? hushedAt : from;
    const end = began + (samples.length / SPOKEN_RATE) * 1_000;
    const to = hushedAt === null ? end : Math.min(end, began + next * MEDIA_MS);
    const isReliable = edgeLateMs < MEDIA_MS && latestMs < LONGEST_HOLE_MS;
    done({ from: began, to, isReliable, isWhole: hushedAt === null });
  }
}
