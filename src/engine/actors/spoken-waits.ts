const SHORTEST_MS = 1_000;
const LONGEST_MS = 60_000;
const RETRIES_A_SECOND = 50;

/**
 * The scenario runs that found every place for a spoken conversation taken, and when they are due again: they are in the queue, and
 * hold no slot. The more wait, the less often each asks: so many of them a second.
 */
export class SpokenWaits {
  private readonly dueMs = new Map<string, number>();

  /**
   * @param now a clock that never jumps, in milliseconds
   * @param longestMs none waits longer
   */
  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly longestMs = LONGEST_MS,
  ) {}

  /** In how many milliseconds it is to be delivered again. */
  add(scenarioRunId: string): number {
    const now = this.now();
    // What is long due has been taken by another process, or was canceled.
    for (const [id, due] of this.dueMs) {
      if (due + this.longestMs < now) this.dueMs.delete(id);
    }
    const turns = Math.ceil((this.dueMs.size + 1) / RETRIES_A_SECOND);
    const waitMs = Math.min(this.longestMs, SHORTEST_MS * turns);
    this.dueMs.set(scenarioRunId, now + waitMs);
    return waitMs;
  }

  /** It has come back. */
  remove(scenarioRunId: string): void {
    this.dueMs.delete(scenarioRunId);
  }
}
