import type { Database } from './database';

/** Any number that nothing else in the database uses; the same in every version of the service. */
const FIRST_START_LOCK = 7_265_003;

/** Processes that start together on one database, and which of them furnishes it. */
export class FirstStartStore {
  constructor(private readonly database: Database) {}

  /**
   * Does the work while no other process does. `isFirst` is true until there was a scenario, so that a first start that was
   * cut short is made up for by the next. Whoever has deleted all scenarios for good has left a record of it, or runs: they stay away.
   */
  takeTurns<Result>(work: (isFirst: boolean) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [FIRST_START_LOCK]);
      const [row] = await tx.query<{ furnished: boolean }>(
        `SELECT EXISTS (SELECT FROM scenarios) OR EXISTS (SELECT FROM audit_records WHERE resource <> 'backups') OR EXISTS (SELECT FROM test_runs) AS furnished`,
      );
      return work(row?.furnished === false);
    });
  }
}
