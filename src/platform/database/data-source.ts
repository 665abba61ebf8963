import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { Pool } from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { Baseline1797100000000 } from '../../../migrations/0001-baseline';
import { ENTITIES } from '../../entities';
import type { Log } from '../config/log';
import { isUntrustedCertificate } from '../outbound/http-call';
import { sentenceAbout, outageOf } from './postgres-errors';
import { DatabaseStartError, isUnavailable } from './unavailable';

/** A step that brings the tables up to date. Its name ends in the 13 digits of a time, by which steps are ordered. */
export type Migration = new () => MigrationInterface;

/** Every migration, named as every entity is: nothing is found by a glob. */
const MIGRATIONS: readonly Migration[] = [Baseline1797100000000];

/** The name of every migration that this version knows. */
export function migrationNames(): string[] {
  return MIGRATIONS.map(({ name }) => name);
}

/** The migrations of this version that have one of the names. */
export function migrationsNamed(names: readonly string[]): readonly Migration[] {
  return MIGRATIONS.filter(({ name }) => names.includes(name));
}

export interface DataSourceOptions {
  readonly url: string;
  readonly poolSize: number;
  /** Called when an idle connection breaks (server stopped); without a listener that would end the process. */
  readonly onPoolError: (error: Error) => void;
  /** The migrations that it knows; those of this version, when left out. */
  readonly migrations?: readonly Migration[];
}

/**
 * Of every connection but those that migrate. The server's own time limits do not help when it vanished from the network:
 * `query_timeout` is ours, and later.
 */
const LIMITS = {
  statement_timeout: 30_000,
  query_timeout: 35_000,
  idle_in_transaction_session_timeout: 60_000,
  // A session holds the plans of the statements it has seen; the driver's 10 s would have them made again and again.
  idleTimeoutMillis: 600_000,
};
const APPLICATION = 'agent-osce';
const CONNECT_WITHIN_MS = 5_000;

/** A data source that is not yet connected; `initialize()` connects. */
export function createDataSource(options: DataSourceOptions): DataSource {
  return dataSource(options, LIMITS);
}

/** The same for work that takes as long as it takes, whatever limits the address asks for. */
export function createPatientDataSource({ url, ...options }: DataSourceOptions): DataSource {
  const patient = new URL(url);
  for (const limit of TIME_LIMITS) patient.searchParams.delete(limit);
  return dataSource({ url: patient.toString(), ...options }, { idleTimeoutMillis: 0 });
}

/** Parameters of an address that the driver takes over its other settings. */
const TIME_LIMITS = ['statement_timeout', 'query_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

function dataSource(
  { url, poolSize, onPoolError, migrations = MIGRATIONS }: DataSourceOptions,
  limits: object,
): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    applicationName: APPLICATION,
    entities: ENTITIES,
    migrations: [...migrations],
    installExtensions: false,
    // Only what it calls the function that makes ids: PostgreSQL has gen_random_uuid() without an extension.
    uuidExtension: 'pgcrypto',
    synchronize: false,
    logging: false,
    poolSize,
    connectTimeoutMS: CONNECT_WITHIN_MS,
    poolErrorHandler: onPoolError,
    extra: { keepAlive: true, ...limits },
  });
}

/** Connections beside those of the data source, opened when they are first needed. */
export function createPool({ url, poolSize, onPoolError }: DataSourceOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: APPLICATION,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    ...LIMITS,
  });
  pool.on('error', onPoolError);
  return pool;
}

/** A server that is started together with the service, as by docker compose, is given this long. */
const REACH_WITHIN_MS = 15_000;
const RETRY_DELAY_MS = 250;
const RETRY_DELAY_LIMIT_MS = 2_000;

/** The first version with everything the schema uses that is still maintained. */
const OLDEST_SERVER = 14;

interface ConnectOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly log: Log;
  /** How long a server out of reach is waited for. */
  readonly reachWithinMs?: number;
}

/**
 * Connects, waiting a while for a server that is out of reach.
 * @throws DatabaseStartError when it stays out of reach, refuses us or is too old
 */
export async function connect(options: ConnectOptions): Promise<DataSource> {
  const { url, poolSize, log, reachWithinMs = REACH_WITHIN_MS } = options;
  const onPoolError = (error: Error) => log.warn('An idle database connection broke', { error });
  const deadline = Date.now() + reachWithinMs;
  for (let delay = RETRY_DELAY_MS; ; delay = Math.min(delay * 2, RETRY_DELAY_LIMIT_MS)) {
    const dataSource = createDataSource({ url, poolSize, onPoolError });
    try {
      await dataSource.initialize();
      await checkVersion(dataSource, url);
      return dataSource;
    } catch (error) {
      if (error instanceof DatabaseStartError || !isUnavailable(error) || Date.now() + delay > deadline) {
        throw startError(url, error);
      }
      log.warn('The database is out of reach; trying again', { delay_ms: delay });
      await sleep(delay);
    }
  }
}

async function checkVersion(dataSource: DataSource, url: string): Promise<void> {
  const [row] = await dataSource.query<{ version: number }[]>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version`,
  );
  if (row !== undefined && row.version >= OLDEST_SERVER) return;
  await dataSource.destroy();
  throw new DatabaseStartError(
    `The database at ${addressOf(url)} is PostgreSQL ${row?.version}: version ${OLDEST_SERVER} or newer is needed.`,
  );
}

function startError(url: string, error: unknown): DatabaseStartError {
  if (error instanceof DatabaseStartError) return error;
  const reason = isNativeError(error) ? error.message || error.name : String(error);
  if (isUntrustedCertificate(error)) {
    return new DatabaseStartError(
      `The certificate of the database at ${addressOf(url)} is not trusted (${reason}): let DATABASE_URL end in ` +
        '?sslmode=verify-full&sslrootcert=/path/of/its/authority.pem, and name the server as its certificate does.',
      { cause: error },
    );
  }
  if (isNativeError(error) && 'syscall' in error && error.syscall === 'open') {
    return new DatabaseStartError(`A file that DATABASE_URL names cannot be read (${reason}).`, { cause: error });
  }
  const outage = outageOf(error);
  if (outage !== null && outage !== 'unreachable') {
    return new DatabaseStartError(`The database at ${addressOf(url)} does not serve now. ${sentenceAbout(outage)}`, {
      cause: error,
    });
  }
  const advice =
    outage === null
      ? 'does not accept this service: correct DATABASE_URL'
      : 'is out of reach: start it, or correct DATABASE_URL';
  return new DatabaseStartError(`The database at ${addressOf(url)} ${advice} (${reason}).`, { cause: error });
}

/** Host, port and database, without user and password. */
function addressOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
