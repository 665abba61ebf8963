import type { Caller } from '../../platform/access';
import { inSharedTurn } from '../../platform/concurrency';
import { costOfMarking, doTextJob, type RequestOf, type ResultOf, type TextJobName } from './text-jobs';
import { TextJobFailed, TextThread } from './text-thread';
import { ThreadLines } from './thread-lines';

/** Up to here a job costs the event loop a few milliseconds at most: less than passing it to a thread. */
const ON_THE_LOOP_CHARACTERS = 20_000;
/** The cost of marking (`costOfMarking`) up to which it stays on the event loop: some 10 ms. */
const ON_THE_LOOP_COST = 60_000;
/** Jobs of which even the smallest costs more: the lint marks three fixed texts, whatever the scenario. */
const ALWAYS_IN_THREADS: ReadonlySet<TextJobName> = new Set(['lint']);
/** The most jobs of one key that may wait. */
const LONGEST_LINE = 100;
/** Long texts are rare, and the event loop and the database need CPU too. */
const MOST_THREADS = 2;
const IDLE_MS = 30_000;

/**
 * Reads texts from outside: small ones at once, long ones in threads that are started when first needed, so that
 * the event loop never stands still for them. A deadline that has passed, or memory that has run out, is a TextJobFailed: an
 * error of the harness, never of an agent.
 */
export class TextThreads {
  private readonly all = new Set<TextThread>();
  private readonly free: TextThread[] = [];
  private readonly lines = new ThreadLines({
    most: MOST_THREADS,
    mostOfCallers: MOST_THREADS - 1,
    longest: LONGEST_LINE,
    canceled,
  });
  private idleTimer: NodeJS.Timeout | null = null;
  private isClosed = false;

  /**
   * @param deadlineMs for the job itself; waiting for a thread is not counted: other texts are not its fault
   * @param caller the key whose request asked for it: each waits in a line of its own, behind what runs need; null when it is for a run
   * @throws TextJobFailed; LineFull when too much of the caller waits already
   */
  async run<Name extends TextJobName>(
    name: Name,
    request: RequestOf<Name>,
    deadlineMs: number,
    signal: AbortSignal,
    caller: Caller | null = null,
  ): Promise<ResultOf<Name>> {
    if (signal.aborted) throw canceled();
    const isSmall =
      charactersIn(request, ON_THE_LOOP_CHARACTERS) <= ON_THE_LOOP_CHARACTERS &&
      costOfMarking(request) <= ON_THE_LOOP_COST;
    if (isSmall && !ALWAYS_IN_THREADS.has(name)) {
      // Many of them, as after a start, would add up, whichever caller asks.
      return inSharedTurn(() => {
        if (signal.aborted) throw canceled();
        return doTextJob(name, request);
      });
    }
    const release = await this.lines.take(caller, signal);
    try {
      return await this.withThread((thread) => thread.do(name, request, deadlineMs, signal));
    } finally {
      release();
    }
  }

  /** Ends every thread, whatever it is doing, and every job that waits for one. Called by the application when it stops. */
  onApplicationShutdown(): void {
    this.isClosed = true;
    this.endIdle();
    for (const thread of this.all) thread.end();
  }

  private async withThread<Result>(job: (thread: TextThread) => Promise<Result>): Promise<Result> {
    if (this.isClosed) throw canceled();
    const thread = this.freeThread();
    try {
      return await job(thread);
    } finally {
      if (thread.isAlive && !this.isClosed) this.free.push(thread);
      else this.all.delete(thread);
      this.idleTimer ??= setTimeout(() => this.endIdle(), IDLE_MS).unref();
    }
  }

  private freeThread(): TextThread {
    for (let free = this.free.pop(); free !== undefined; free = this.free.pop()) {
      if (free.isAlive) return free;
      this.all.delete(free);
    }
    const thread = new TextThread();
    this.all.add(thread);
    return thread;
  }

  private endIdle(): void {
    if (this.idleTimer !== null) clearTimeout(this.idleTimer);
    this.idleTimer = null;
    for (const thread of this.free.splice(0)) {
      thread.end();
      this.all.delete(thread);
    }
  }
}

function canceled(): TextJobFailed {
  return new TextJobFailed('Reading the texts was canceled.');
}

/** Reads texts for others. */
export type TextReader = Pick<TextThreads, 'run'>;

/** Reads in the line of one caller, behind what runs need. */
export function readerFor(caller: Caller, threads: TextThreads): TextReader {
  return { run: (name, request, deadlineMs, signal) => threads.run(name, request, deadlineMs, signal, caller) };
}

/** The characters of all strings in a value; the counting stops beyond `enough`. */
export function charactersIn(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length;
  let count = 1;
  if (typeof value !== 'object' || value === null) return count;
  const parts: Iterable<unknown> = value instanceof Map ? value.values() : Object.values(value);
  for (const part of parts) {
    count += charactersIn(part, enough - count);
    if (count > enough) break;
  }
  return count;
}
