import { RecurringTask } from '../concurrency/recurring-task';
import type { Log } from '../config/log';
import type { Transaction } from '../database/connections';
import { waitAfter, type ClaimedJob, type Ending, type JobKind } from './job-kind';
import type { JobRows } from './job-rows';

/** Why the result of an attempt no longer counts. */
class AttemptStopped extends Error {
  override readonly name = 'AttemptStopped';

  constructor(readonly why: 'stopping' | 'lost' | 'overdue') {
    super(SENTENCES[why]);
  }
}

const SENTENCES = {
  stopping: 'The process stops.',
  lost: 'Another process has claimed the job, or it is gone.',
  overdue: 'The attempt took longer than its kind may.',
};

interface UnderWay {
  readonly job: ClaimedJob;
  readonly abort: AbortController;
  /** Resolves when the job is settled, or left to its lease. */
  readonly ended: Promise<void>;
}

/** Renewals that a lease outlives: two may fail. */
const RENEWALS_A_LEASE = 3;

/** Does the jobs of one kind in this process, some at a time. */
export class JobWorker {
  private readonly looking: RecurringTask;
  private readonly renewing: RecurringTask;
  /** By claim. */
  private readonly underWay = new Map<string, UnderWay>();
  private isStopping = false;

  constructor(
    private readonly kind: JobKind,
    private readonly rows: JobRows,
    private readonly log: Log,
  ) {
    this.looking = new RecurringTask(kind.name, kind.lookEveryMs, () => this.look(), log);
    const renewEveryMs = kind.leaseMs / RENEWALS_A_LEASE;
    this.renewing = new RecurringTask(`leases of ${kind.name}`, renewEveryMs, () => this.renew(), log);
  }

  start(): void {
    this.looking.start();
    this.renewing.start();
  }

  /** Stops what is under way and gives it back: another process makes the attempt. */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const { abort } of this.underWay.values()) abort.abort(new AttemptStopped('stopping'));
    await Promise.all([this.looking.stop(), this.renewing.stop()]);
    await Promise.all([...this.underWay.values()].map(({ ended }) => ended));
  }

  /** Claims what there is room for, and goes on while more than that is due. */
  private async look(): Promise<void> {
    while (!this.isStopping) {
      const room = this.kind.atOnce - this.underWay.size;
      const claimed = await this.rows.claim(room);
      for (const job of claimed) this.begin(job);
      if (claimed.length < room) return;
      await Promise.race([...this.underWay.values()].map(({ ended }) => ended));
    }
  }

  private begin(job: ClaimedJob): void {
    const abort = new AbortController();
    const ended = this.make(job, abort)
      .catch((error: unknown) =>
        this.log.warn('A job was not settled; it is tried again when its lease ends', { ...this.naming(job), error }),
      )
      .finally(() => this.underWay.delete(job.claim));
    this.underWay.set(job.claim, { job, abort, ended });
    // It was claimed while the process began to stop.
    if (this.isStopping) abort.abort(new AttemptStopped('stopping'));
  }

  private async renew(): Promise<void> {
    for (const { job, abort } of [...this.underWay.values()]) {
      if (!(await this.rows.renew(job))) abort.abort(new AttemptStopped('lost'));
    }
  }

  private async make(job: ClaimedJob, abort: AbortController): Promise<void> {
    const ending = await this.endingOf(job, abort);
    switch (ending?.kind) {
      case undefined:
        return;
      case 'done':
        await this.rows.end(job, ending.write);
        return;
      case 'not made':
        await this.rows.putOff(job, ending.afterMs, false, ending.write);
        return;
      case 'failed': {
        const wait = waitAfter(this.kind, job.attempt);
        const write = (tx: Transaction): Promise<void> => ending.write(tx, wait === null);
        await (wait === null ? this.rows.end(job, write) : this.rows.putOff(job, wait, true, write));
      }
    }
  }

  /** Null when the claim is lost: then nothing is left to settle. */
  private async endingOf(job: ClaimedJob, abort: AbortController): Promise<Ending | null> {
    if (this.isBeyondTheLast(job))
      return this.failure(job, 'A job was given up: its last attempt died with its process');
    const limit = setTimeout(() => abort.abort(new AttemptStopped('overdue')), this.kind.limitMs);
    try {
      return await settledBefore(abort.signal, this.kind.attempt(job, abort.signal));
    } catch (error) {
      const stopped: unknown = abort.signal.aborted ? abort.signal.reason : null;
      const why = stopped instanceof AttemptStopped ? stopped.why : null;
      if (why === 'lost') return null;
      if (why === 'stopping') return { kind: 'not made', afterMs: 0 };
      return this.failure(job, 'An attempt of a job failed', why === 'overdue' ? stopped : error);
    } finally {
      clearTimeout(limit);
    }
  }

  /** A process that dies has counted its attempt but settled nothing. */
  private isBeyondTheLast({ attempt }: ClaimedJob): boolean {
    return attempt > 1 && this.kind.backoff(attempt - 1) === null;
  }

  private failure(job: ClaimedJob, message: string, error?: unknown): Ending {
    this.log.warn(message, { ...this.naming(job), ...(error !== undefined && { error }) });
    return {
      kind: 'failed',
      write: async (tx, isLast) => {
        if (isLast) await this.kind.givenUp?.(tx, job);
      },
    };
  }

  private naming({ key, attempt }: ClaimedJob): {
    readonly job: string;
    readonly key: string;
    readonly attempt: number;
  } {
    return { job: this.kind.name, key, attempt };
  }
}

/** Does not wait for work that does not heed its signal: what it writes later is refused, since it no longer holds the claim. */
function settledBefore<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped.'));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject);
  });
}
