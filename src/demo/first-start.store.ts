import { ADVISORY_LOCKS, type Database } from '../platform/database';

/** Processes that start together on one database, and which of them seeds it. */
export class FirstStartStore {
  constructor(private readonly database: Database) {}

  /**
   * Does the work while no other process does. `isFirst` is true until there has been a scenario, so that the next start completes a
   * first start that was cut short. When all scenarios were deleted for good, an audit record or runs remain: they are not seeded again.
   */
  takeTurns<Result>(work: (isFirst: boolean) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.firstStart]);
      const [row] = await tx.query<{ seeded: boolean }>(
        `SELECT EXISTS (SELECT FROM scenarios) OR EXISTS (SELECT FROM audit_records WHERE resource <> 'backups') OR EXISTS (SELECT FROM test_runs) AS seeded`,
      );
      return work(row?.seeded === false);
    });
  }
}
