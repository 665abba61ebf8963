import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Instrumented, SpecAnswer, SpecRequest } from './messages';

/** What became of a request: an answer, the end of its process, or nothing within its time. */
export type SpecResult = SpecAnswer | 'crashed' | 'too late';

/**
 * What does not come to hold within it fails its test: a killed mutant in seconds, where the time limit would take a minute to say so. That
 * leaves quick tests 5 s more than they take (trial.ts), and has to come later.
 */
const EVENTUALLY_WITHIN_MS = 4_000;

/** One process that runs specs, and its successors. */
export class SpecProcess {
  private child: ChildProcess | undefined;

  constructor(private readonly instrumented: Instrumented) {}

  /** Whether nothing has been run in it: its modules are not loaded yet, and remember nothing. */
  isNew = true;

  async run(request: SpecRequest, limitMs: number): Promise<SpecResult> {
    // What a spec has left running can end it after its answer.
    if (this.child?.connected === false) await this.replace();
    const child = (this.child ??= this.start());
    this.isNew = false;
    const abort = new AbortController();
    const { signal } = abort;
    const result = await Promise.race([
      once(child, 'message', { signal }).then(([answer]): SpecResult => answer),
      once(child, 'exit', { signal }).then((): SpecResult => 'crashed'),
      new Promise<SpecResult>((resolve) => {
        const timer = setTimeout(() => resolve('too late'), limitMs);
        signal.addEventListener('abort', () => clearTimeout(timer));
        child.send(request, (error) => {
          if (error !== null) resolve('crashed');
        });
      }),
    ]);
    abort.abort();
    if (typeof result === 'string') await this.replace();
    return result;
  }

  /** The next request is run by a new process. */
  async replace(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    this.isNew = true;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    endGroup(child);
    await ended;
  }

  private start(): ChildProcess {
    const child = fork(join(__dirname, 'spec-worker.ts'), {
      execArgv: ['--require', require.resolve('../setup/register-typescript.cjs')],
      env: { ...process.env, EVENTUALLY_WITHIN_MS: String(EVENTUALLY_WITHIN_MS) },
      // The servers that its tests have started are of its process group, and end with it.
      detached: true,
      // What tests and services print concerns no one here.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.send(this.instrumented);
    return child;
  }
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has ended at this moment, and says so next.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
