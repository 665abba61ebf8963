import type { ServerResponse } from 'node:http';
import { BeforeApplicationShutdown, Injectable, OnModuleInit } from '@nestjs/common';
import { catchError, EMPTY, exhaustMap, filter, from, interval, Subscription, take, takeUntil, timer } from 'rxjs';
import { RunSummaries } from '../runs/run-summaries';
import { EventPipeline, StreamTimes } from './event-pipeline';
import { EventStream } from './event-stream';
import { connectedMessage } from './frame';
import type { TestRunListItem } from '../../../contract/test-runs';

/** Every stream this process serves: what they share, and how they end. */
@Injectable()
export class EventStreams implements OnModuleInit, BeforeApplicationShutdown {
  private readonly streams = new Set<EventStream>();
  private readonly timers: NodeJS.Timeout[] = [];
  private shuttingDown = false;

  constructor(
    private readonly pipeline: EventPipeline,
    private readonly summaries: RunSummaries,
    private readonly times: StreamTimes,
  ) {}

  onModuleInit(): void {
    this.timers.push(
      setInterval(() => this.heartbeat(), this.times.heartbeatMs).unref(),
      setInterval(() => this.disconnectStalled(), Math.min(1_000, this.times.stallMs)).unref(),
    );
  }

  /** After the actors have stopped, so that subscribers hear their last events; before the server waits for connections. */
  beforeApplicationShutdown(): void {
    this.shuttingDown = true;
    for (const timer of this.timers) clearInterval(timer);
    for (const stream of this.streams) {
      if (stream.writable) stream.end();
      else stream.disconnect();
    }
  }

  /** False while the process is going down. */
  get open(): boolean {
    return !this.shuttingDown;
  }

  /** Streams open now. */
  get size(): number {
    return this.streams.size;
  }

  /** Sends a run's events after a sequence number: first the stored ones (up to `headSeq`, as far as is known), then live ones, through the final one. */
  follow(response: ServerResponse, run: TestRunListItem, headSeq: number, afterSeq: number): void {
    const { stream, whileOpen } = this.start(response);
    stream.write(connectedMessage(run.id, run));
    whileOpen.add(this.pipeline.deliver(stream, run.id, { afterSeq, headSeq }));
  }

  /**
   * For a run that does not exist: waits a while for it to start, then sends its events from the first.
   * @param before is done before anything of it is sent
   */
  waitFor(response: ServerResponse, idOrLabel: string, before: (run: TestRunListItem) => Promise<void>): void {
    const { stream, whileOpen } = this.start(response);
    stream.write(connectedMessage(idOrLabel, null));
    const appears = interval(this.times.pollMs).pipe(
      exhaustMap(() => from(this.found(idOrLabel, before)).pipe(catchError(() => EMPTY))),
      filter((run) => run !== null),
      take(1),
      takeUntil(timer(this.times.unknownRunMs)),
    );
    let found = false;
    whileOpen.add(
      appears.subscribe({
        next: (run) => {
          found = true;
          whileOpen.add(this.pipeline.deliver(stream, run.id, { afterSeq: 0, headSeq: 0 }));
        },
        complete: () => {
          if (!found) stream.end();
        },
      }),
    );
  }

  private async found(
    idOrLabel: string,
    before: (run: TestRunListItem) => Promise<void>,
  ): Promise<TestRunListItem | null> {
    const run = await this.summaries.find(idOrLabel);
    if (run !== null) await before(run);
    return run;
  }

  private start(response: ServerResponse): { stream: EventStream; whileOpen: Subscription } {
    const whileOpen = new Subscription();
    const stream = new EventStream(response, () => {
      this.streams.delete(stream);
      whileOpen.unsubscribe();
    });
    this.streams.add(stream);
    return { stream, whileOpen };
  }

  private heartbeat(): void {
    for (const stream of this.streams) stream.heartbeat();
  }

  private disconnectStalled(): void {
    const now = performance.now();
    for (const stream of this.streams) {
      if (stream.stalledFor(now) > this.times.stallMs) stream.disconnect();
    }
  }
}
