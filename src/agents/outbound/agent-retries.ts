import { leastWaitMs, type RetryPolicy } from '../../platform/outbound';
import { ProviderError } from '../errors';
import type { Clock } from './clock';

export interface RetryLimits {
  /** Tries after the first one. */
  readonly maxRetries: number;
  /** In the clock's milliseconds; read anew each time, since time spent in line moves it. */
  readonly deadline: () => number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** How calls to agents are retried: after a ProviderError that says so. A wait that would pass the deadline is not begun. */
export function agentRetries({ maxRetries, deadline, clock, signal }: RetryLimits): RetryPolicy {
  return {
    maxRetries,
    waitBefore(retry, error) {
      if (!(error instanceof ProviderError) || error.disposition.kind !== 'retryable') return null;
      const wait = waitMs(retry, error.disposition.retryAfterMs ?? 0, clock);
      return clock.now() + wait >= deadline() ? null : wait;
    },
    sleep: (ms) => clock.sleep(ms, signal),
  };
}

/** Between half and all of the wait, at random; Retry-After is a floor, with as much jitter on top, so that not all come at once. */
function waitMs(retry: number, retryAfterMs: number, clock: Clock): number {
  const least = leastWaitMs(retry);
  return Math.max(least, retryAfterMs) + clock.random() * least;
}
