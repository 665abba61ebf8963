/** What a caller decides about its retries. */
export interface RetryPolicy {
  /** Tries after the first one. */
  readonly maxRetries: number;
  /** @returns how long to wait before the retry of this number, from 1; null when the error is final */
  waitBefore(retry: number, error: unknown): number | null;
  /** @throws at once when what the caller waits for was aborted */
  sleep(ms: number): Promise<void>;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

/** The least to wait before a retry when the server asks for nothing: half of a wait that doubles from 0.5 s to 8 s; the other half is for chance. */
export function leastWaitMs(retry: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (retry - 1)) / 2;
}

/**
 * Calls `attempt` until it succeeds, fails for good, or has been retried often enough; then throws its last error unchanged. The only
 * loop of its kind for agents and language models.
 * @param attempt called with its number, from 1
 */
export async function withRetries<Result>(
  attempt: (number: number) => Promise<Result>,
  policy: RetryPolicy,
): Promise<Result> {
  for (let number = 1; ; number += 1) {
    try {
      return await attempt(number);
    } catch (error) {
      const wait = number > policy.maxRetries ? null : policy.waitBefore(number, error);
      if (wait === null) throw error;
      await policy.sleep(wait);
    }
  }
}
