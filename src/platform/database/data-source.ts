import { Pool } from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { Baseline1732000000000 } from '../../../migrations/0001-baseline';
import { ENTITIES } from '../../entities';

/** A step that brings the tables up to date. Its name ends in the 13 digits of a time, by which steps are ordered. */
export type Migration = new () => MigrationInterface;

/** Every migration, named as every entity is: nothing is found by a glob. */
const MIGRATIONS: readonly Migration[] = [Baseline1732000000000];

/** Of every migration that this version knows. */
export function migrationNames(): string[] {
  return MIGRATIONS.map(({ name }) => name);
}

/** Those of this version that have one of the names. */
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
