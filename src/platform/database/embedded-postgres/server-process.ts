import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseStartError } from '../unavailable';
import { inUseError } from './previous-server';
import { LOCKED_EXIT_CODE, type Launcher } from './launcher';
import { startFailure } from './postgres-start-failure';

/** Replaying the log after a crash takes its time; longer than this and something is wrong. */
const READY_WITHIN_MS = 300_000;
const READY_POLL_MS = 5;
const FAST_SHUTDOWN_MS = 10_000;
const IMMEDIATE_SHUTDOWN_MS = 5_000;
const LOG_KEPT_BYTES = 4 * 1024 * 1024;

/** Another program took the port between its choice and its use. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

export interface ServerPlan {
  readonly dataDir: string;
  readonly cluster: string;
  readonly postgres: string;
  readonly launcher: Launcher;
  /** The port that its arguments name. */
  readonly port: number;
  readonly arguments: readonly string[];
}

/** One life of the server: from its start to its end. */
export class ServerProcess {
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  private hasEnded = false;

  private constructor(private readonly child: ChildProcess) {
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.hasEnded = true;
        process.off('exit', this.interrupt);
        resolve();
      };
      child.once('exit', end);
      child.once('error', end);
    });
    // Where the kernel does not stop the server with this process, at least an orderly exit of this process does.
    process.on('exit', this.interrupt);
    child.unref();
  }

  /** Resolves when the server accepts connections. @throws DatabaseStartError, PortTakenError */
  static async start(plan: ServerPlan): Promise<ServerProcess> {
    const logFile = join(plan.dataDir, 'postgres.log');
    const log = openLog(logFile);
    const logStart = statSync(logFile).size;
    const leftBehind = await readPidFile(plan.cluster);
    const child = plan.launcher.spawnServer(
      plan.postgres,
      ['-D', plan.cluster, ...plan.arguments],
      ['ignore', log, log],
    );
    closeSync(log);
    const server = new ServerProcess(child);
    const deadline = Date.now() + READY_WITHIN_MS;
    while (!isReady(await readPidFile(plan.cluster), leftBehind, plan.port, child.pid)) {
      if (server.hasEnded)
        throw startError(plan.dataDir, child.exitCode, readFileSync(logFile).subarray(logStart).toString());
      if (Date.now() > deadline) {
        await server.stop();
        throw startFailure(plan.dataDir, 'not ready in time');
      }
      await sleep(READY_POLL_MS);
    }
    return server;
  }

  /** Fast shutdown: open transactions are rolled back, what was committed stays. Idempotent. */
  async stop(): Promise<void> {
    this.child.ref();
    this.interrupt();
    if (await this.endsWithin(FAST_SHUTDOWN_MS)) return;
    this.child.kill('SIGQUIT');
    if (await this.endsWithin(IMMEDIATE_SHUTDOWN_MS)) return;
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private readonly interrupt = (): void => {
    if (!this.hasEnded) this.child.kill('SIGINT');
  };

  private async endsWithin(ms: number): Promise<boolean> {
    const timeout = new AbortController();
    await Promise.race([this.ended, sleep(ms, undefined, { signal: timeout.signal }).catch(() => undefined)]);
    timeout.abort();
    return this.hasEnded;
  }
}

async function readPidFile(cluster: string): Promise<string> {
  return readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
}

/**
 * The server says in its own file who it is, on the fourth line where it listens and, on the eighth, how far it got. In a container
 * every start gives out the same numbers, so that the file of a server that was killed names the new one, and says that it is ready.
 */
function isReady(content: string, leftBehind: string, port: number, pid: number | undefined): boolean {
  const lines = content.split('\n').map((line) => line.trim());
  return content !== leftBehind && lines[0] === String(pid) && lines[3] === String(port) && lines[7] === 'ready';
}

function startError(dataDir: string, exitCode: number | null, output: string): DatabaseStartError | PortTakenError {
  if (exitCode === LOCKED_EXIT_CODE) return inUseError(dataDir);
  if (/Address already in use/.test(output)) return new PortTakenError('The chosen port is taken.');
  return startFailure(dataDir, output);
}

/** Appends; the log of earlier starts is kept once, up to a few megabytes. */
function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_KEPT_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}
