import { Injectable } from '@nestjs/common';
import { defer, mergeMap, type Observable, Subject } from 'rxjs';
import { EventLogStore, type PageLimit } from '../persistence/event-log.store';
import { type Frame, frameOf, joinFrames } from './frame';

export interface Page {
  readonly frames: readonly Frame[];
  /** All of them in one; undefined when there are none. */
  readonly joined: Frame | undefined;
}

/** What one subscriber that does not read may hold back: these bytes (or one larger event) times subscribers at most. */
const PAGE: PageLimit = { events: 200, bytes: 65_536 };

/** Reads in flight at a time, so that replays leave connections of the pool to those who write. */
const CONCURRENT_READS = 3;

/** Pages of stored events as frames. Subscribers at the same place share one read and its bytes. */
@Injectable()
export class PageReader {
  private readonly waiting = new Map<string, Promise<Page>>();
  private readonly reads = new Subject<Observable<void>>();

  constructor(private readonly log: EventLogStore) {
    this.reads.pipe(mergeMap((read) => read, CONCURRENT_READS)).subscribe();
  }

  /**
   * The events after a sequence number. Only a read that has not begun is shared, so the page holds everything committed
   * before the call. Rejects when the database is out of reach.
   */
  read(testRunId: string, afterSeq: number): Promise<Page> {
    const key = `${testRunId} ${afterSeq}`;
    const shared = this.waiting.get(key);
    if (shared) return shared;
    let load = (): Promise<void> => Promise.resolve();
    const page = new Promise<Page>((resolve, reject) => {
      load = () => {
        this.waiting.delete(key);
        return this.load(testRunId, afterSeq).then(resolve, reject);
      };
    });
    this.waiting.set(key, page);
    this.reads.next(defer(load));
    return page;
  }

  private async load(testRunId: string, afterSeq: number): Promise<Page> {
    const events = await this.log.readAfter(testRunId, afterSeq, PAGE);
    const frames = events.map(frameOf);
    return { frames, joined: joinFrames(frames) };
  }
}
