import type { ServerResponse } from 'node:http';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Subscription, exhaustMap, from, interval, Observable, share } from 'rxjs';
import { Bus, subjects } from '../../engine/bus';
import { Log } from '../../platform/config';
import { EventStream } from '../stream/event-stream';
import { StreamTimes } from '../stream/event-pipeline';
import { ActorStream } from './actor-stream';
import { actorNotice, WatchTimes, type ActorNotice } from './inspection-messages';
import { InspectionService, type Inspected } from './inspection.service';
import { InspectionStore } from './inspection.store';

/** What happens to actors as it happens, on whichever process: watched for as long as they have subscribers. */
@Injectable()
export class ActorFeeds {
  private readonly feeds = new Map<string, Observable<ActorNotice>>();

  constructor(
    private readonly bus: Bus,
    private readonly times: WatchTimes,
  ) {}

  /** One watch for all who follow the actor from here. */
  of(actorId: string): Observable<ActorNotice> {
    const known = this.feeds.get(actorId);
    if (known !== undefined) return known;
    const feed = this.watch(actorId).pipe(share());
    this.feeds.set(actorId, feed);
    return feed;
  }

  private watch(actorId: string): Observable<ActorNotice> {
    return new Observable((subscriber) => {
      const heard = this.bus.subscribe(subjects.actorTransition(actorId), (payload) => {
        const notice = actorNotice.safeParse(payload);
        if (notice.success) subscriber.next(notice.data);
      });
      const renew = (): void => this.bus.publish(subjects.watchActor(actorId), {});
      renew();
      const timer = setInterval(renew, this.times.renewalMs).unref();
      return () => {
        clearInterval(timer);
        heard.unsubscribe();
        this.feeds.delete(actorId);
      };
    });
  }
}

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
