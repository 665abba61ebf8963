import { setImmediate as nextTick } from 'node:timers/promises';
import { charactersIn } from './characters-in';
import { doTextJob, type RequestOf, type ResultOf, type TextJobName } from './text-jobs';
import { TextJobFailed, TextThread } from './text-thread';

/** Up to here a job costs the event loop a few milliseconds at most: less than handing it over. */
const ON_THE_LOOP_CHARACTERS = 20_000;
/** Long texts are rare, and the loop and the database need processors too. */
const MOST_THREADS = 2;
const IDLE_MS = 30_000;

/**
 * Does what is read of texts from outside: small ones at once, long ones in threads that are started when first needed, so that
 * the event loop never stands still for them. A deadline that has passed, or memory that has run out, is a TextJobFailed: an
 * error of the harness, never of an agent.
 */
export class TextThreads {
  private readonly all = new Set<TextThread>();
  private readonly free: TextThread[] = [];
  private readonly waiting: (() => void)[] = [];
  private idleTimer: NodeJS.Timeout | null = null;
  private isClosed = false;

  /**
   * @param deadlineMs for the job itself; waiting for a thread is not counted: others' texts are not this one's fault
   * @throws TextJobFailed
   */
  async run<Name extends TextJobName>(
    name: Name,
    request: RequestOf<Name>,
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<ResultOf<Name>> {
    if (signal.aborted) throw new TextJobFailed('Reading the texts was canceled.');
    if (charactersIn(request, ON_THE_LOOP_CHARACTERS) <= ON_THE_LOOP_CHARACTERS) {
      // Many small ones in a row, as after a start, let others in between.
      await nextTick();
      return doTextJob(name, request);
    }
    const thread = await this.taken(signal);
    try {
      return await thread.do(name, request, deadlineMs, signal);
    } finally {
      this.giveBack(thread);
    }
  }

  /** Ends every thread, whatever it does, and what waits for one. Called by the application when it stops. */
  onApplicationShutdown(): void {
    this.isClosed = true;
    this.endIdle();
    for (const thread of this.all) thread.end();
    for (const go of this.waiting.splice(0)) go();
  }

  private async taken(signal: AbortSignal): Promise<TextThread> {
    for (;;) {
      if (this.isClosed || signal.aborted) {
        // Canceled just when its turn came: the next one takes it.
        this.waiting.shift()?.();
        throw new TextJobFailed('Reading the texts was canceled.');
      }
      const free = this.free.pop();
      if (free?.isAlive === true) return free;
      if (free !== undefined) this.all.delete(free);
      else if (this.all.size < MOST_THREADS) {
        const thread = new TextThread();
        this.all.add(thread);
        return thread;
      } else await this.turn(signal);
    }
  }

  /** Until a thread may be free, or nobody waits for one any more. */
  private turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = (): void => {
        const at = this.waiting.indexOf(go);
        if (at >= 0) this.waiting.splice(at, 1);
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiting.push(go);
    });
  }

  private giveBack(thread: TextThread): void {
    if (thread.isAlive && !this.isClosed) this.free.push(thread);
    else this.all.delete(thread);
    this.waiting.shift()?.();
    this.idleTimer ??= setTimeout(() => this.endIdle(), IDLE_MS).unref();
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
