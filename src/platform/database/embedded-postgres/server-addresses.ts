import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';
import { clusterFolder, readPassword, SUPERUSER, hasCluster } from './cluster';

/** The role that the service connects as: the owner of its database, who may do nothing beyond it. */
export const SERVICE_ROLE = 'agent_osce_service';
/** In a folder made by any release: older ones connect as the superuser, and find their tables here too. */
export const DATABASE = 'postgres';

/**
 * The superuser's sessions see PostgreSQL's own functions and operators and no others: `public` is the service's, and whatever somebody
 * slipped in there would be executed with a superuser's rights. So they name with its schema what is in it.
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
