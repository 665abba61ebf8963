import { Injectable } from '@nestjs/common';
import { ownTurn, Slots } from '../../platform/concurrency';
import { SharedRead } from '../../platform/database';
import { EventLogStore, type PageLimit, type LogHead } from './event-log.store';
import { type Frame, frameOf, joinFrames } from './frame';

export interface Page {
  readonly frames: readonly Frame[];
  /** All frames in one; undefined when there are none. */
  readonly joined: Frame | undefined;
}

/** What one subscriber that does not read keeps in memory: at most these bytes, or one larger event. */
const PAGE: PageLimit = { events: 200, bytes: 65_536 };

/** Reads in flight at a time, so that replays leave pool connections to the writers. */
const CONCURRENT_READS = 3;

/** Pages of stored events as frames. Subscribers at the same place share one read and its bytes. */
@Injectable()
export class LogPageReader {
  private readonly waiting = new Map<string, Promise<Page>>();
  private readonly slots = new Slots(CONCURRENT_READS);

  constructor(private readonly log: EventLogStore) {}

  /**
   * The events after a sequence number. Only a read that has not begun is shared, so the page holds everything committed
   * before the call. Rejects when the database is out of reach.
   */
  read(testRunId: string, afterSeq: number): Promise<Page> {
    const key = `${testRunId} ${afterSeq}`;
    const shared = this.waiting.get(key);
    if (shared) return shared;
    const page = this.inTurn(key, testRunId, afterSeq);
    this.waiting.set(key, page);
    return page;
  }

  private async inTurn(key: string, testRunId: string, afterSeq: number): Promise<Page> {
    const release = await this.slots.take();
    this.waiting.delete(key);
    try {
      const events = await this.log.readAfter(testRunId, afterSeq, PAGE);
      await ownTurn(events.reduce((sum, { json }) => sum + json.length, 0));
      const frames = events.map(frameOf);
      return { frames, joined: joinFrames(frames) };
    } finally {
      release();
    }
  }
}

/** Where the logs of runs end, for many subscribers at a time: a thousand that arrive at once cost a few queries. */
@Injectable()
export class LogHeads {
  private readonly heads: SharedRead<string, LogHead | null>;

  constructor(log: EventLogStore) {
    this.heads = new SharedRead(async (ids) => {
      const found = await log.heads(ids);
      return ids.map((id) => found.get(id) ?? null);
    });
  }

  /** The head of the log of the run with this UUID; null when there is no such run. */
  of(testRunId: string): Promise<LogHead | null> {
    return this.heads.load(testRunId);
  }
}
