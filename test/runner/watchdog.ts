import { url as debuggerUrl } from 'node:inspector';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** How often this process shows that its event loop turns. */
const BEAT_MS = 500;
/** How long an event loop may stand still: far above what a busy machine does to it, or a program that is waited for. */
const STILL_MS = 300_000;
/** How long one file may take, and how many of its own time limits, whichever is longer: every test and hook in it has a limit of its own. */
const FILE_MS = 20 * 60_000;
const FILE_LIMITS = 4;

/** What the thread is told: the limits of the file that begins, or that none is being run. */
export interface Watched {
  readonly path: string;
  readonly stillMs: number;
  readonly fileMs: number;
}

/**
 * Ends this process when a test file keeps it from going on: a loop that never ends stops the clocks of all time limits with it.
 * A thread of its own looks, names the file and kills; Jest then reports the file as failed and starts another process.
 */
export class Watchdog {
  private readonly beats = new Int32Array(new SharedArrayBuffer(4));
  private readonly thread = new Worker(join(__dirname, 'watchdog-thread.cjs'), {
    workerData: { beats: this.beats, pid: process.pid },
    execArgv: [],
    env: {},
  });

  private constructor() {
    this.thread.unref();
    setInterval(() => Atomics.add(this.beats, 0, 1), BEAT_MS).unref();
  }

  /** One for the process; none while somebody looks into it with a debugger, who may stop it for as long as they like. */
  static ofProcess(): Watchdog | null {
    return debuggerUrl() === undefined ? (watchdog ??= new Watchdog()) : null;
  }

  /** @param standstillMs how long the event loop may stand still, instead of five minutes */
  begin(path: string, testTimeoutMs: number, standstillMs: unknown): void {
    const watched: Watched = {
      path,
      stillMs: typeof standstillMs === 'number' ? standstillMs : STILL_MS,
      fileMs: Math.max(FILE_MS, FILE_LIMITS * testTimeoutMs),
    };
    this.thread.postMessage(watched);
  }

  end(): void {
    this.thread.postMessage(null);
  }
}

let watchdog: Watchdog | undefined;
