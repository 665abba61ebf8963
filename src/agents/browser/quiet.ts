/** A text must be seen unchanged at least this many times before it counts as quiet. */
const LEAST_LOOKS = 3;

/**
 * How long a text has been seen unchanged. Time in which it was not read counts for little: a machine or a page that stood
 * still for a while shows the old text right after it, and the rest of a reply comes a moment later.
 */
export class Quiet {
  private seenMs = 0;
  private lookedAt: number;

  /**
   * @param idleMs how long the text must stay unchanged
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

  /** The text is what it was at the last read. A read that saw nothing is not reported here: it is not a sign of quiet. */
  unchanged(now: number): void {
    this.seenMs += Math.min(now - this.lookedAt, this.idleMs / LEAST_LOOKS);
    this.lookedAt = now;
  }

  get isReached(): boolean {
    // Thirds of some numbers add up to a little less than the number.
    return this.seenMs >= this.idleMs - 0.5;
  }
}
