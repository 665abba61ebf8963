import type { Frame } from './frame';

/**
 * The newest frames of one run, without gaps, bounded in number and bytes. Whoever is further behind than it reaches
 * reads the log.
 */
export class FrameRing {
  private frames: Frame[] = [];
  private bytes = 0;

  constructor(
    /** The sequence number after which it begins. */
    private newest: number,
    private readonly limit: { readonly frames: number; readonly bytes: number },
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

  /** What comes after a cursor, in order; undefined when the ring does not reach back that far. */
  after(cursor: number): readonly Frame[] | undefined {
    const missing = this.newest - cursor;
    if (missing > this.frames.length) return undefined;
    return missing <= 0 ? [] : this.frames.slice(-missing);
  }

  /** Half of it at once, so that a full ring does not move its frames for every new one. The newest always stays. */
  private dropOldest(): void {
    let kept = this.frames.length;
    while (kept > 1 && (kept > this.limit.frames / 2 || this.bytes > this.limit.bytes / 2)) {
      this.bytes -= this.frames[this.frames.length - kept]?.bytes.length ?? 0;
      kept -= 1;
    }
    this.frames = this.frames.slice(-kept);
  }
}
