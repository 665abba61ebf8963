import type { Metrics } from '../../platform/telemetry';

/** A change that waits to be written, and what its batch needs to know of it. */
interface Waiting<Change, Result> {
  readonly change: Change;
  /** Two changes of one row never share a statement, which would apply only one of them. */
  readonly row: string;
  /** The run whose lock it needs. */
  readonly run: string;
  readonly chars: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Changes in one batch: more of them make every one wait longer than they save. */
const MOST_CHANGES = 200;
/**
 * Text in one batch; a single change may be larger. Several times as much memory is needed on both sides for a moment, and the
 * driver writes all of it into its buffer in one turn of the event loop.
 */
const MOST_CHARS = 1024 * 1024;

/**
 * Takes from the front what can be written together. The rest stays in its order, so that a later change of a row never
 * overtakes an earlier one.
 */
function takeBatch<Change, Result>(queue: Waiting<Change, Result>[]): Waiting<Change, Result>[] {
  const batch: Waiting<Change, Result>[] = [];
  const later: Waiting<Change, Result>[] = [];
  const rows = new Set<string>();
  let chars = 0;
  let seen = 0;
  for (const waiting of queue) {
    const isFull = batch.length >= MOST_CHANGES || (batch.length > 0 && chars + waiting.chars > MOST_CHARS);
    if (isFull) break;
    seen += 1;
    if (rows.has(waiting.row)) {
      later.push(waiting);
      continue;
    }
    rows.add(waiting.row);
    chars += waiting.chars;
    batch.push(waiting);
  }
  queue.splice(0, seen, ...later);
  return batch;
}

export interface GroupCommitOptions<Change, Result> {
  /**
   * Commits all the changes or none, and answers in their order.
   * @param lockWaitMs how long to wait for the lock of a run
   */
  readonly write: (changes: readonly Change[], lockWaitMs: number) => Promise<readonly Result[]>;
  readonly rowOf: (change: Change) => string;
  readonly runOf: (change: Change) => string;
  /** Characters it takes in a statement. */
  readonly charsOf: (change: Change) => number;
  /** Whether an error may be the fault of a single change, so that each is tried alone. */
  readonly isPoison: (error: unknown) => boolean;
  /** Whether an error means that the lock of one of the runs was not obtained in time. */
  readonly isLockedOut: (error: unknown) => boolean;
  /** Called at the end of every transaction. */
  readonly onEnd?: (end: CommitEnd) => void;
}

/** How one transaction ended, and how long it took. */
export interface CommitEnd {
  readonly changes: number;
  readonly seconds: number;
  readonly outcome: 'committed' | 'locked_out' | 'failed';
}

/** A lock that is held longer than writers take holds the other runs of the batch up for so long, once. */
const SHARED_LOCK_WAIT_MS = 300;
/** A waiting statement holds one of a few connections: it lets others have it now and then. */
const LONE_LOCK_WAIT_MS = 1_000;
/** After so long the caller learns that the database is busy, and asks again. */
const LONE_TRIES = 15;
/** Runs that wait for their own lock at the same time. */
const MOST_LONE_RUNS = 2;

/**
 * Writes many small changes in few transactions: changes that arrive while a transaction is under way share the next one. No
 * timer is involved, so a lone change is written at once and a busy process pays for one commit per batch.
 *
 * A run that another session has locked is written by itself until none of its changes wait any more, so that it delays no other
 * run.
 */
export class GroupCommit<Change, Result> {
  private readonly queue: Waiting<Change, Result>[] = [];
  /** The waiting changes of the runs that are written by themselves, those under way among them. */
  private readonly lone = new Map<string, Waiting<Change, Result>[]>();
  private readonly loneWaiting: string[] = [];
  private loneUnderWay = 0;
  private isWriting = false;

  constructor(private readonly options: GroupCommitOptions<Change, Result>) {}

  /** Resolves once the change is committed or refused; rejects when the transaction failed. */
  submit(change: Change): Promise<Result> {
    const { rowOf, runOf, charsOf } = this.options;
    return new Promise((resolve, reject) => {
      const run = runOf(change);
      const waiting = { change, row: rowOf(change), run, chars: charsOf(change), resolve, reject };
      const lone = this.lone.get(run);
      if (lone !== undefined) lone.push(waiting);
      else {
        this.queue.push(waiting);
        this.writeSoon();
      }
    });
  }

