import { randomInt } from 'node:crypto';
import { chownSync, closeSync, openSync, realpathSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../config/log';
import { DatabaseStartError } from '../unavailable';
import { copyBinaries, installedBinaries, linksMissing, makeLinks, type Binaries } from './binaries';
import { clusterFolder, createCluster, hasCluster, prepareDataFolder } from './cluster';
import { Launcher } from './launcher';
import { startFailure } from './postgres-start-failure';
import { stopPreviousServer, clusterNameOf } from './previous-server';
import { PortTakenError, ServerProcess, type ServerPlan } from './server-process';
import { canEnter, capabilityToEnter, chooseServerUser, letIn, type ServerUser } from './server-user';
import { serviceUrl } from './service-role';

export interface EmbeddedPostgres {
  /**
   * The address for a role that owns the database and has no rights beyond it; holds its password. Stays the same when the server
   * is restarted.
   */
  readonly url: string;
  /** Whether the disk of the data folder has no room left for the next file of PostgreSQL's log. */
  isDiskFull(): boolean;
  /** Fast shutdown. Idempotent. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: Log;
  readonly maxConnections?: number;
  /** PostgreSQL's programs; by default those that npm installed. */
  readonly binaries?: Binaries;
  /** False only where losing everything is fine: tests. */
  readonly durable?: boolean;
}

/** Less than what a write probe spills. */
const LEAST_FREE_BYTES = 256 * 1024;
const PORT_TRIES = 5;
const RESTART_DELAY_MS = 100;
const RESTART_DELAY_LIMIT_MS = 10_000;
/** A server that lived this long counts as healthy: the next restart is quick again. */
const HEALTHY_AFTER_MS = 60_000;

/**
 * Runs PostgreSQL from the binaries that npm installed, with its rows in the data folder, for as long as this process lives.
 * A server that dies is started again on the same port; queries fail with a connection error until it is back.
 * @throws DatabaseStartError with a sentence that says what to do
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options);
  } catch (error) {
    throw error instanceof DatabaseStartError ? error : startFailure(options.dataDir, String(error), error);
  }
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const durable = options.durable ?? true;
  // First of all: where there is no PostgreSQL, its folder is not what is wrong.
  const installed = options.binaries ?? installedBinaries();
  prepareDataFolder(options.dataDir);
  // One name for the folder, whatever links lead to it: servers are recognised by it.
  const dataDir = realpathSync(options.dataDir);
  const cluster = clusterFolder(dataDir);
  const isNew = !hasCluster(dataDir);
  const user = chooseServerUser(dataDir, cluster);
  const { binaries, launcher } = prepareToLaunch(dataDir, user, installed);
  await stopPreviousServer(dataDir, cluster, launcher, options.log);
  if (isNew) await createCluster({ dataDir, binaries, launcher, user, durable });

  const planFor = (port: number): ServerPlan => ({
    dataDir,
    cluster,
    launcher,
    postgres: binaries.postgres,
    port,
    arguments: serverArguments({
      port,
      maxConnections: options.maxConnections ?? 100,
      durable,
      clusterName: clusterNameOf(process.pid),
    }),
  });
  const { port, server } = await startOnFreePort(planFor);
  const url = await serviceUrl({ dataDir, port, user }).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  const stop = keepRunning(server, planFor(port), options.log);
  return {
    url,
    isDiskFull: () => freeBytes(dataDir) < LEAST_FREE_BYTES,
    stop,
  };
}

/** The bytes that this user may still write. */
function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Prepares the binaries and the launcher of the programs, given their user and which folders that user may enter. */
function prepareToLaunch(
  dataDir: string,
  user: ServerUser | null,
  installed: Binaries,
): { binaries: Binaries; launcher: Launcher } {
  const lockFile = join(dataDir, 'postgres.lock');
  closeSync(openSync(lockFile, 'a', 0o600));
  if (user !== null) chownSync(lockFile, user.uid, user.gid);

  const isClosed = (folder: string) => user !== null && !canEnter(folder, user);
  const capability = isClosed(dataDir) || isClosed(installed.folder) ? capabilityToEnter() : null;
  const launcher = Launcher.choose(user, capability, lockFile);
  const { entersAll } = launcher;
  if (user !== null && isClosed(dataDir) && !entersAll) letIn(dataDir, user);
  if (isClosed(dataDir) && !entersAll) {
    throw new DatabaseStartError(
      `PostgreSQL does not run as root, and uid ${user?.uid} may not enter the data folder ${dataDir}: set DATA_DIR to a folder that every user may enter, or start the service as an ordinary user.`,
    );
  }
  const links = linksMissing(installed);
  const isUsable = (entersAll || !isClosed(installed.folder)) && (links.length === 0 || makeLinks(installed, links));
  return { binaries: isUsable ? installed : copyBinaries(installed, dataDir), launcher };
}

async function startOnFreePort(
  planFor: (port: number) => ServerPlan,
): Promise<{ port: number; server: ServerProcess }> {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    try {
      return { port, server: await ServerProcess.start(planFor(port)) };
    } catch (error) {
      if (!(error instanceof PortTakenError)) throw error;
      if (attempt === PORT_TRIES)
        throw new DatabaseStartError('No free loopback port was found for the embedded PostgreSQL: start again.');
    }
  }
}

