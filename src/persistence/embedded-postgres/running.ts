import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterFolder, hasCluster, readPassword, SUPERUSER } from './cluster';

/**
 * Of the server that works on the data folder, or last did: whether it still does is for a connection to tell. As the superuser, to read
 * with: a service of an earlier release has no other role.
 */
export function lastKnownUrl(dataDir: string): string | null {
  if (!hasCluster(dataDir)) return null;
  try {
    // PostgreSQL's pidfile.h: the port is on the fourth line.
    const port = Number(readFileSync(join(clusterFolder(dataDir), 'postmaster.pid'), 'utf8').split('\n')[3]);
    return Number.isInteger(port) && port > 0
      ? `postgresql://${SUPERUSER}:${readPassword(dataDir)}@127.0.0.1:${port}/postgres`
      : null;
  } catch {
    return null;
  }
}
