import { setTimeout as sleep } from 'node:timers/promises';

/** Much more often than what it is to tell apart: what takes less is told by the pauses of the loop. */
const EVERY_MS = 250;
/** Not what is slow, what stands still: a frozen process answers nothing at all. */
export const STANDS_STILL_MS = 10_000;

export interface HealthFailure {
  /** When the service was asked, in ms since the epoch. */
  readonly asked: number;
  /** When it had failed. */
  readonly failed: number;
  readonly isTimeout: boolean;
  readonly what: string;
}

/** Asks a service again and again whether it lives. */
export class HealthWatch {
  /** What was no 200, and what did not come. */
  readonly failures: HealthFailure[] = [];
  answers = 0;
  private readonly stopped = new AbortController();
  private readonly over: Promise<void>;

  constructor(private readonly url: string) {
    this.over = this.watch();
  }

  /** Waits until it has answered more often, or failed. */
  async answersAfter(count: number): Promise<void> {
    const before = this.failures.length;
    while (this.answers <= count && this.failures.length === before) await sleep(EVERY_MS);
    expect(this.answers).toBeGreaterThan(count);
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.over;
  }

  private async watch(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      await this.ask();
      await sleep(EVERY_MS);
    }
  }

  private async ask(): Promise<void> {
    const asked = Date.now();
    const fail = (what: string, isTimeout = false) =>
      this.failures.push({ asked, failed: Date.now(), isTimeout, what });
    try {
      const { status } = await fetch(`${this.url}/health/live`, { signal: AbortSignal.timeout(STANDS_STILL_MS) });
      if (status === 200) this.answers += 1;
      else fail(`status ${status}`);
    } catch (error) {
      if (!(error instanceof Error)) fail(String(error));
      else fail(`${error.name}: ${error.message}`, error.name === 'TimeoutError');
    }
  }
}
