import { spawn, type ChildProcess } from 'node:child_process';
import { ProcessWatch, type WatchedSecond } from '../setup/process-watch';

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

  /** One line about a process since that moment. */
  since(from: number, pid: number): string {
    const watched = this.watch.secondsOf(pid).filter(({ at }) => at >= from);
    const idle = this.watch.secondsOf(this.idle.pid ?? NaN).filter(({ at }) => at >= from);
    const heap = Math.max(0, ...watched.map((second) => second.heap)) / 2 ** 20;
    return `longest pause ${longest(watched, 'pause')} ms, of its own work ${longest(watched, 'work')} ms (a process that does nothing: ${longest(idle, 'pause')} and ${longest(idle, 'work')} ms), heap at most ${heap.toFixed(0)} MiB`;
  }

  close(): void {
    this.idle.kill('SIGKILL');
    this.watch.close();
  }
}

function longest(seconds: readonly WatchedSecond[], what: 'pause' | 'work'): string {
  const told = seconds.map((second) => second[what]).filter((ms) => ms !== null);
  return told.length > 0 ? Math.max(...told).toFixed(0) : '?';
}