  /** One more turn of the event loop: what the same poll of the sockets brought is written together. */
  private writeSoon(): void {
    if (this.isWriting) return;
    this.isWriting = true;
    setImmediate(() => {
      void this.writeShared(takeBatch(this.queue)).then(() => {
        this.isWriting = false;
        if (this.queue.length > 0) this.writeSoon();
      });
    });
  }

  /** Never rejects: each change's own promise does. */
  private async writeShared(batch: readonly Waiting<Change, Result>[]): Promise<void> {
    try {
      await this.write(batch, SHARED_LOCK_WAIT_MS);
    } catch (error) {
      if (this.options.isLockedOut(error)) this.separate(batch);
      else if (batch.length > 1 && this.options.isPoison(error)) {
        for (const waiting of batch) await this.writeShared([waiting]);
      } else for (const { reject } of batch) reject(error);
    }
  }

  /** Every run of the batch goes on by itself; what else waits of it follows in its order. */
  private separate(batch: readonly Waiting<Change, Result>[]): void {
    for (const waiting of batch) this.loneOf(waiting.run).push(waiting);
    for (const waiting of this.queue.splice(0)) (this.lone.get(waiting.run) ?? this.queue).push(waiting);
    this.startLone();
  }

  private loneOf(run: string): Waiting<Change, Result>[] {
    const known = this.lone.get(run);
    if (known !== undefined) return known;
    const lone: Waiting<Change, Result>[] = [];
    this.lone.set(run, lone);
    this.loneWaiting.push(run);
    return lone;
  }

  private startLone(): void {
    while (this.loneUnderWay < MOST_LONE_RUNS) {
      const run = this.loneWaiting.shift();
      if (run === undefined) return;
      this.loneUnderWay += 1;
      void this.writeLone(run, this.loneOf(run)).then(() => {
        this.loneUnderWay -= 1;
        this.startLone();
      });
    }
  }

  private async writeLone(run: string, queue: Waiting<Change, Result>[]): Promise<void> {
    while (queue.length > 0) await this.writePatiently(takeBatch(queue), 1);
    this.lone.delete(run);
  }

  private async writePatiently(batch: readonly Waiting<Change, Result>[], attempt: number): Promise<void> {
    try {
      await this.write(batch, LONE_LOCK_WAIT_MS);
    } catch (error) {
      if (this.options.isLockedOut(error) && attempt < LONE_TRIES) await this.writePatiently(batch, attempt + 1);
      else if (batch.length > 1 && this.options.isPoison(error)) {
        for (const waiting of batch) await this.writePatiently([waiting], 1);
      } else for (const { reject } of batch) reject(error);
    }
  }

  private async write(batch: readonly Waiting<Change, Result>[], lockWaitMs: number): Promise<void> {
    const results = await this.timed(
      batch.map(({ change }) => change),
      lockWaitMs,
    );
    results.forEach((result, position) => batch[position]?.resolve(result));
  }

  private async timed(changes: readonly Change[], lockWaitMs: number): Promise<readonly Result[]> {
    const { write, isLockedOut, onEnd } = this.options;
    const began = performance.now();
    const end = (outcome: CommitEnd['outcome']): void =>
      onEnd?.({ changes: changes.length, seconds: (performance.now() - began) / 1_000, outcome });
    try {
      const results = await write(changes, lockWaitMs);
      end('committed');
      return results;
    } catch (error) {
      end(isLockedOut(error) ? 'locked_out' : 'failed');
      throw error;
    }
  }
}

/** Counts and times the transactions of one ledger. */
export function measuredCommits(ledger: 'changes' | 'claims', metrics: Metrics): (end: CommitEnd) => void {
  return ({ changes, seconds, outcome }) => {
    metrics.observe('osce_commit_duration_seconds', { ledger, outcome }, seconds);
    if (outcome === 'committed') metrics.observe('osce_commit_changes', { ledger }, changes);
  };
}
