import type { Worker } from 'node:worker_threads';
import { startThread } from '../../platform/concurrency';
import type { RequestOf, ResultOf, TextJobName } from './text-jobs';

/** A job that was not done: out of time, out of memory, or canceled. */
export class TextJobFailed extends Error {
  override readonly name = 'TextJobFailed';
}

/** One thread, which does one job at a time. Stopping a job ends its thread. */
export class TextThread {
  private readonly worker: Worker;
  private isOver = false;

  constructor() {
    this.worker = startThread(__dirname, 'text-worker');
    this.worker.on('error', () => undefined);
    this.worker.once('exit', () => (this.isOver = true));
  }

  get isAlive(): boolean {
    return !this.isOver;
  }

  /** @throws TextJobFailed */
  do<Name extends TextJobName>(
    name: Name,
    request: RequestOf<Name>,
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<ResultOf<Name>> {
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.worker.off('message', onAnswer).off('error', onError).off('exit', onExit);
      };
      const fail = (reason: string, cause?: unknown): void => {
        finish();
        this.end();
        reject(new TextJobFailed(reason, { cause }));
      };
      const onAnswer = (result: ResultOf<Name>): void => {
        finish();
        resolve(result);
      };
      const onAbort = (): void => fail('Reading the texts was canceled.');
      const onError = (error: unknown): void =>
        fail('The texts could not be read: the thread that read them failed.', error);
      const onExit = (): void => fail('The texts could not be read: the thread that read them ended.');
      const timer = setTimeout(
        () => fail(`Reading the texts took longer than ${deadlineMs / 1000} s, the most that the harness allows.`),
        deadlineMs,
      );
      timer.unref();
      signal.addEventListener('abort', onAbort, { once: true });
      this.worker.on('message', onAnswer).on('error', onError).on('exit', onExit);
      if (signal.aborted) return onAbort();
      this.worker.postMessage({ name, request });
    });
  }

  /** Stops at once, whatever it is doing. Idempotent. */
  end(): void {
    this.isOver = true;
    void this.worker.terminate();
  }
}
