import type { ServerResponse } from 'node:http';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Subscription, exhaustMap, from, interval } from 'rxjs';
import { Log } from '../../platform/config/log';
import { InspectionStore } from './inspection.store';
import { EventStream } from '../stream/event-stream';
import { StreamTimes } from '../stream/stream-times';
import { ActorFeeds } from './actor-feeds';
import { ActorStream } from './actor-stream';
import { InspectionService, type Inspected } from './inspection.service';

/** How often the row is read: the bus may lose messages, and a killed process sends none. */
const LOOK_MS = 2_000;

/** The actor streams that this process serves, and how they end. */
@Injectable()
export class ActorStreams implements BeforeApplicationShutdown {
  private readonly streams = new Set<EventStream>();
  private isStopping = false;

  constructor(
    private readonly feeds: ActorFeeds,
    private readonly service: InspectionService,
    private readonly store: InspectionStore,
    private readonly times: StreamTimes,
    private readonly log: Log,
  ) {}

  /** False while the process is going down. */
  get open(): boolean {
    return !this.isStopping;
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
    for (const stream of this.streams) {
      if (stream.writable) stream.end();
      else stream.disconnect();
    }
  }

  /** Begins to watch, then reads the actor's state, so that nothing is missed in between. */
  async follow(response: ServerResponse, id: string, actorId: string): Promise<void> {
    const whileOpen = new Subscription();
    const gone = (): void => whileOpen.unsubscribe();
    response.once('close', gone);
    const early: Parameters<ActorStream['hear']>[0][] = [];
    let hear = (notice: (typeof early)[number]): void => void early.push(notice);
    whileOpen.add(this.feeds.of(actorId).subscribe((notice) => hear(notice)));
    const inspected = await this.service.find(id).catch((error: unknown) => {
      gone();
      throw error;
    });
    if (response.destroyed) return;
    const stream = new EventStream(response, () => {
      this.streams.delete(stream);
      gone();
    });
    this.streams.add(stream);
    const actor = new ActorStream(inspected.row.id, stream, this.service, this.log);
    actor.begin(inspected);
    hear = (notice) => actor.hear(notice);
    for (const notice of early) actor.hear(notice);
    whileOpen.add(this.look(inspected, actor));
    whileOpen.add(this.beat(stream));
  }

  private look({ row }: Inspected, actor: ActorStream): Subscription {
    return interval(LOOK_MS)
      .pipe(
        exhaustMap(() =>
          from(
            this.store
              .find(row.id)
              .then((standing) => actor.check(standing))
              .catch((error: unknown) => this.log.warn('A watched actor could not be looked up', { error })),
          ),
        ),
      )
      .subscribe();
  }

  private beat(stream: EventStream): Subscription {
    return interval(this.times.heartbeatMs).subscribe(() => {
      if (stream.stalledFor(performance.now()) > this.times.stallMs) stream.disconnect();
      else stream.heartbeat();
    });
  }
}
