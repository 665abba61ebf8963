import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../config/log';
import { DatabaseStartError } from '../unavailable';
import type { Launcher } from './launcher';

/** The server of process N has this in its command line; a server whose parent is not N has lost its owner. */
export const clusterNameOf = (ownerPid: number): string => `agent-osce-${ownerPid}`;
const OWNER = new RegExp(`cluster_name=${clusterNameOf(0).replace('0', '(\\d+)')}(?:\\s|$)`);

/** A zombie's remains are collected by its parent; a fast shutdown writes a checkpoint. */
const ZOMBIE_WAIT_MS = 5_000;
const FAST_SHUTDOWN_MS = 15_000;
const IMMEDIATE_SHUTDOWN_MS = 5_000;

export const inUseError = (dataDir: string): DatabaseStartError =>
  new DatabaseStartError(
    `Another Agent OSCE is using the data folder ${dataDir}: stop it first, or set DATA_DIR to another folder.`,
  );

/**
 * Makes sure that no server works on the cluster: an orphan whose service was killed is shut down, the remains of a dead one
 * are removed, and the server of a living service is left alone.
 * @throws DatabaseStartError when the cluster is in use
 */
export async function stopPreviousServer(
  dataDir: string,
  cluster: string,
  launcher: Launcher,
  log: Log,
): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  const pid = readPid(pidFile);
  const previous = pid === null ? null : inspect(pid);
  if (pid === null || previous === null) return;
  if (!previous.isZombie && previous.args.includes(cluster)) {
    const owner = OWNER.exec(previous.args)?.[1];
    if (owner === undefined || Number(owner) === previous.parentPid) throw inUseError(dataDir);
    log.warn('The database server of a killed service is still running; shutting it down', { pid });
    await shutDown(pid, pidFile);
  } else if (previous.isZombie) {
    // The file also guards against backends of the dead server, so it goes only after they had time to notice.
    await isReleasedWithin(pid, pidFile, ZOMBIE_WAIT_MS);
  }
  if (readPid(pidFile) !== pid || inspect(pid) === null) return;
  // What is left is a zombie that no parent collects, or a number that means some other program here and a server elsewhere, if a
  // container shares the folder. A server stops when its file is removed, so the lock decides.
  if (!(await launcher.lockIsFree())) throw inUseError(dataDir);
  rmSync(pidFile, { force: true });
}

async function shutDown(pid: number, pidFile: string): Promise<void> {
  signal(pid, 'SIGINT');
  if (await isReleasedWithin(pid, pidFile, FAST_SHUTDOWN_MS)) return;
  signal(pid, 'SIGQUIT');
  if (await isReleasedWithin(pid, pidFile, IMMEDIATE_SHUTDOWN_MS)) return;
  if (inspect(pid)?.isZombie === false) {
    throw new DatabaseStartError(
      `The database server of an earlier Agent OSCE (process ${pid}) does not stop: end that process, then start again.`,
    );
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone meanwhile, or not ours to stop: the wait that follows tells.
  }
}

/** A server that ended well removed its file; of one that was killed the file stays and the process is gone. */
async function isReleasedWithin(pid: number, pidFile: string, ms: number): Promise<boolean> {
  const deadline = Date.now() + ms;
  while (readPid(pidFile) === pid && inspect(pid) !== null) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

function readPid(pidFile: string): number | null {
  try {
    const [first = ''] = readFileSync(pidFile, 'utf8').split('\n');
    const pid = Number.parseInt(first, 10);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

interface ProcessFacts {
  readonly isZombie: boolean;
  readonly parentPid: number;
  readonly args: string;
}

/** Null when there is no such process. */
function inspect(pid: number): ProcessFacts | null {
  return process.platform === 'linux' ? inspectLinux(pid) : inspectByPs(pid);
}

function inspectLinux(pid: number): ProcessFacts | null {
  try {
    // "pid (name) state ppid …"; the name may itself hold spaces and brackets.
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { isZombie: state === 'Z' || state === 'X', parentPid: Number(parent), args };
  } catch {
    return null;
  }
}

function inspectByPs(pid: number): ProcessFacts | null {
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'stat=,ppid=,args=', '-p', String(pid)], { encoding: 'utf8' });
  const match = /^\s*(\S+)\s+(\d+)\s+(.*)$/m.exec(stdout);
  if (match === null) return null;
  const [, state = '', parent, args = ''] = match;
  return { isZombie: state.startsWith('Z'), parentPid: Number(parent), args };
}
