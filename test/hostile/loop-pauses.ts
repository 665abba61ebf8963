import { spawn, type ChildProcess } from 'node:child_process';
import { ProcessWatch, type WatchedSecond } from '../setup/process-watch';

/**
 * How long the event loop of a process stands still, beside that of a process which does nothing meanwhile: what the second
 * has too is the machine's doing.
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
    return `longest pause ${longest(watched)} ms (a process that does nothing: ${longest(idle)} ms), heap at most ${heap.toFixed(0)} MiB`;
  }

  close(): void {
    this.idle.kill('SIGKILL');
    this.watch.close();
  }
}

function longest(seconds: readonly WatchedSecond[]): string {
  return Math.max(0, ...seconds.map(({ pause }) => pause)).toFixed(0);
}
