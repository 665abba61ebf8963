import { eventually } from './eventually';
import type { Queryable } from '../../src/platform/database/connections';

/** The sessions of this database that wait for a lock: other specs have databases on the same server. */
export const LOCK_WAITS = `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/**
 * Resolves when a session waits for a lock, or when the work is over: a wait that is short may have ended before it was seen.
 * @param database outside of a transaction, which would see the same sessions each time
 */
export async function untilWaiting(database: Queryable, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  work.then(end, end);
  await eventually(async () => {
    const waiting = await database.query(`SELECT FROM ${LOCK_WAITS}`);
    expect(isOver || waiting.length > 0).toBe(true);
  });
}
