import type { Log } from '../../platform/config/log';
import { elapsedMs, type TwoClockInstant } from './two-clock-instant';

/** One look may fall into a moment in which this process stood still; so many in a row do not. */
const LOOKS_TO_WARN = 5;
/** As long as it goes on, the operator is warned again so often. */
const WARN_AGAIN_MS = 60_000;

/**
 * Warns when one look after the other at who owns what takes longer than its answer holds. Such an answer assures nobody: no
 * outside call begins then, and nothing else would say why.
 */
export class SlowLooks {
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
