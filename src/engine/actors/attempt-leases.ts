import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/config';
import { Database, SharedRead } from '../../platform/database';
import { OwnershipStore } from '../ledger/ownership.store';
import type { AttemptRef } from '../ledger/scenario-run.changes';
import { untilAvailable } from './persistent-retry';
import { elapsedMs, instantNow, type TwoClockInstant } from './two-clock-instant';

/** One look may fall into a moment in which this process stood still; so many in a row do not. */
const LOOKS_TO_WARN = 5;
/** For as long as it goes on, the operator is warned again so often. */
const WARN_AGAIN_MS = 60_000;

/**
 * Warns when several queries in a row about who owns which row take longer than their answers hold. Such an answer assures no
 * attempt: no outside call begins then, and nothing else would say why.
 */
class SlowLooks {
  private inARow = 0;
  private warnedAt: TwoClockInstant | null = null;

  /** @param limitMs how long an answer holds, from when it was asked for */
  constructor(
    private readonly limitMs: number,
    private readonly log: Log,
  ) {}

  note(askedAt: TwoClockInstant, answeredAt: TwoClockInstant, attempts: number): void {
    const tookMs = elapsedMs(askedAt, answeredAt);
    if (tookMs < this.limitMs) {
      this.inARow = 0;
      this.warnedAt = null;
      return;
    }
    this.inARow += 1;
    if (this.inARow < LOOKS_TO_WARN) return;
    if (this.warnedAt !== null && elapsedMs(this.warnedAt, answeredAt) < WARN_AGAIN_MS) return;
    this.warnedAt = answeredAt;
    this.log.warn('The database takes too long to say who owns what: calls to agents and models wait', {
      took_ms: Math.round(tookMs),
      limit_ms: this.limitMs,
      attempts,
    });
  }
}

/** Why an attempt is over before its end: another attempt owns the row, or the run was canceled. */
export type Loss = 'superseded' | 'canceled';

/**
 * For this long after it was last seen to own its row an attempt takes that for granted; later calls begin only
 * when the row still says so. It is part of the second within which a cancellation must have stopped every call (invariant 6).
 */
const OWNED_FOR_MS = 750;
/** The pause before a row is read again whose answer was too old on arrival, so that a slow database is not queried without pause. */
const ASK_AGAIN_MS = 100;

/**
 * An attempt's hold on its row, as far as this process knows. A process that stood still for a while (a suspended machine, a
 * stopped process, a garbage collection of seconds) cannot know on its own: another process may have claimed the row since, or
 * the run may have been canceled.
 */
export class AttemptLease {
  private loss: Loss | null = null;
  private isSettling = false;
  private reportLoss: (loss: Loss) => void = () => undefined;

  constructor(
    readonly ref: AttemptRef,
    /** When the row was last known to be this attempt's. */
    private ownedAt: TwoClockInstant,
    private readonly ask: (lease: AttemptLease, signal: AbortSignal) => Promise<unknown>,
    private readonly now: () => TwoClockInstant,
  ) {}

  /** Called at most once, and before the caller that asked or wrote continues. */
  onLoss(listener: (loss: Loss) => void): void {
    this.reportLoss = listener;
  }

  /** @param askedAt when the query that said so was sent, or a write of this attempt that was accepted */
  confirm(askedAt: TwoClockInstant): void {
    if (askedAt.steadyMs >= this.ownedAt.steadyMs) this.ownedAt = askedAt;
  }

  /**
   * The attempt's last write begins. Its row may say that it has no owner before the write's answer arrives: what others see
   * of the row then is not a loss; only that answer can report one.
   */
  settle(): void {
    this.isSettling = true;
  }

  /** Notes a loss that was found by reading the row. */
  seeLoss(loss: Loss): void {
    if (loss === 'canceled' || !this.isSettling) this.lose(loss);
  }

  lose(loss: Loss): void {
    if (this.loss !== null) return;
    this.loss = loss;
    this.reportLoss(loss);
  }

  /**
   * Resolves while the row is this attempt's. Usually without a query: the periodic one over all rows of this process confirms it.
   * An answer counts from when its query was sent. One that took too long, or that arrived while the process stood still, says
   * nothing about now: the row is read again.
   * @throws the signal's reason, or Error when the attempt is lost
   */
  async assure(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (this.isInDoubt) {
      await this.ask(this, signal);
      signal.throwIfAborted();
      // The next line reports a signal that ended the pause.
      if (this.isInDoubt) await sleep(ASK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    }
    if (this.loss !== null) throw new Error(`An attempt continued although it was ${this.loss}.`);
  }

  private get isInDoubt(): boolean {
    return this.loss === null && elapsedMs(this.ownedAt, this.now()) >= OWNED_FOR_MS;
  }

  /** For log lines. */
  get names(): Readonly<Record<string, string | number>> {
    const { scenarioRunId, testRunId, attempt } = this.ref;
    return { scenarioRunId, testRunId, attempt };
  }
}

/** The leases of this process, by the rows. */
@Injectable()
export class AttemptLeases {
  private readonly looks = new SharedRead<AttemptLease, true>(async (leases) => {
    await this.look(leases);
    return leases.map(() => true);
  });

  private readonly slowLooks: SlowLooks;

  constructor(
    private readonly ownership: OwnershipStore,
    private readonly database: Database,
    log: Log,
  ) {
    this.slowLooks = new SlowLooks(OWNED_FOR_MS, log);
  }

  /** @param claimedAt when the claim was requested */
  begin(ref: AttemptRef, claimedAt: TwoClockInstant): AttemptLease {
    const ask = (lease: AttemptLease, signal: AbortSignal) =>
      untilAvailable(
        () => this.looks.load(lease),
        (error) => this.database.isUnavailable(error),
        signal,
      );
    return new AttemptLease(ref, claimedAt, ask, () => this.now());
  }

  /** Confirms that the rows are still owned, or ends their attempts, all in one query. @throws the database's error */
  async look(leases: readonly AttemptLease[]): Promise<void> {
    const [first] = leases;
    if (first === undefined) return;
    const askedAt = this.now();
    const refs = leases.map(({ ref }) => ref);
    const lost = await this.ownership.findLostAttempts(first.ref.owner, refs);
    this.slowLooks.note(askedAt, this.now(), leases.length);
    const losses = new Map(lost.map((one) => [nameOf(one), one.isCanceled ? 'canceled' : 'superseded'] as const));
    for (const lease of leases) {
      const loss = losses.get(nameOf(lease.ref));
      if (loss === undefined) lease.confirm(askedAt);
      else lease.seeLoss(loss);
    }
  }

  protected now(): TwoClockInstant {
    return instantNow();
  }
}

function nameOf({ scenarioRunId, attempt }: { readonly scenarioRunId: string; readonly attempt: number }): string {
  return `${scenarioRunId}:${attempt}`;
}
