import type { Log } from '../config/log';

/** While a database is away for a night, every task of every process fails several times a second: one line a minute says as much. */
const TOLD_EVERY_MS = 60_000;

/** Runs a piece of work again and again, never twice at once; an error is logged and the next round runs as usual. */
export class RecurringTask {
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> = Promise.resolve();
  private isStopped = true;
  /** Failures in a row. */
  private failures = 0;
  private toldAt = 0;

  constructor(
    private readonly name: string,
    private readonly intervalMs: number,
    private readonly work: () => Promise<void>,
    private readonly log: Log,
    private readonly now: () => number = () => performance.now(),
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
      .then(
        () => this.hasWorked(),
        (error: unknown) => this.hasFailed(error),
      )
      .finally(() => {
        if (this.isStopped) return;
        this.timer = setTimeout(() => this.begin(), this.intervalMs);
        this.timer.unref();
      });
  }

  private hasFailed(error: unknown): void {
    this.failures += 1;
    const now = this.now();
    if (this.failures > 1 && now - this.toldAt < TOLD_EVERY_MS) return;
    this.toldAt = now;
    const { name: task, failures } = this;
    this.log.warn('A recurring task failed; it will be tried again', { task, failures, error });
  }

  private hasWorked(): void {
    if (this.failures === 0) return;
    const { name: task, failures } = this;
    this.failures = 0;
    // A task that failed once has been tried again, as its line said.
    if (failures > 1) this.log.info('A recurring task works again', { task, failures });
  }
}
