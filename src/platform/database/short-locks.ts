import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { isLockLost } from './retryable-postgres-error';

/**
 * Who waits for a whole table holds up everybody who comes later, also those who could do without: older processes write on
 * while the tables are brought up to date. So a step waits this long, lets them through for as long, and begins again.
 */
const LOCK_WAIT_MS = 1_000;
const LET_THROUGH_MS = 1_000;

/** Every transaction of these connections waits for each lock only so long. What is outside a transaction waits as before. */
export function limitLockWaits(dataSource: DataSource): void {
  dataSource.subscribers.push({
    afterTransactionStart: async ({ queryRunner }) => {
      await queryRunner.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
    },
  });
}

/** Begins again for as long as locks are not to be had, or are lost to another transaction in a deadlock. */
export async function untilLocked(steps: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await steps();
      return;
    } catch (error) {
      if (!isLockLost(error)) throw error;
    }
    await sleep(LET_THROUGH_MS);
  }
}
