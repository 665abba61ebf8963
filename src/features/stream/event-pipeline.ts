import { Injectable, Optional, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import {
  catchError,
  EMPTY,
  exhaustMap,
  filter,
  finalize,
  from,
  interval,
  map,
  merge,
  Observable,
  of,
  share,
  type Subscription,
  tap,
} from 'rxjs';
import type { RunEvent } from '../../domain/run-events';
import { Bus } from '../../engine/bus/bus';
import { subjects } from '../../engine/bus/subjects';
import { Log } from '../../platform/config/log';
import { Metrics, silentMetrics } from '../../platform/telemetry/metrics/metrics';
import type { LogHead } from './event-log.store';
import { CommittedEvents } from '../../engine/ledger/committed-events';
import { type EventNotice, noticeOf, publishNotice, readNotice } from './event-notice';
import type { EventStream } from './event-stream';
import { FeedCursor } from './feed-cursor';
import { LogPageReader } from './log-page-reader';
import { type Arrival, RunFeed } from './run-feed';
import { LogHeads } from './log-heads';
import { StreamTimes } from './stream-times';

/**
 * How a committed event reaches those who follow its run, whichever process serves them:
 *
 *     ledger ── commit ──▶ CommittedEvents ──▶ notice ──▶ bus        once, on the process that committed
 *
 *     bus ──▶ notice ──▶ frame ─┐
 *     log ──▶ head ─────────────┴▶ RunFeed ◀── pages of the log      once a run, on each process that serves it
 *
 *     RunFeed ──▶ FeedCursor ──▶ EventStream ──▶ socket              for each subscriber, at its own pace
 *
 * The log is the truth. The bus is merely fast: it may lose, repeat and reorder. A RunFeed takes events strictly in order
 * and reads what is missing from the log, at the next notice or the next poll; so no one sees a gap (invariant 8).
 */
@Injectable()
export class EventPipeline implements OnModuleInit, OnApplicationShutdown {
  private readonly feeds = new Map<string, RunFeed>();
  private publishing: Subscription | null = null;
  /** All feeds poll their logs at the same moment, which makes it one query. */
  private readonly polls: Observable<unknown>;

  constructor(
    private readonly committed: CommittedEvents,
    private readonly bus: Bus,
    private readonly heads: LogHeads,
    private readonly pages: LogPageReader,
    private readonly log: Log,
    private readonly times: StreamTimes,
    @Optional() private readonly metrics: Metrics = silentMetrics,
  ) {
    this.polls = interval(times.pollMs).pipe(share());
  }

  onModuleInit(): void {
    this.publishing = publication(this.committed.stream, this.bus, this.log).subscribe();
  }

  /** Not before the actors have stopped: their last commits are published too. */
  onApplicationShutdown(): void {
    this.publishing?.unsubscribe();
  }

  /** Sends a subscriber what follows its last event, until the subscription or the run ends. */
  deliver(stream: EventStream, testRunId: string, position: { afterSeq: number; headSeq: number }): Subscription {
    const feed = this.feedOf(testRunId);
    const cursor = new FeedCursor(stream, feed, position.afterSeq, this.times.pollMs);
    stream.onDrain = () => cursor.advance();
    const delivery = feed.advances.subscribe({
      next: () => cursor.advance(),
      complete: () => {
        if (feed.gone) stream.end();
        else cursor.advance();
      },
    });
    feed.reaches(position.headSeq);
    cursor.advance();
    return delivery;
  }

  /** Runs followed now. */
  get size(): number {
    return this.feeds.size;
  }

  /** The feed of a run, for as long as someone is subscribed to its `advances`. */
  feedOf(testRunId: string): RunFeed {
    const known = this.feeds.get(testRunId);
    if (known !== undefined) return known;
    const unreadable = (error: unknown): void =>
      this.log.debug('The event log is out of reach', { test_run_id: testRunId, error });
    const feed = new RunFeed(
      arrivals({
        notices: noticesOf(this.bus, testRunId),
        polls: this.polls,
        head: () => this.heads.of(testRunId),
        onReadError: unreadable,
      }).pipe(
        finalize(() => {
          if (this.feeds.get(testRunId) === feed) this.feeds.delete(testRunId);
        }),
      ),
      async (afterSeq) => {
        try {
          return await this.pages.read(testRunId, afterSeq);
        } catch (error) {
          unreadable(error);
          throw error;
        }
      },
      (at) => this.metrics.observe('osce_event_lag_seconds', {}, (Date.now() - Date.parse(at)) / 1_000),
    );
    this.feeds.set(testRunId, feed);
    return feed;
  }
}

/** Committed events of this process, published to all. Nothing that goes wrong here fails anything: the events are stored. */
export function publication(committed: Observable<RunEvent>, bus: Bus, log: Log): Observable<EventNotice> {
  return committed.pipe(
    map(noticeOf),
    tap((notice) => {
      try {
        publishNotice(bus, notice);
      } catch (error) {
        const { run_id: testRunId, seq } = notice;
        log.error('An event could not be published; it is read from the log', { error, testRunId, seq });
      }
    }),
  );
}

export interface ArrivalSources {
  /** What the bus says about this run: fast, but it may lose, repeat and reorder. */
  readonly notices: Observable<unknown>;
  /** When to poll the log regardless. */
  readonly polls: Observable<unknown>;
  readonly head: () => Promise<LogHead | null>;
  readonly onReadError: (error: unknown) => void;
}

/** What the bus and the log say about one run. The log is read once at the beginning, and at each poll. */
export function arrivals({ notices, polls, head, onReadError }: ArrivalSources): Observable<Arrival> {
  const heard = notices.pipe(
    map(readNotice),
    filter((arrival) => arrival !== undefined),
  );
  const looked = merge(of(0), polls).pipe(
    exhaustMap(() =>
      from(head()).pipe(
        catchError((error: unknown) => {
          onReadError(error);
          return EMPTY;
        }),
      ),
    ),
    map((end): Arrival => ({ kind: 'head', head: end })),
  );
  return merge(heard, looked);
}

function noticesOf(bus: Bus, testRunId: string): Observable<unknown> {
  return new Observable((output) => {
    const subscription = bus.subscribe(subjects.testRunEvent(testRunId), (payload) => output.next(payload));
    return () => subscription.unsubscribe();
  });
}
