import type { Transaction } from '../database/connections';

/** A row that a process has claimed and works on. */
export interface ClaimedJob {
  /** The primary key of its row. */
  readonly key: string;
  /** A fencing token: what is written under it is refused once another process has claimed the row, or it is gone. */
  readonly claim: string;
  /** From 1. */
  readonly attempt: number;
}

/** What an attempt came to. What it leaves behind is written in the transaction that settles the job, or not at all. */
export type Ending =
  | { readonly kind: 'done'; readonly write?: (tx: Transaction) => Promise<void> }
  /** Another attempt follows when the kind's backoff says so. */
  | { readonly kind: 'failed'; readonly write: (tx: Transaction, isLast: boolean) => Promise<void> }
  /** The attempt does not count, since it was not made. */
  | { readonly kind: 'not made'; readonly afterMs: number; readonly write?: (tx: Transaction) => Promise<void> };

/**
 * A table of jobs. Beside its own columns it has `claim` (uuid; null while no process works on the row), `attempts` (integer) and
 * `next_attempt_at` (when the row is due; while it is claimed, when the lease ends).
 */
export interface JobTable {
  readonly name: string;
  /** The column of its primary key. */
  readonly key: string;
  /** A row stays when its job is over, with no time at which it is due; otherwise it is deleted. */
  readonly keepsRows: boolean;
  /**
   * Selects `key` and `due_at` of at most $1 rows that are due and locks them, without waiting for those that are locked. Left out:
   * the rows whose `next_attempt_at` is past, the oldest first.
   */
  readonly due?: string;
}

/** One kind of jobs: what is due, how one is done, and when it is tried again. */
export interface JobKind {
  /** As the log names it. */
  readonly name: string;
  readonly table: JobTable;
  /** How often each process looks for jobs that are due. */
  readonly lookEveryMs: number;
  /** Jobs that a process works on at a time. */
  readonly atOnce: number;
  /** How long after a process has died another one takes over. Leases are renewed while the work goes on. */
  readonly leaseMs: number;
  /** An attempt that takes longer is stopped, and has failed. */
  readonly limitMs: number;
  /** Milliseconds from a failed attempt to the next one, give or take a tenth; null after the last. */
  backoff(attempt: number): number | null;
  /** What it throws is logged, and the attempt has failed. The signal is aborted when its result no longer counts. */
  attempt(job: ClaimedJob, signal: AbortSignal): Promise<Ending>;
  /** Written with the end of a job whose last attempt threw, took too long, or died with its process. */
  givenUp?(tx: Transaction, job: ClaimedJob): Promise<void>;
}

/** Jobs that failed together are not tried again together. */
const JITTER = 0.1;

/** Milliseconds after which a failed attempt is followed by another; null after the last one. */
export function waitAfter(kind: Pick<JobKind, 'backoff'>, attempt: number): number | null {
  const wait = kind.backoff(attempt);
  return wait === null ? null : Math.round(wait * (1 - JITTER + 2 * JITTER * Math.random()));
}
