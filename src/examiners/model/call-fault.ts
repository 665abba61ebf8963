import { retryAfterMs } from '../../platform/outbound/retry-after';

/** What went wrong on the way to an answer, whichever SDK reports it. */
export type CallFault =
  /** No attempt was answered in its time. */
  | { readonly kind: 'silent' }
  /** No connection, or a broken one. */
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'too_long' }
  | Refused;

interface Refused {
  readonly kind: 'refused';
  readonly status: number;
  /** The server's own words, unchanged; null when it gave none. */
  readonly reason: string | null;
  /** The account's quota is spent, or it was never paid for: waiting does not help. */
  readonly isQuotaSpent: boolean;
  /** What the server asks for; null where it asks for nothing. */
  readonly retryAfterMs: number | null;
  readonly shouldRetry: boolean | null;
}

/** How sentences refer to a server, and which settings they point to. */
export interface ServerNames {
  /** Begins a sentence: `The Messages API`. */
  readonly server: string;
  readonly model: string;
  readonly keyVariable: string;
  readonly addressVariable: string;
}

/** @param headers of the answer; both vendors' APIs send `x-should-retry`, and their SDKs obey it */
export function refused(
  status: number,
  headers: Headers | undefined,
  { reason, isQuotaSpent }: Pick<Refused, 'reason' | 'isQuotaSpent'>,
): CallFault {
  const named = (name: string): string | undefined => headers?.get(name) ?? undefined;
  const wishes = { 'retry-after-ms': named('retry-after-ms'), 'retry-after': named('retry-after') };
  const should = named('x-should-retry');
  return {
    kind: 'refused',
    status,
    reason,
    isQuotaSpent,
    retryAfterMs: retryAfterMs(wishes, Date.now()),
    shouldRetry: should === 'true' ? true : should === 'false' ? false : null,
  };
}

/** How long to wait at least before another attempt, in milliseconds; null when another would fail in the same way. */
export function waitAfter(fault: CallFault): number | null {
  if (fault.kind === 'too_long') return null;
  if (fault.kind !== 'refused') return 0;
  const { status, isQuotaSpent, shouldRetry } = fault;
  const isPassing = status === 408 || status === 409 || status === 429 || (status >= 500 && status !== 501);
  return (shouldRetry ?? isPassing) && !isQuotaSpent ? (fault.retryAfterMs ?? 0) : null;
}
