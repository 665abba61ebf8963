import { spawn, type ChildProcess } from 'node:child_process';
import { ProcessWatch, type WatchedSecond } from '../setup/process-watch';

/** The event loop never stands still for longer, whatever agents, pages and clients send. */
const MOST_MS = 100;

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

  /** One line about a process since that moment; it is judged by its own work, less what the idle process had of it too. */
  since(from: number, pid: number): string {
    const watched = this.watch.secondsOf(pid).filter(({ at }) => at >= from);
    const idle = this.watch.secondsOf(this.idle.pid ?? NaN).filter(({ at }) => at >= from);
    const [work, idleWork] = [longest(watched, 'work'), longest(idle, 'work')];
    const heap = Math.max(0, ...watched.map((second) => second.heap)) / 2 ** 20;
    const verdict = work === null ? 'not known' : work - (idleWork ?? 0) <= MOST_MS ? 'yes' : 'NO';
    return (
      `within ${MOST_MS} ms: ${verdict}; longest stretch of its own work ${told(work)} ms (a process that does nothing: ` +
      `${told(idleWork)} ms), longest pause ${told(longest(watched, 'pause'))} ms (${told(longest(idle, 'pause'))} ms), ` +
      `heap at most ${heap.toFixed(0)} MiB`
    );
  }

  close(): void {
    this.idle.kill('SIGKILL');
    this.watch.close();
  }
}

/** Null where no system tells. */
function longest(seconds: readonly WatchedSecond[], what: 'pause' | 'work'): number | null {
  const known = seconds.map((second) => second[what]).filter((ms) => ms !== null);
  return known.length > 0 ? Math.max(...known) : null;
}

function told(ms: number | null): string {
  return ms === null ? '?' : ms.toFixed(0);
}
