import { accessSync, constants, rmSync } from 'node:fs';
import { isNativeError } from 'node:util/types';
import type { Log } from '../../config/log';
import type { Settings } from '../../config/settings';
import { clusterFolder, hasCluster } from '../embedded-postgres/cluster';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres';
import { lastKnownUrl } from '../embedded-postgres/server-addresses';
import { isUnavailable } from '../unavailable';
import { BackupError } from './format';
import { withSession } from './session';

export interface ReachedDatabase {
  readonly url: string;
  /** Stops the server if it was started for this. Idempotent. */
  readonly release: () => Promise<void>;
}

export interface EmptyDatabase extends ReachedDatabase {
  /** The same, and what was made for this goes again, so that the folder takes another backup, of whatever version. */
  readonly undo: () => Promise<void>;
}

const NOTHING_TO_STOP = (): Promise<void> => Promise.resolve();

/**
 * The database of a service, running or not: that of DATABASE_URL, or the embedded one, whose server is used as it runs, and
 * started when it does not. A user who may read the data folder may read what is in it.
 * @throws BackupError, DatabaseStartError
 */
export async function reachUsedDatabase({ databaseUrl, dataDir }: Settings, log: Log): Promise<ReachedDatabase> {
  if (databaseUrl !== null) return { url: databaseUrl, release: NOTHING_TO_STOP };
  requireEntry(dataDir);
  if (!hasCluster(dataDir)) {
    throw new BackupError(
      `There is no database in the data folder ${dataDir}: name the folder of the service with --data-dir or DATA_DIR.`,
    );
  }
  const running = lastKnownUrl(dataDir);
  if (running !== null && (await answers(running))) return { url: running, release: NOTHING_TO_STOP };
  return startOwn(dataDir, log);
}

/** The database that a backup is to fill. @throws DatabaseStartError when a service is using it */
export async function reachEmptyDatabase({ databaseUrl, dataDir }: Settings, log: Log): Promise<EmptyDatabase> {
  if (databaseUrl !== null) return { url: databaseUrl, release: NOTHING_TO_STOP, undo: NOTHING_TO_STOP };
  const isNew = !hasCluster(dataDir);
  const database = await startOwn(dataDir, log);
  const undo = async (): Promise<void> => {
    await database.release();
    if (isNew) rmSync(clusterFolder(dataDir), { recursive: true, force: true });
  };
  return { ...database, undo };
}

/** A folder that may not be looked into seems to be empty. */
function requireEntry(dataDir: string): void {
  try {
    accessSync(dataDir, constants.X_OK);
  } catch (error) {
    if (!isNativeError(error) || !('code' in error) || error.code !== 'EACCES') return;
    throw new BackupError(`This user may not look into the data folder ${dataDir}: run it as the user of the service.`);
  }
}

async function startOwn(dataDir: string, log: Log): Promise<ReachedDatabase> {
  const server = await startEmbeddedPostgres({ dataDir, log });
  return { url: server.url, release: () => server.stop() };
}

async function answers(url: string): Promise<boolean> {
  try {
    await withSession(url, (client) => client.query('SELECT 1'));
    return true;
  } catch (error) {
    // Left behind by a server that is gone; or another program has its port by now, which does not take our password.
    if (isUnavailable(error) || (isNativeError(error) && 'code' in error)) return false;
    throw error;
  }
}
