import { systemClock, type Clock } from './clock';
import { ProviderError } from '../errors';
import { RequestBudget } from './limiter';

/** Timers fire late; lateness up to this is made up for, so that the rate over a minute is the one configured. */
const CATCH_UP_MS = 50;

/** How many lanes are kept before those without waiters are swept. */
const LANES_BEFORE_SWEEP = 1000;

interface Waiter {
  readonly perMinute: number;
  readonly admit: () => void;
}

/** The waiters that share one budget. */
interface Lane {
  /** When the next request may go, in the clock's milliseconds. */
  freeAt: number;
  readonly waiters: Set<Waiter>;
  /** Ends the wait for `freeAt` when the last waiter has left. */
  server: AbortController | null;
}

/** The budget of one process; several processes on one database need one that they share. */
export class InProcessRequestBudget extends RequestBudget {
  private readonly lanes = new Map<string, Lane>();

  constructor(private readonly clock: Clock = systemClock) {
    super();
  }

  override acquire(key: string, perMinute: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(ProviderError.canceled());
    const lane = this.lane(key);
    if (lane.waiters.size === 0 && lane.freeAt <= this.clock.now()) {
      lane.freeAt = this.clock.now() + 60_000 / perMinute;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        lane.waiters.delete(waiter);
        if (lane.waiters.size === 0) lane.server?.abort();
        reject(ProviderError.canceled());
      };
      const waiter: Waiter = {
        perMinute,
        admit: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      lane.waiters.add(waiter);
      if (lane.server === null) void this.serve(lane);
    });
  }

  /** Releases the waiters of a lane, one at a time, until there are none. */
  private async serve(lane: Lane): Promise<void> {
    while (lane.waiters.size > 0) {
      const server = new AbortController();
      lane.server = server;
      const wait = lane.freeAt - this.clock.now();
      // An abort only means that all waiters left; those that came since are served by the next round.
      if (wait > 0) await this.clock.sleep(wait, server.signal).catch(() => undefined);
      const [next] = lane.waiters;
      if (next === undefined || server.signal.aborted) continue;
      lane.waiters.delete(next);
      lane.freeAt = Math.max(lane.freeAt, this.clock.now() - CATCH_UP_MS) + 60_000 / next.perMinute;
      next.admit();
    }
    lane.server = null;
  }

  private lane(key: string): Lane {
    const known = this.lanes.get(key);
    if (known !== undefined) return known;
    if (this.lanes.size >= LANES_BEFORE_SWEEP) {
      const now = this.clock.now();
      for (const [other, lane] of this.lanes) {
        if (lane.waiters.size === 0 && lane.freeAt <= now) this.lanes.delete(other);
      }
    }
    const made: Lane = { freeAt: 0, waiters: new Set(), server: null };
    this.lanes.set(key, made);
    return made;
  }
}
