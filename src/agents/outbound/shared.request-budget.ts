import type { Log } from '../../platform/config';
import type { RequestBudgetStore, RequestSlot } from './request-budget.store';
import { systemClock, type Clock } from './clock';
import { ProviderError } from '../errors';
import { RequestBudget } from './limiter';

const DATABASE_RETRY_MS = 500;

interface Waiter {
  readonly perMinute: number;
  readonly admit: () => void;
  readonly refuse: (error: unknown) => void;
}

/** The waiters in this process that share one budget. */
interface Line {
  readonly waiters: Set<Waiter>;
  /** Aborted when the last waiter has left. */
  deserted: AbortController;
}

/**
 * The budget of all processes on one database. Each process queues its waiters and reserves one slot at a time for the
 * first of them, so that a canceled run of a thousand requests has at most one slot to release.
 */
export class SharedRequestBudget extends RequestBudget {
  private readonly lines = new Map<string, Line>();

  constructor(
    private readonly store: RequestBudgetStore,
    private readonly log: Log,
    private readonly clock: Clock = systemClock,
  ) {
    super();
  }

  override acquire(key: string, perMinute: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(ProviderError.canceled());
    return new Promise((resolve, reject) => {
      const line = this.lines.get(key);
      const joined = line ?? { waiters: new Set(), deserted: new AbortController() };
      const leave = (): void => {
        signal.removeEventListener('abort', onAbort);
        joined.waiters.delete(waiter);
      };
      const onAbort = (): void => {
        leave();
        if (joined.waiters.size === 0) joined.deserted.abort();
        reject(ProviderError.canceled());
      };
      const waiter: Waiter = {
        perMinute,
        admit: () => {
          leave();
          resolve();
        },
        refuse: (error) => {
          leave();
          reject(error instanceof Error ? error : new Error('The request budget failed.', { cause: error }));
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      joined.waiters.add(waiter);
      if (line === undefined) {
        this.lines.set(key, joined);
        void this.serve(key, joined);
      }
    });
  }

  /** Releases the waiters, one slot each, until there are none. */
  private async serve(key: string, line: Line): Promise<void> {
    for (let [first] = line.waiters; first !== undefined; [first] = line.waiters) {
      const pauseMs = 60_000 / first.perMinute;
      try {
        const slot = await this.store.reserve(key, pauseMs);
        await this.pass(slot?.waitMs ?? DATABASE_RETRY_MS, line);
        if (slot === null) continue;
        const [next] = line.waiters;
        if (next === undefined) await this.release(key, pauseMs, slot);
        else next.admit();
      } catch (error) {
        first.refuse(error);
      }
    }
    this.lines.delete(key);
  }

  /** Waits for as long as the line has waiters. */
  private async pass(ms: number, line: Line): Promise<void> {
    const end = this.clock.now() + ms;
    for (let left = ms; left > 0 && line.waiters.size > 0; left = end - this.clock.now()) {
      line.deserted = new AbortController();
      await this.clock.sleep(left, line.deserted.signal).catch(() => undefined);
    }
  }

  private async release(key: string, pauseMs: number, slot: RequestSlot): Promise<void> {
    await this.store
      .release(key, pauseMs, slot)
      .catch((error: unknown) => this.log.warn('A slot of a request budget could not be released', { error }));
  }
}