/** Starts the server again whenever it ends, with growing pauses. Answers the function that ends this for good. */
function keepRunning(first: ServerProcess, plan: ServerPlan, log: Log): () => Promise<void> {
  const stopping = new AbortController();
  let current: ServerProcess | null = first;

  const supervise = async (): Promise<void> => {
    let delay = RESTART_DELAY_MS;
    while (!stopping.signal.aborted) {
      const startedAt = Date.now();
      await current?.ended;
      current = null;
      if (stopping.signal.aborted) return;
      if (Date.now() - startedAt > HEALTHY_AFTER_MS) delay = RESTART_DELAY_MS;
      log.error('The embedded PostgreSQL ended; starting it again', { delay_ms: delay });
      await sleep(delay, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      delay = Math.min(delay * 2, RESTART_DELAY_LIMIT_MS);
      try {
        await stopPreviousServer(plan.dataDir, plan.cluster, plan.launcher, log);
        current = await ServerProcess.start(plan);
        log.info('The embedded PostgreSQL is running again');
      } catch (error) {
        log.error('The embedded PostgreSQL does not start', { error });
      }
    }
  };
  const supervised = supervise();

  return async () => {
    stopping.abort();
    await current?.stop();
    await supervised;
    await current?.stop();
  };
}

/**
 * Below the ranges from which systems take the local ports of outgoing connections, so that no such connection (not even
 * one to this very port while the server restarts) takes it.
 */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const TRIES = 20;

/** A loopback port that was free just now; another program may still be faster. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const port = await listenOnce(randomInt(LOWEST, HIGHEST));
    if (port !== null) return port;
  }
  const port = await listenOnce(0);
  if (port === null) throw new Error('No loopback port is free.');
  return port;
}

function listenOnce(wanted: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ host: '127.0.0.1', port: wanted, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}

/** Settings of the embedded server, given on its command line so that an old data folder gets the current ones. */
interface ServerTuning {
  readonly port: number;
  readonly maxConnections: number;
  /** False only where losing everything is fine: tests. */
  readonly durable: boolean;
  /** The marker by which a later start recognises whose server this is. */
  readonly clusterName: string;
}

/**
 * Small machine, one client process, rows written one at a time: little shared memory, no parallel workers, no background
 * processes for replication or asynchronous reads, and every commit on the disk before it is answered. Failed statements stay out
 * of the server's log, since their messages quote values; the client that sent them gets the error.
 */
export function serverArguments({ port, maxConnections, durable, clusterName }: ServerTuning): string[] {
  const onlyIfDurable = durable ? 'on' : 'off';
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    cluster_name: clusterName,
    max_connections: String(maxConnections),
    superuser_reserved_connections: '0',
    shared_buffers: '64MB',
    huge_pages: 'off',
    io_method: 'sync',
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    max_worker_processes: '2',
    max_logical_replication_workers: '0',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '256MB',
    checkpoint_timeout: '15min',
    fsync: onlyIfDurable,
    synchronous_commit: onlyIfDurable,
    full_page_writes: onlyIfDurable,
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
