import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isNativeError } from 'node:util/types';
import { DatabaseStartError } from '../unavailable';
import { POSTGRES_MAJOR, type Binaries } from './binaries';
import type { Launcher } from './launcher';
import type { ServerUser } from './server-user';
import { startFailure, unwritableError } from './postgres-start-failure';

export const SUPERUSER = 'agent_osce';
/** Inside the cluster, so that the folder and its password are made, moved and backed up as one. */
const PASSWORD_FILE = 'agent-osce.password';

/** Where the rows live inside the data folder. */
export const clusterFolder = (dataDir: string): string => join(dataDir, 'postgres');

/** Makes the data folder when it is missing. @throws DatabaseStartError when it cannot be written */
export function prepareDataFolder(dataDir: string): void {
  const probe = join(dataDir, `.writable-${process.pid}`);
  try {
    makeFolder(dataDir);
  } catch (cause) {
    // Node says ENOENT for a folder that could not be made, as on a read-only disk.
    throw isNativeError(cause) && 'code' in cause && cause.code === 'ENOENT'
      ? unwritableError(dataDir)
      : startFailure(dataDir, String(cause), cause);
  }
  try {
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (cause) {
    throw startFailure(dataDir, String(cause), cause);
  }
}

/** Level by level: with `recursive`, Node 20 tries for ever where a file system refuses new folders, as below /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

/** Whether a whole cluster is there. @throws DatabaseStartError when what is there cannot be used */
export function hasCluster(dataDir: string): boolean {
  const cluster = clusterFolder(dataDir);
  if (!existsSync(cluster)) return false;
  const owner = statSync(cluster).uid;
  const self = process.getuid?.() ?? 0;
  if (self !== 0 && owner !== self) {
    throw new DatabaseStartError(
      `The data folder ${dataDir} belongs to another user (uid ${owner}): start the service as that user, or set DATA_DIR to another folder.`,
    );
  }
  const version = readVersion(cluster);
  if (version === POSTGRES_MAJOR) return true;
  if (version === null && readdirSync(cluster).length === 0) return false;
  throw new DatabaseStartError(
    version === null
      ? `The folder ${cluster} holds something other than a database: move it away, or set DATA_DIR to another folder.`
      : `The data folder ${dataDir} was made by PostgreSQL ${version} and this version runs PostgreSQL ${POSTGRES_MAJOR}: back it up with the version that made it (osce backup) and restore it into an empty folder with this one, or set DATA_DIR to another folder.`,
  );
}

export interface ClusterPlan {
  readonly dataDir: string;
  readonly binaries: Binaries;
  readonly launcher: Launcher;
  readonly user: ServerUser | null;
  readonly durable: boolean;
}

/** Initialises beside the final place and renames, so that a half-made cluster is never taken for a whole one. */
export async function createCluster({ dataDir, user, ...programs }: ClusterPlan): Promise<void> {
  const half = join(dataDir, `postgres.init-${process.pid}-${randomBytes(4).toString('hex')}`);
  const passwordFile = `${half}.password`;
  removeAbandoned(dataDir);
  try {
    mkdirSync(half, { mode: 0o700 });
    writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    if (user !== null) for (const path of [half, passwordFile]) chownSync(path, user.uid, user.gid);
    await runInitdb({ dataDir, user, ...programs }, half, passwordFile);
    renameSync(passwordFile, join(half, PASSWORD_FILE));
    chmodSync(half, 0o700);
    moveIntoPlace(half, clusterFolder(dataDir));
    syncFolder(dataDir);
  } finally {
    rmSync(half, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
  }
}

export function readPassword(dataDir: string): string {
  const file = join(clusterFolder(dataDir), PASSWORD_FILE);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new DatabaseStartError(`The database password in ${file} cannot be read: restore that file from a backup.`, {
      cause,
    });
  }
}

/** Code point order everywhere, independent of the machine's locale and of library updates. */
const INITDB_OPTIONS = [
  `--username=${SUPERUSER}`,
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth=scram-sha-256',
  '--no-instructions',
];

async function runInitdb(plan: ClusterPlan, folder: string, passwordFile: string): Promise<void> {
  const { dataDir, binaries, launcher, durable } = plan;
  const options = durable ? INITDB_OPTIONS : [...INITDB_OPTIONS, '--no-sync'];
  const child = launcher.spawnTool(binaries.initdb, [...options, `--pwfile=${passwordFile}`, '-D', folder]);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw startFailure(dataDir, output);
}

/** When another process was faster its cluster stays; whether it may be used is decided later. */
function moveIntoPlace(half: string, cluster: string): void {
  try {
    renameSync(half, cluster);
  } catch (error) {
    if (readVersion(cluster) === null) throw error;
  }
}

/** Half-made clusters of processes that were killed. */
function removeAbandoned(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const pid = /^postgres\.init-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isNativeError(error) && 'code' in error && error.code === 'EPERM';
  }
}

function readVersion(cluster: string): string | null {
  const file = join(cluster, 'PG_VERSION');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
