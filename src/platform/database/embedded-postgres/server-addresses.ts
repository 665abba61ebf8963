import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';
import { clusterFolder, readPassword, SUPERUSER, hasCluster } from './cluster';

/** The role that the service connects as: the owner of its database, which may do nothing beyond it. */
export const SERVICE_ROLE = 'agent_osce_service';
/** The database of a folder made by any release: older releases connect as the superuser, and find their tables here too. */
export const DATABASE = 'postgres';

/**
 * The superuser's sessions see PostgreSQL's own functions and operators and no others: `public` is the service's, and an object
 * that was slipped in there would be executed with a superuser's rights. So these sessions name what is in `public` with its
 * schema.
 */
const OWN_THINGS_ONLY = new URLSearchParams({ options: '-c search_path=pg_catalog' }).toString().replaceAll('+', '%20');

export function superuserAddress(dataDir: string, port: number): string {
  return `${addressOf(SUPERUSER, readPassword(dataDir), port)}?${OWN_THINGS_ONLY}`;
}

export function serviceAddress(password: string, port: number): string {
  return addressOf(SERVICE_ROLE, password, port);
}

/** Inside the cluster like the superuser's. */
export function servicePasswordFile(dataDir: string): string {
  return join(clusterFolder(dataDir), 'agent-osce.service.password');
}

/** Null when there is none: a file without a word in it is what a full disk or a kill has left. */
export function readServicePassword(dataDir: string): string | null {
  try {
    return readFileSync(servicePasswordFile(dataDir), 'utf8').trim() || null;
  } catch (error) {
    if (isNativeError(error) && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function addressOf(user: string, password: string, port: number): string {
  return `postgresql://${user}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

/**
 * The address of the server that works on the data folder, or last did: a connection shows whether it still does. It names the
 * service's own role; when the file with that role's password was lost, the superuser, to read with.
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
