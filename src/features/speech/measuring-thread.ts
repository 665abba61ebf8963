import type { Worker } from 'node:worker_threads';
import { Injectable, ServiceUnavailableException, type OnApplicationShutdown } from '@nestjs/common';
import { Slots, startThread } from '../../platform/concurrency';
import type { MeasuringRequest, MeasuringResult } from './measuring-worker';

/** Ten conversations of twelve turns with the longest texts take some 10 s of a processor. */
const DEADLINE_MS = 120_000;
const IDLE_MS = 30_000;

/**
 * Measures conversations in one thread, which is started when a spoken run is first asked for and ends when it has had nothing to do for a
 * while: a usual conversation takes 10 ms, one with the longest texts a second, and a run has thousands.
 */
@Injectable()
export class MeasuringThread implements OnApplicationShutdown {
  private readonly line = new Slots(1);
  private worker: Worker | null = null;
  private idleTimer: NodeJS.Timeout | null = null;
  private isClosed = false;

  /** In the order of the conversations. @throws ServiceUnavailableException where the thread failed, or took too long */
  async measure(conversations: MeasuringRequest): Promise<MeasuringResult> {
    if (conversations.length === 0) return [];
    const leave = await this.line.take();
    try {
      return await this.ask(conversations);
    } finally {
      leave();
      this.idleTimer ??= setTimeout(() => this.end(), IDLE_MS).unref();
    }
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    this.end();
  }

  private ask(conversations: MeasuringRequest): Promise<MeasuringResult> {
    if (this.idleTimer !== null) clearTimeout(this.idleTimer);
    this.idleTimer = null;
    return new Promise((resolve, reject) => {
      if (this.isClosed) return reject(failure('the service stops'));
      const worker = (this.worker ??= this.start());
      const finish = (): void => {
        clearTimeout(timer);
        worker.off('message', onAnswer).off('error', onError).off('exit', onExit);
      };
      const fail = (why: string, cause?: unknown): void => {
        finish();
        this.end();
        reject(failure(why, cause));
      };
      const onAnswer = (results: MeasuringResult): void => {
        finish();
        resolve(results);
      };
      const onError = (error: unknown): void => fail('the thread that reads them failed', error);
      const onExit = (): void => fail('the thread that reads them ended');
      const timer = setTimeout(() => fail(`they took longer than ${DEADLINE_MS / 1_000} s`), DEADLINE_MS);
      timer.unref();
      worker.on('message', onAnswer).on('error', onError).on('exit', onExit);
      worker.postMessage(conversations);
    });
  }

  private start(): Worker {
    const worker = startThread(__dirname, 'measuring-worker');
    worker.on('error', () => undefined);
    // One that ended while it had nothing to do answers nothing any more.
    worker.once('exit', () => {
      if (this.worker === worker) this.worker = null;
    });
    return worker;
  }

  /** Stops the thread, whatever it is doing. */
  private end(): void {
    void this.worker?.terminate();
    this.worker = null;
  }
}

function failure(why: string, cause?: unknown): ServiceUnavailableException {
  return new ServiceUnavailableException(`The conversations could not be measured: ${why}.`, { cause });
}
