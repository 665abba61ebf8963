/** A text is seen unchanged at least so often before it counts as quiet. */
const LEAST_LOOKS = 3;

/**
 * For how long a text has been seen unchanged. Time in which nobody looked counts for little: a machine or a page that stood
 * still for a while shows the old text right after it, and the rest of a reply comes a moment later.
 */
export class Quiet {
  private seenMs = 0;
  private lookedAt: number;

  /**
   * @param idleMs how long it takes
   * @param now by `performance.now()`, as in the calls
   */
  constructor(
    private readonly idleMs: number,
    now: number,
  ) {
    this.lookedAt = now;
  }

  changed(now: number): void {
    this.seenMs = 0;
    this.lookedAt = now;
  }

  /** The text is what it was at the last look. A look that saw nothing is not told: it is no sign of quiet. */
  unchanged(now: number): void {
    this.seenMs += Math.min(now - this.lookedAt, this.idleMs / LEAST_LOOKS);
    this.lookedAt = now;
  }

  get isReached(): boolean {
    // Thirds of some numbers add up to a little less than the number.
    return this.seenMs >= this.idleMs - 0.5;
  }
}
