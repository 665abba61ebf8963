import { Injectable } from '@nestjs/common';
import { Observable, share } from 'rxjs';
import { Bus } from '../../engine/bus/bus';
import { subjects } from '../../engine/bus/subjects';
import { transitionNotice, WATCH_RENEWAL_MS, type TransitionNotice } from './inspection-messages';

/** The transitions of actors as they happen, on whichever process: watched for as long as someone subscribes. */
@Injectable()
export class ActorFeeds {
  private readonly feeds = new Map<string, Observable<TransitionNotice>>();

  constructor(private readonly bus: Bus) {}

  /** One watch for all who follow the actor from here. */
  of(actorId: string): Observable<TransitionNotice> {
    const known = this.feeds.get(actorId);
    if (known !== undefined) return known;
    const feed = this.watch(actorId).pipe(share());
    this.feeds.set(actorId, feed);
    return feed;
  }

  private watch(actorId: string): Observable<TransitionNotice> {
    return new Observable((subscriber) => {
      const heard = this.bus.subscribe(subjects.actorTransition(actorId), (payload) => {
        const notice = transitionNotice.safeParse(payload);
        if (notice.success) subscriber.next(notice.data);
      });
      const renew = (): void => this.bus.publish(subjects.watchActor(actorId), {});
      renew();
      const timer = setInterval(renew, WATCH_RENEWAL_MS).unref();
      return () => {
        clearInterval(timer);
        heard.unsubscribe();
        this.feeds.delete(actorId);
      };
    });
  }
}
