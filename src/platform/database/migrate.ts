import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { AbstractLogger, MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import type { Log } from '../config/log';
import { ADVISORY_LOCKS } from './advisory-locks';
import { createPatientDataSource, type Migration } from './data-source';
import { DatabaseStartError, isRefusedForRights } from './unavailable';
import { sentenceAbout, outageOf, isLockLost } from './postgres-errors';

const LOCK_POLL_MS = 200;

export interface MigrateOptions {
  readonly url: string;
  readonly log: Log;
  /** No others are applied; those of this version, when left out. */
  readonly migrations?: readonly Migration[];
  /** After how long the log says what is waited for, and how often it says so again. */
  readonly tellAfterMs?: number;
  readonly tellEveryMs?: number;
}

/**
 * Brings the schema up to date, however long that takes: on connections of its own, without any time limit but that a step in
 * a transaction waits for a lock only for a moment, and then begins again. Processes that start together take turns: the first migrates, the others find nothing to do. One connection holds the lock and migrates, so
 * that a lost connection loses both.
 * @throws DatabaseStartError
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { url, log, migrations } = options;
  const onPoolError = (error: Error) => log.warn('An idle database connection broke', { error });
  const dataSource = createPatientDataSource({ url, poolSize: 2, onPoolError, ...(migrations && { migrations }) });
  try {
    await dataSource.initialize();
    limitLockWaits(dataSource);
    dataSource.logger = new StepLog(log);
    await migrateInTurn(dataSource, options);
  } catch (cause) {
    throw new DatabaseStartError(whatToDo(cause), { cause });
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}

/** Without this the ORM would write to the console, also of steps that are begun again. */
class StepLog extends AbstractLogger {
  constructor(private readonly lines: Log) {
    super(false);
  }

  protected writeLog(_level: unknown, message: unknown): void {
    this.lines.warn('A step that brings the tables up to date broke off', { message });
  }
}

async function migrateInTurn(dataSource: DataSource, options: MigrateOptions): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    const pid = await withoutTimeLimits(runner);
    const done = new AbortController();
    const telling = tellOfWaiting(dataSource, pid, options, done.signal);
    try {
      await takeLock(runner);
      await refuseUnknown(runner);
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'each';
      await untilLocked(() => executor.executePendingMigrations());
    } finally {
      done.abort();
      await telling;
      // On a broken connection the lock is gone already, and the reason why it broke is what matters.
      await runner.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.migration]).catch(() => undefined);
    }
  } finally {
    await runner.release();
  }
}

/** A role, a database or a server may have limits of its own. Answers the session's process id. */
async function withoutTimeLimits(runner: QueryRunner): Promise<number> {
  await runner.query(
    `SELECT set_config(name, '0', false) FROM pg_settings
     WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_session_timeout',
                    'idle_in_transaction_session_timeout')`,
  );
  const rows = await runner.dataSource.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid', [], runner);
  return rows[0]?.pid ?? 0;
}

/**
 * Asks again and again instead of waiting inside PostgreSQL: a statement that waits is a transaction that an index being built
 * concurrently waits for, and the two would wait for each other.
 */
async function takeLock(runner: QueryRunner): Promise<void> {
  const ask = 'SELECT pg_try_advisory_lock($1) AS taken';
  for (;;) {
    const rows = await runner.dataSource.query<{ taken: boolean }[]>(ask, [ADVISORY_LOCKS.migration], runner);
    if (rows[0]?.taken === true) return;
    await sleep(LOCK_POLL_MS);
  }
}

/** Steps that an unknown build took, and none that this one knows: its tables have our names and are not ours. */
async function refuseUnknown(runner: QueryRunner): Promise<void> {
  if (!(await runner.hasTable('migrations'))) return;
  const applied = await runner.dataSource.query<{ name: string }[]>('SELECT name FROM migrations', [], runner);
  const ours: ReadonlySet<string | undefined> = new Set(runner.dataSource.migrations.map(({ name }) => name));
  if (applied.length > 0 && !applied.some(({ name }) => ours.has(name))) throw new DatabaseStartError(UNKNOWN_TABLES);
}

const UNKNOWN_TABLES =
  'The tables of this database were made by a build from before 0.1.0, whose tables no release reads: start on an empty database ' +
  '(another DATA_DIR or DATABASE_URL), and bring scenarios and runs along as files that the earlier build exports.';

async function tellOfWaiting(
  dataSource: DataSource,
  pid: number,
  { log, tellAfterMs = 5_000, tellEveryMs = 30_000 }: MigrateOptions,
  done: AbortSignal,
): Promise<void> {
  const began = Date.now();
  for (let wait = tellAfterMs; !done.aborted; wait = tellEveryMs) {
    await sleep(wait, undefined, { signal: done }).catch(() => undefined);
    if (done.aborted) return;
    const holders = await findHolders(dataSource, pid).catch(() => []);
    if (done.aborted) return;
    const waited_s = Math.round((Date.now() - began) / 1_000);
    if (holders.length === 0) log.info('The tables are being brought up to date', { waited_s });
    else log.warn('Bringing the tables up to date waits: another session holds a lock', { waited_s, held_by: holders });
  }
}

interface Holder {
  readonly pid: number;
  readonly application: string;
}

/** The sessions that the migrating one waits for: for a table, for the end of their transaction, or for its turn. */
function findHolders(dataSource: DataSource, pid: number): Promise<Holder[]> {
  return dataSource.query(
    `SELECT a.pid, a.application_name AS application FROM pg_stat_activity a
     WHERE a.pid = ANY(pg_blocking_pids($1::int))
        OR a.pid IN (SELECT l.pid FROM pg_locks l
                     WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = $2::int AND l.pid <> $1::int
                       AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()))
     ORDER BY a.pid LIMIT 10`,
    [pid, ADVISORY_LOCKS.migration],
  );
}

function whatToDo(cause: unknown): string {
  if (cause instanceof DatabaseStartError) return cause.message;
  const reason = isNativeError(cause) ? cause.message : String(cause);
  const failed = `The tables could not be brought up to date (${reason})`;
  if (isRefusedForRights(cause)) {
    return `${failed}: the database user has to own the tables and may need CREATE on their schema; give it both, then start again.`;
  }
  const outage = outageOf(cause);
  if (outage !== null) return `${failed}. ${sentenceAbout(outage)} Then start again.`;
  return `${failed}: the step that failed was not kept; start again, and if it fails again, report this message.`;
}

/**
 * A session that waits for a whole table holds up every later one, also those that need only a row: older processes write on
 * while the tables are brought up to date. So a step waits this long, lets them through for as long, and begins again.
 */
const LOCK_WAIT_MS = 1_000;
const LET_THROUGH_MS = 1_000;

/** Every transaction of these connections waits for each lock only so long. What is outside a transaction waits as before. */
function limitLockWaits(dataSource: DataSource): void {
  dataSource.subscribers.push({
    afterTransactionStart: async ({ queryRunner }) => {
      await queryRunner.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
    },
  });
}

/** Begins again for as long as locks cannot be had, or are lost to another transaction in a deadlock. */
async function untilLocked(steps: () => Promise<unknown>): Promise<void> {
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
