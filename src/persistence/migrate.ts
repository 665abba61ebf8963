import { MigrationExecutor, type DataSource } from 'typeorm';

/** Any number that nothing else in the database uses; the same in every version of the service. */
const MIGRATION_LOCK = 7_265_001;

/**
 * Brings the schema up to date. Processes that start together take turns: the first migrates, the others find nothing to do.
 * One connection holds the lock and migrates, so that a lost connection loses both.
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SET statement_timeout = 0');
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'each';
      await executor.executePendingMigrations();
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await runner.query('RESET statement_timeout');
    }
  } finally {
    await runner.release();
  }
}
