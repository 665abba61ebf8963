import { createHash } from 'node:crypto';
import { ProviderError } from '../errors';
import type { Clock } from './clock';

/**
 * Port: `requests_per_minute`, kept for all who share a key. Requests are spread evenly, never bunched at a minute's start,
 * and served in the order of arrival.
 */
export abstract class RequestBudget {
  /**
   * Resolves when one request may be sent.
   * @param key names the budget; holds no credential in clear text
   * @param perMinute the rate as the asking agent's config has it now; above 0, fractions allowed
   * @throws ProviderError canceled when the signal is aborted; its place in the line then goes to the next
   */
  abstract acquire(key: string, perMinute: number, signal: AbortSignal): Promise<void>;
}

/** The longest Retry-After that is honoured, so that one odd header cannot shut an agent out until a restart. */
const MAX_HOLD_MS = 600_000;

/** Requests that were held back resume spread over this much time, not all in the same millisecond. */
const RELEASE_SPREAD_MS = 500;

/** Identifies those who share an origin and a credential, and so a limit, without keeping the credential. */
export function limiterKey(origin: string, credential: string): string {
  return createHash('sha256').update(`${origin}\0${credential}`).digest('base64url');
}

/** When a server has said Retry-After, and how many requests a minute it may get: one instance for all scenario runs of a process. */
export class Limiter {
  /** Only holds still in force are kept. */
  private readonly holds = new Map<string, { readonly until: number; readonly refusal: ProviderError }>();

  constructor(
    private readonly budget: RequestBudget,
    private readonly clock: Clock,
  ) {}

  /** No request is sent under this key for as long as the other side asked. */
  hold(key: string, retryAfterMs: number, refusal: ProviderError): void {
    const now = this.clock.now();
    for (const [other, { until }] of this.holds) if (until <= now) this.holds.delete(other);
    const until = now + Math.min(retryAfterMs, MAX_HOLD_MS);
    if (until > (this.holds.get(key)?.until ?? now)) this.holds.set(key, { until, refusal });
  }

  /**
   * Waits until a request may be sent.
   * @param deadline in the clock's milliseconds: a hold that lasts longer is not waited for
   * @returns milliseconds spent waiting for requests_per_minute: the harness's own doing, not part of the agent's time
   * @throws ProviderError the refusal that began the hold; canceled
   */
  async admit(key: string, perMinute: number | null, deadline: number, signal: AbortSignal): Promise<number> {
    let inLine = 0;
    for (;;) {
      await this.untilReleased(key, deadline + inLine, signal);
      if (perMinute === null) return inLine;
      const began = this.clock.now();
      await this.budget.acquire(key, perMinute, signal);
      inLine += this.clock.now() - began;
      // A hold may have begun while this request waited in line: all that did are spread out again by the budget.
      if (this.holdOf(key) === null) return inLine;
    }
  }

  private async untilReleased(key: string, deadline: number, signal: AbortSignal): Promise<void> {
    for (let hold = this.holdOf(key); hold !== null; hold = this.holdOf(key)) {
      if (hold.until >= deadline) throw hold.refusal;
      const spread = Math.min(RELEASE_SPREAD_MS, deadline - hold.until);
      await this.clock.sleep(hold.until - this.clock.now() + this.clock.random() * spread, signal);
    }
  }

  private holdOf(key: string): { readonly until: number; readonly refusal: ProviderError } | null {
    const hold = this.holds.get(key);
    return hold !== undefined && hold.until > this.clock.now() ? hold : null;
  }
}
