import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readServicePassword, serviceAddress, superuserAddress } from './server-addresses';
import { clusterFolder, hasCluster } from './cluster';

/**
 * Of the server that works on the data folder, or last did: whether it still does is for a connection to tell. As the service itself; as
 * the superuser, to read with, where the file with the service's password was lost.
 */
export function lastKnownUrl(dataDir: string): string | null {
  if (!hasCluster(dataDir)) return null;
  try {
    // PostgreSQL's pidfile.h: the port is on the fourth line.
    const port = Number(readFileSync(join(clusterFolder(dataDir), 'postmaster.pid'), 'utf8').split('\n')[3]);
    if (!Number.isInteger(port) || port <= 0) return null;
    const password = readServicePassword(dataDir);
    return password === null ? superuserAddress(dataDir, port) : serviceAddress(password, port);
  } catch {
    return null;
  }
}
