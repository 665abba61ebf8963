import {
  catchError,
  EMPTY,
  exhaustMap,
  filter,
  from,
  map,
  merge,
  Observable,
  of,
  share,
  type Subscriber as RxSubscriber,
} from 'rxjs';
import type { LogHead } from '../persistence/event-log.store';
import { readNotice, type Notice } from './event-notice';
import { type Frame, frameOf } from './frame';
import { FrameRing } from './frame-ring';
import type { Page } from './page-reader';

export interface RunFeedSources {
  /** What the bus says about this run: quick, but it may lose, repeat and reorder. */
  readonly notices: Observable<unknown>;
  /** When to look at the log all the same. */
  readonly polls: Observable<unknown>;
  readonly head: () => Promise<LogHead | null>;
  readonly page: (afterSeq: number) => Promise<Page>;
  readonly onReadError: (error: unknown) => void;
}

/** Enough for a subscriber that is a moment behind; who is further behind reads the log. */
const RING = { frames: 512, bytes: 1_048_576 };
/** What one write carries at most, unless a single event is larger. */
const WRITE_BYTES = 65_536;

/**
 * The live end of one run's log, shared by all who follow the run on this process: each event becomes bytes once. The
 * log is the truth; notices from the bus only save looking.
 */
export class RunFeed {
  /**
   * Emits when there may be something new to take, and at every poll. Completes when the final event is there or the run
   * is gone. The feed works while somebody is subscribed.
   */
  readonly advances: Observable<void>;
  private ring: FrameRing | undefined;
  /** The highest sequence number heard of. */
  private rumoured = 0;
  private catchingUp = false;
  private telling = false;
  private output: RxSubscriber<void> | undefined;
  private state: 'live' | 'finished' | 'gone' = 'live';

  constructor(private readonly sources: RunFeedSources) {
    this.advances = new Observable<void>((output) => this.follow(output)).pipe(share());
  }

  /** True once the run was deleted: what was not sent by then will never be. */
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

  /** What comes after a cursor, from the log. A failure is reported here and thrown to the caller, who tries again. */
  async page(cursor: number): Promise<Page> {
    try {
      return await this.sources.page(cursor);
    } catch (error) {
      this.sources.onReadError(error);
      throw error;
    }
  }

  /** Somebody has seen the log reach this number: what is missing until there is read now. */
  heardOf(seq: number): void {
    this.rumoured = Math.max(this.rumoured, seq);
    void this.catchUp();
  }

  private follow(output: RxSubscriber<void>): () => void {
    this.output = output;
    const heard = this.sources.notices.pipe(
      map(readNotice),
      filter((notice) => notice !== undefined),
    );
    const looked = merge(of(0), this.sources.polls).pipe(
      exhaustMap(() =>
        from(this.sources.head()).pipe(
          catchError((error: unknown) => {
            this.sources.onReadError(error);
            return EMPTY;
          }),
        ),
      ),
    );
    const subscription = heard.subscribe((notice) => this.hear(notice));
    subscription.add(looked.subscribe((head) => this.look(head)));
    return () => subscription.unsubscribe();
  }

  private hear({ seq, event }: Notice): void {
    if (event && this.ring?.append(frameOf(event))) this.tell();
    else this.heardOf(seq);
  }

  private look(head: LogHead | null): void {
    if (!head) {
      this.finish('gone');
      return;
    }
    // The feed begins at the end of the log; what was before is for each subscriber to read from its own place.
    this.ring ??= new FrameRing(head.seq, RING, WRITE_BYTES);
    this.heardOf(head.seq);
    this.tell();
    if (head.final && this.ring.newestSeq === head.seq) this.finish('finished');
  }

  /** Reads what is missing between the ring and what was heard of. One at a time; news meanwhile lengthens the way. */
  private async catchUp(): Promise<void> {
    if (this.catchingUp || !this.ring) return;
    this.catchingUp = true;
    try {
      while (!this.output?.closed && this.ring.newestSeq < this.rumoured) {
        const { frames } = await this.page(this.ring.newestSeq);
        if (!this.takeIn(frames)) break;
        this.tell();
      }
    } catch {
      // Reported; the next notice or poll tries again.
    } finally {
      this.catchingUp = false;
    }
  }

  private takeIn(frames: readonly Frame[]): boolean {
    return frames.filter((frame) => this.ring?.append(frame)).length > 0;
  }

  /** Once for all that arrives in one turn: a burst of events is then one write to each subscriber. */
  private tell(): void {
    if (this.telling) return;
    this.telling = true;
    queueMicrotask(() => {
      this.telling = false;
      this.output?.next();
      if (this.ring?.hasFinal) this.finish('finished');
    });
  }

  private finish(state: 'finished' | 'gone'): void {
    if (this.state === 'live') this.state = state;
    this.output?.complete();
  }
}
