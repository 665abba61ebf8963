import type { Clock } from './clock';
import { ProviderError } from '../errors';

/** Waits between tries: 500 ms doubling to 8 s. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

export interface RetryOptions {
  /** Tries after the first one. */
  readonly maxRetries: number;
  /** In the clock's milliseconds; read anew each time, since time spent in line moves it. */
  readonly deadline: () => number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Calls `attempt` until it succeeds, fails for good, or runs out of time or tries; then throws its last error unchanged.
 * A wait that would pass the deadline is not begun.
 * @param attempt called with its number, from 1; fails with ProviderError
 */
export async function withRetries<T>(attempt: (number: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { maxRetries, deadline, clock, signal } = options;
  for (let number = 1; ; number += 1) {
    try {
      return await attempt(number);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.disposition.kind !== 'retryable' || number > maxRetries)
        throw error;
      const wait = waitBefore(number, error.disposition.retryAfterMs ?? 0, clock);
      if (clock.now() + wait >= deadline()) throw error;
      await clock.sleep(wait, signal);
    }
  }
}

/** Between half and all of the wait, at random; Retry-After is a floor, with as much jitter on top, so that not all come at once. */
function waitBefore(retry: number, retryAfterMs: number, clock: Clock): number {
  const half = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (retry - 1)) / 2;
  const spread = clock.random() * half;
  return Math.max(half, retryAfterMs) + spread;
}
