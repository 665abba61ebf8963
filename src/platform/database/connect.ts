import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import type { DataSource } from 'typeorm';
import type { Log } from '../config/log';
import { isUntrustedCertificate } from '../outbound/untrusted-certificate';
import { createDataSource } from './data-source';
import { DatabaseStartError } from './database-start-error';
import { sentenceAbout, outageOf } from './outage';
import { isUnavailable } from './unavailable';

/** A server that is started together with the service, as by docker compose, is given this long. */
const REACH_WITHIN_MS = 15_000;
const RETRY_DELAY_MS = 250;
const RETRY_DELAY_LIMIT_MS = 2_000;

/** The first version with everything the schema uses that is still maintained. */
const OLDEST_SERVER = 14;

export interface ConnectOptions {
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
