const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

/**
 * Waits between attempts to reconnect: growing while they fail, with jitter so that many processes do not come back
 * in the same millisecond. The client asks twice per attempt, before and after its wait.
 */
export class ReconnectWaits {
  private longest = FIRST_WAIT_MS;

  /** Milliseconds from the start of the last attempt to the next. */
  next(): number {
    const wait = this.longest * (0.5 + Math.random() / 2);
    this.longest = Math.min(LONGEST_WAIT_MS, this.longest * 1.5);
    return wait;
  }

  reset(): void {
    this.longest = FIRST_WAIT_MS;
  }
}
