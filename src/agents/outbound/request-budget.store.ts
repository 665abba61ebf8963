import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database';

/** A time at which one request may be sent. */
export interface RequestSlot {
  /** How far ahead it lies, by the database's clock; 0 when it is now. */
  readonly waitMs: number;
  /** Names the slot for `release`. */
  readonly end: string;
}

/** Requests that come late, because timers do, are caught up within this much time, so that the rate is the one configured. */
const CATCH_UP_SECONDS = 0.05;

/** The budgets that all processes share: one row holds the time of the next request, and each caller moves it on. */
@Injectable()
export class RequestBudgetStore {
  constructor(private readonly database: Database) {}

  /**
   * Takes the next slot of a budget; it belongs to the caller, who sends one request at that time.
   * @param pauseMs to the slot after it: one minute by the number of requests allowed
   * @returns null while the database is out of reach
   */
  async reserve(key: string, pauseMs: number): Promise<RequestSlot | null> {
    try {
      const [slot] = await this.database.query<{ wait_ms: number; end_at: string }>(
        `INSERT INTO request_budgets AS budget (key, free_at)
         VALUES ($1, clock_timestamp() + make_interval(secs => $2))
         ON CONFLICT (key) DO UPDATE SET free_at =
           GREATEST(budget.free_at, clock_timestamp() - make_interval(secs => $3)) + make_interval(secs => $2)
         RETURNING free_at::text AS end_at,
           GREATEST(0, extract(epoch FROM free_at - make_interval(secs => $2) - clock_timestamp()) * 1000)::float8 AS wait_ms`,
        [key, pauseMs / 1_000, CATCH_UP_SECONDS],
      );
      return { waitMs: slot?.wait_ms ?? 0, end: slot?.end_at ?? '' };
    } catch (error) {
      if (this.database.isUnavailable(error)) return null;
      throw error;
    }
  }

  /** Frees a slot for another request, unless later ones are taken already. */
  async release(key: string, pauseMs: number, slot: RequestSlot): Promise<void> {
    await this.database.query(
      `UPDATE request_budgets SET free_at = free_at - make_interval(secs => $2) WHERE key = $1 AND free_at = $3::timestamptz`,
      [key, pauseMs / 1_000, slot.end],
    );
  }
}
