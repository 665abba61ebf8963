import { type Frame, joinFrames } from './frame';

/**
 * The newest frames of one run, without gaps, bounded in number and bytes. Whoever is further behind than that
 * reads the log.
 */
export class FrameRing {
  private frames: Frame[] = [];
  private bytes = 0;
  /** What was taken last: most subscribers are at the same place. */
  private taken: { readonly cursor: number; readonly newest: number; readonly frame: Frame | null } | undefined;

  constructor(
    /** The sequence number after which it begins. */
    private newest: number,
    private readonly limit: { readonly frames: number; readonly bytes: number },
    /** Frames are joined up to this size. */
    private readonly writeBytes: number,
  ) {}

  get newestSeq(): number {
    return this.newest;
  }

  /** True when the run's final event is among them. */
  get hasFinal(): boolean {
    return this.frames.at(-1)?.final ?? false;
  }

  /** Adds the next frame; true when it was the next one. */
  append(frame: Frame): boolean {
    if (frame.seq !== this.newest + 1) return false;
    this.newest = frame.seq;
    this.frames.push(frame);
    this.bytes += frame.bytes.length;
    if (this.frames.length > this.limit.frames || this.bytes > this.limit.bytes) this.dropOldest();
    return true;
  }

  /** What comes next after a cursor; null when that is nothing, undefined when the ring does not reach back that far. */
  next(cursor: number): Frame | null | undefined {
    const missing = this.newest - cursor;
    if (missing > this.frames.length) return undefined;
    if (missing <= 0) return null;
    if (this.taken?.cursor !== cursor || this.taken.newest !== this.newest) {
      this.taken = { cursor, newest: this.newest, frame: this.join(this.frames.length - missing) };
    }
    return this.taken.frame;
  }

  private join(first: number): Frame | null {
    let end = first;
    let bytes = 0;
    while (end < this.frames.length && bytes < this.writeBytes) {
      bytes += this.frames[end]?.bytes.length ?? 0;
      end += 1;
    }
    return joinFrames(this.frames.slice(first, end)) ?? null;
  }

  /** Drops half of it at once, so that a full ring does not move its frames for every new one. The newest always stays. */
  private dropOldest(): void {
    let kept = this.frames.length;
    while (kept > 1 && (kept > this.limit.frames / 2 || this.bytes > this.limit.bytes / 2)) {
      this.bytes -= this.frames[this.frames.length - kept]?.bytes.length ?? 0;
      kept -= 1;
    }
    this.frames = this.frames.slice(-kept);
  }
}
