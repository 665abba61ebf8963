import { setTimeout as sleep } from 'node:timers/promises';
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
import { z } from 'zod';
import { type RunEvent, eventText } from '../../domain';
import { Bus, subjects, BusError } from '../../engine/bus';
import { CommittedEvents } from '../../engine/ledger';
import { Log } from '../../platform/config';
import { Metrics, silentMetrics } from '../../platform/telemetry';
import type { LogHead } from './event-log.store';
import type { EventStream } from './event-stream';
import { frameOf, type Frame } from './frame';
import { LogHeads, LogPageReader } from './log-page-reader';
import { type Arrival, RunFeed } from './run-feed';

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

/** Intervals and time limits of event streams, in milliseconds. */
@Injectable()
export class StreamTimes {
  /** A comment line this often keeps proxies open (HTTP contract, section 4). */
  readonly heartbeatMs: number = 15_000;
  /** How often the log is read without a notice; also the delay of events when the bus loses messages. */
  readonly pollMs: number = 1_000;
  /** A subscriber that accepts no byte for this long is disconnected; it can come back with Last-Event-ID. */
  readonly stallMs: number = 60_000;
  /** How long a stream for a run that does not exist waits for it to be started. */
  readonly unknownRunMs: number = 60_000;
}

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
 * and reads what is missing from the log, at the next notice or the next poll; so no subscriber sees a gap (invariant 8).
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

  /** The feed of a run, for as long as its `advances` have a subscriber. */
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
      }).pipe(finalize(() => this.feeds.delete(testRunId))),
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

/**
 * What travels on the bus after a commit: the event itself, or for an event too large for one message, only where to
 * read it. Receivers that see a gap, or only a pointer, read the stored log.
 */
export type EventNotice = RunEvent | Pointer;
type Pointer = { readonly run_id: string; readonly seq: number; readonly type: 'stored' };

/** Events with more text than this are sent as a pointer; as JSON the text stays below what any bus carries by default, 1 MiB. */
const LONGEST_TEXT = 128 * 1024;

function noticeOf(event: RunEvent): EventNotice {
  return textIn(event) > LONGEST_TEXT ? pointerTo(event) : event;
}

/** @throws BusError, but not for an event that is too large: the bus knows its own limit, and a pointer always fits */
function publishNotice(bus: Bus, notice: EventNotice): void {
  const subject = subjects.testRunEvent(notice.run_id);
  try {
    bus.publish(subject, notice);
  } catch (error) {
    if (!(error instanceof BusError) || error.reason !== 'payload_too_large') throw error;
    bus.publish(subject, pointerTo(notice));
  }
}

const pointer = z.object({ type: z.literal('stored'), seq: z.int().positive() });
const event = z.object({ type: z.string(), run_id: z.string(), seq: z.int().positive(), at: z.string() });

/** Reads an EventNotice from the bus. Undefined for anything else: the log is read sooner or later anyway. */
export function readNotice(payload: unknown): Arrival | undefined {
  if (isEvent(payload)) {
    const { run_id, seq, at, ...fields } = payload;
    const json = eventText(JSON.stringify(fields), { run_id, seq, at });
    return { kind: 'event', frame: frameOf({ seq, type: fields.type, json, at }) };
  }
  const pointed = pointer.safeParse(payload);
  return pointed.success ? { kind: 'stored', seq: pointed.data.seq } : undefined;
}

/** Not what the schema makes of it, which would lose the other fields or their order. */
function isEvent(payload: unknown): payload is z.output<typeof event> {
  return event.safeParse(payload).success;
}

function pointerTo({ run_id, seq }: EventNotice): Pointer {
  return { run_id, seq, type: 'stored' };
}

/** Characters of all its texts; everything else in an event is small. */
function textIn(event: RunEvent): number {
  return Object.values(event).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}
