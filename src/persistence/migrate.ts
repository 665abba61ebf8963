import { isNativeError } from 'node:util/types';
import { MigrationExecutor, type DataSource } from 'typeorm';
import { DatabaseStartError } from './database-start-error';

/** Any number that nothing else in the database uses; the same in every version of the service. */
const MIGRATION_LOCK = 7_265_001;

/**
 * Brings the schema up to date. Processes that start together take turns: the first migrates, the others find nothing to do.
 * One connection holds the lock and migrates, so that a lost connection loses both.
 * @throws DatabaseStartError
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  try {
    await migrateInTurn(dataSource);
  } catch (cause) {
    const reason = isNativeError(cause) ? cause.message : String(cause);
    throw new DatabaseStartError(
      `The tables could not be brought up to date (${reason}): see that the database user may create tables, then start again.`,
      { cause },
    );
  }
}

async function migrateInTurn(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SET statement_timeout = 0');
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'each';
      await executor.executePendingMigrations();
    } finally {
      // On a broken connection the lock is gone already, and the reason why it broke is what matters.
      await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
      await runner.query('RESET statement_timeout').catch(() => undefined);
    }
  } finally {
    await runner.release();
  }
}
