import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProcessWatch, type WatchedSecond } from '../setup/process-watch';

/** The event loop never stands still for longer, whatever agents, pages and clients send. */
export const MOST_MS = 100;
const NOTED_WITHIN_MS = 20_000;
/** What a process did in a second is noted at its end. */
const NOTED_LATE_MS = 2_000;

/**
 * How long the event loop of a process stands still, beside that of a process which does nothing meanwhile: what the second
 * has too is the machine's doing, and so is what a process waits for a processor.
 */
export class LoopPauses {
  private readonly watch = new ProcessWatch();
  private readonly idle: ChildProcess;

  constructor() {
    this.idle = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 60_000)'], {
      env: { ...this.watch.environment },
      stdio: 'ignore',
    });
  }

  /** For the process to watch. */
  get environment(): Readonly<Record<string, string>> {
    return this.watch.environment;
  }

  /** One line about a process since that moment; what it is judged by is the processor time of its loop alone. */
  since(from: number, pid: number): string {
    const watched = this.watch.secondsOf(pid).filter(({ at }) => at >= from);
    const idle = this.watch.secondsOf(this.idle.pid ?? NaN).filter(({ at }) => at >= from);
    const ranMs = longest(watched, 'ran');
    const heap = Math.max(0, ...watched.map((second) => second.heap)) / 2 ** 20;
    const verdict = ranMs === null ? 'not known' : ranMs <= MOST_MS ? 'yes' : 'NO';
    const figures = (seconds: readonly WatchedSecond[]): string =>
      (['ran', 'work', 'pause'] as const).map((what) => inMs(longest(seconds, what))).join(', ');
    return (
      `within ${MOST_MS} ms: ${verdict}; processor time of the longest stretch, longest stretch without waits for a processor, ` +
      `longest pause: ${figures(watched)} ms (a process that does nothing: ${figures(idle)} ms); heap at most ${heap.toFixed(0)} MiB`
    );
  }

  /**
   * The most processor time of one stretch since that moment, in ms; null where no system tells. Waits until the process has noted what it
   * did before it was asked.
   */
  async longestSince(from: number, pid: number): Promise<number | null> {
    const asked = Date.now();
    const isNoted = (): boolean => (this.watch.secondsOf(pid).at(-1)?.at ?? 0) >= asked;
    while (!isNoted() && Date.now() - asked < NOTED_WITHIN_MS) await sleep(100);
    return longest(
      this.watch.secondsOf(pid).filter(({ at }) => at >= from),
      'ran',
    );
  }

  /** The longest pause, in ms, that a process which does nothing noted between two moments: the machine stood still as long. */
  ofMachine(from: number, to: number): number {
    const noted = this.watch.secondsOf(this.idle.pid ?? NaN).filter(({ at }) => at >= from && at <= to + NOTED_LATE_MS);
    return longest(noted, 'pause') ?? 0;
  }

  close(): void {
    this.idle.kill('SIGKILL');
    this.watch.close();
  }
}

/** Null where no system tells. */
function longest(seconds: readonly WatchedSecond[], what: 'pause' | 'work' | 'ran'): number | null {
  const known = seconds.map((second) => second[what]).filter((ms) => ms !== null);
  return known.length > 0 ? Math.max(...known) : null;
}

function inMs(ms: number | null): string {
  return ms === null ? '?' : ms.toFixed(0);
}
