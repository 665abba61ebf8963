import { Observable, share, type Subscriber } from 'rxjs';
import type { LogHead } from './event-log.store';
import { type Frame, joinFrames } from './frame';
import type { Page } from './log-page-reader';

/** The newest frames of one run, without gaps, bounded in number and bytes. A subscriber that is further behind than that reads the log. */
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

/** What is known of one run's log. */
export type Arrival =
  /** An event itself. */
  | { readonly kind: 'event'; readonly frame: Frame }
  /** Only that the log holds the event of this number. */
  | { readonly kind: 'stored'; readonly seq: number }
  /** Where the log ends; null when the run was deleted. */
  | { readonly kind: 'head'; readonly head: LogHead | null };

/** Enough for a subscriber that is a moment behind; one further behind reads the log. */
const RING = { frames: 512, bytes: 1_048_576 };
/** The most that one write carries, unless a single event is larger. */
const WRITE_BYTES = 65_536;

/**
 * The live end of one run's log, shared by all who follow the run on this process: each event becomes bytes once. The
 * log is the truth; what the bus says only saves reading it.
 */
export class RunFeed {
  /**
   * Emits when there may be something new to take, and at every poll. Completes when the final event is there or the run
   * is gone. The feed works while it has a subscriber.
   */
  readonly advances: Observable<void>;
  private ring: FrameRing | undefined;
  /** The highest sequence number that the log is known to reach. */
  private reached = 0;
  private catchingUp = false;
  private advancing = false;
  private output: Subscriber<void> | undefined;
  /** When the events happened that wait for the next advance. */
  private taken: (string | null)[] = [];
  private state: 'live' | 'finished' | 'gone' = 'live';

  /** @param page what comes after a sequence number, from the log; it rejects when the log is out of reach */
  constructor(
    arrivals: Observable<Arrival>,
    readonly page: (afterSeq: number) => Promise<Page>,
    /** Called with the time of an event, once it has been written to all subscribers that keep up. */
    private readonly onTold: (at: string) => void = () => undefined,
  ) {
    this.advances = new Observable<void>((output) => {
      this.output = output;
      return arrivals.subscribe((arrival) => this.take(arrival));
    }).pipe(share());
  }

  /** True once the run has been deleted: what has not been sent by then never will be. */
  get gone(): boolean {
    return this.state === 'gone';
  }

  /** True once nothing will be added to the log. */
  get finished(): boolean {
    return this.state !== 'live';
  }

  /** What comes next after a cursor, from memory; null when that is nothing, undefined when the log has to be read. */
  next(cursor: number): Frame | null | undefined {
    return this.ring?.next(cursor);
  }

  /** The log is known to reach this number: what is missing up to it is read now. */
  reaches(seq: number): void {
    this.reached = Math.max(this.reached, seq);
    void this.catchUp();
  }

  private take(arrival: Arrival): void {
    switch (arrival.kind) {
      case 'event':
        if (this.append(arrival.frame)) this.advance();
        else this.reaches(arrival.frame.seq);
        break;
      case 'stored':
        this.reaches(arrival.seq);
        break;
      case 'head':
        this.look(arrival.head);
    }
  }

  private look(head: LogHead | null): void {
    if (!head) {
      this.finish('gone');
      return;
    }
    // The feed begins at the end of the log; each subscriber reads what came before from its own position.
    this.ring ??= new FrameRing(head.seq, RING, WRITE_BYTES);
    this.reaches(head.seq);
    this.advance();
    if (head.final && this.ring.newestSeq === head.seq) this.finish('finished');
  }

  /** Reads what is missing between the ring and the end of the log. One read at a time; the end may move meanwhile. */
  private async catchUp(): Promise<void> {
    if (this.catchingUp || !this.ring) return;
    this.catchingUp = true;
    try {
      while (!this.output?.closed && this.ring.newestSeq < this.reached) {
        const { frames } = await this.page(this.ring.newestSeq);
        if (!this.takeIn(frames)) break;
        this.advance();
      }
    } catch {
      // The next notice or poll tries again.
    } finally {
      this.catchingUp = false;
    }
  }

  private takeIn(frames: readonly Frame[]): boolean {
    return frames.filter((frame) => this.append(frame)).length > 0;
  }

  private append(frame: Frame): boolean {
    const isNext = this.ring?.append(frame) === true;
    if (isNext) this.taken.push(frame.at);
    return isNext;
  }

  /** Once for all that arrives in one turn of the event loop: a burst of events is then one write to each subscriber. */
  private advance(): void {
    if (this.advancing) return;
    this.advancing = true;
    queueMicrotask(() => {
      this.advancing = false;
      this.output?.next();
      for (const at of this.taken.splice(0)) if (at !== null) this.onTold(at);
      if (this.ring?.hasFinal) this.finish('finished');
    });
  }

  private finish(state: 'finished' | 'gone'): void {
    if (this.state === 'live') this.state = state;
    this.output?.complete();
  }
}
