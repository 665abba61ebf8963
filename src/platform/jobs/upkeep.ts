import { setTimeout as sleep } from 'node:timers/promises';
import { RecurringTask } from '../concurrency/recurring-task';
import type { Log } from '../config/log';
import type { AdvisoryLock } from '../database/advisory-locks';
import type { Transaction } from '../database/connections';
import type { Database } from '../database/database';

/**
 * Does something piece by piece, each in a transaction of its own, until `next` answers null: nothing is left. It also ends when
 * another process does the same, or this process stops.
 * @param done is told of each piece once it is committed
 */
export type InPieces = <Piece>(
  next: (tx: Transaction) => Promise<Piece | null>,
  done?: (piece: Piece) => void,
) => Promise<void>;

/** Maintenance that recurs, done by one process at a time. Another process goes on with what this one leaves undone. */
export interface Upkeep {
  /** As the log names it. */
  readonly name: string;
  readonly everyMs: number;
  /** Held while a piece is done. */
  readonly lock: AdvisoryLock;
  readonly round: (inPieces: InPieces) => Promise<void>;
}

/** Between two pieces, and at least as long as the piece took: half of one connection's time at most. */
const PAUSE_MS = 20;

/** One kind of upkeep in this process. */
export class UpkeepTask {
  private readonly stopping = new AbortController();
  private readonly task: RecurringTask;

  constructor(
    private readonly upkeep: Upkeep,
    private readonly database: Database,
    log: Log,
  ) {
    this.task = new RecurringTask(upkeep.name, upkeep.everyMs, () => this.round(), log);
  }

  start(): void {
    this.task.start();
  }

  /** Resolves when the piece in progress has ended. */
  stop(): Promise<void> {
    this.stopping.abort();
    return this.task.stop();
  }

  round(): Promise<void> {
    return this.upkeep.round((next, done = () => undefined) => this.inPieces(next, done));
  }

  private async inPieces<Piece>(
    next: (tx: Transaction) => Promise<Piece | null>,
    done: (piece: Piece) => void,
  ): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const began = performance.now();
      const piece = await this.alone(next);
      if (piece === null) return;
      done(piece);
      const pause = Math.max(PAUSE_MS, performance.now() - began);
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Null also while another process holds the lock. */
  private alone<Piece>(next: (tx: Transaction) => Promise<Piece | null>): Promise<Piece | null> {
    return this.database.transaction(async (tx) => {
      const [lock] = await tx.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
        this.upkeep.lock,
      ]);
      return lock?.taken === true ? next(tx) : null;
    });
  }
}
