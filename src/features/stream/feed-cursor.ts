import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStream } from './event-stream';
import type { Frame } from './frame';
import type { RunFeed } from './run-feed';

/**
 * One subscriber's place in a run's log. It takes what follows its cursor, from memory where that reaches back far enough
 * and otherwise from the log, at the speed of its client: each event once, in order, wherever it comes from.
 */
export class FeedCursor {
  private reading = false;
  private advancedMeanwhile = false;

  constructor(
    private readonly stream: EventStream,
    private readonly feed: RunFeed,
    /** Sequence number of the last event the client has. */
    private cursor: number,
    private readonly retryReadMs: number,
  ) {}

  /** Sends what there is, as far as the client accepts it. Call it again when the feed advances or the client has drained. */
  advance(): void {
    if (this.reading) {
      this.advancedMeanwhile = true;
      return;
    }
    while (this.stream.writable) {
      const frame = this.feed.next(this.cursor);
      if (frame === null) return;
      if (frame === undefined) {
        void this.readPage();
        return;
      }
      this.send(frame);
    }
  }

  private send(frame: Frame): void {
    this.cursor = frame.seq;
    this.stream.write(frame.bytes);
    if (frame.final) this.stream.end();
  }

  private async readPage(): Promise<void> {
    this.reading = true;
    this.advancedMeanwhile = false;
    // Checked before the read: the page then holds all that a finished log will ever have.
    const finished = this.feed.finished;
    const page = await this.feed.page(this.cursor).catch(() => undefined);
    if (!page) {
      // The stream stays open: a client refused now would not come back.
      await sleep(this.retryReadMs, undefined, { ref: false });
      this.advancedMeanwhile = true;
    }
    this.reading = false;
    if (page?.joined) this.send(page.joined);
    else if (page && finished) this.stream.end();
    if (page?.joined || this.advancedMeanwhile) this.advance();
  }
}
