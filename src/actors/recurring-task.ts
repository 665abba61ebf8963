import type { Log } from '../config/log';

/** Runs a piece of work again and again, never twice at once; an error is logged and the next round runs as usual. */
export class RecurringTask {
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> = Promise.resolve();
  private isStopped = true;

  constructor(
    private readonly name: string,
    private readonly intervalMs: number,
    private readonly work: () => Promise<void>,
    private readonly log: Log,
  ) {}

  /** The first round begins at once. */
  start(): void {
    if (!this.isStopped) return;
    this.isStopped = false;
    this.begin();
  }

  /** Resolves when a round in progress has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.round;
  }

  private begin(): void {
    this.round = this.work()
      .catch((error: unknown) =>
        this.log.warn('A recurring task failed; it will be tried again', { task: this.name, error }),
      )
      .finally(() => {
        if (this.isStopped) return;
        this.timer = setTimeout(() => this.begin(), this.intervalMs);
        this.timer.unref();
      });
  }
}
