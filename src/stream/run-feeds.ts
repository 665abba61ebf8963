import { Injectable } from '@nestjs/common';
import { finalize, interval, Observable, share } from 'rxjs';
import { Bus } from '../bus/bus';
import { subjects } from '../bus/subjects';
import { Log } from '../config/log';
import { PageReader } from './page-reader';
import { RunFeed } from './run-feed';
import { RunLookup } from './run-lookup';
import { StreamTimes } from './stream-times';

/** One feed a run, for as long as somebody follows the run on this process. */
@Injectable()
export class RunFeeds {
  private readonly feeds = new Map<string, RunFeed>();
  /** All feeds look at their logs in the same moment, which makes it one query. */
  private readonly polls: Observable<unknown>;

  constructor(
    private readonly bus: Bus,
    private readonly lookup: RunLookup,
    private readonly pages: PageReader,
    private readonly log: Log,
    times: StreamTimes,
  ) {
    this.polls = interval(times.pollMs).pipe(share());
  }

  /** The feed of a run. Subscribe to its `advances` at once: that is what keeps it. */
  of(testRunId: string): RunFeed {
    const feed = this.feeds.get(testRunId) ?? this.open(testRunId);
    this.feeds.set(testRunId, feed);
    return feed;
  }

  /** Runs followed now. */
  get size(): number {
    return this.feeds.size;
  }

  private open(testRunId: string): RunFeed {
    const feed = new RunFeed({
      notices: notices(this.bus, testRunId).pipe(
        finalize(() => {
          if (this.feeds.get(testRunId) === feed) this.feeds.delete(testRunId);
        }),
      ),
      polls: this.polls,
      head: () => this.lookup.head(testRunId),
      page: (afterSeq) => this.pages.read(testRunId, afterSeq),
      onReadError: (error) => this.log.debug('The event log is out of reach', { test_run_id: testRunId, error }),
    });
    return feed;
  }
}

function notices(bus: Bus, testRunId: string): Observable<unknown> {
  return new Observable((output) => {
    const subscription = bus.subscribe(subjects.testRunEvent(testRunId), (payload) => output.next(payload));
    return () => subscription.unsubscribe();
  });
}
