import { randomBytes } from 'node:crypto';
import { TargetRefusal } from '../../platform/targets/target-refusal';
import type { ProxyGuest, ProxyTarget } from '../../platform/targets/filtering-proxy';
import { forbiddenTarget } from '../outbound/connection-failure';
import type { ProviderError } from '../errors';
import { unreachable } from './page-failure';

/** How many sentences about refused addresses are kept; a page may request millions. */
const MAX_KEPT = 20;

/** What Chromium would have called the same failure, had it connected itself. */
const CHROMIUM_NAMES = new Map([
  ['ENOTFOUND', 'ERR_NAME_NOT_RESOLVED'],
  ['ECONNREFUSED', 'ERR_CONNECTION_REFUSED'],
  ['ECONNRESET', 'ERR_CONNECTION_RESET'],
  ['EHOSTUNREACH', 'ERR_ADDRESS_UNREACHABLE'],
  ['ENETUNREACH', 'ERR_ADDRESS_UNREACHABLE'],
  ['ETIMEDOUT', 'ERR_CONNECTION_TIMED_OUT'],
  ['ABORT_ERR', 'ERR_CONNECTION_TIMED_OUT'],
]);

/** What one conversation's pages were refused, or could not reach, through the proxy, which knows them by these credentials. */
export class PageTraffic implements ProxyGuest {
  readonly username = randomBytes(9).toString('base64url');
  readonly password = randomBytes(32).toString('base64url');
  private readonly refused = new Set<string>();
  private last: unknown = null;

  failed(_target: ProxyTarget, error: unknown): void {
    // A refusal takes precedence over failures after it.
    if (!(this.last instanceof TargetRefusal)) this.last = error;
    if (error instanceof TargetRefusal && this.refused.size < MAX_KEPT) this.refused.add(error.message);
  }

  /** A sentence for each address that was refused, in the order of first refusal. */
  get refusals(): readonly string[] {
    return [...this.refused];
  }

  /** Begins a new period: `explain` covers only what follows. */
  turnOver(): void {
    this.last = null;
  }

  /** Why a connection since `turnOver` could not be made, the last one or one that was refused; null when there is none, or Chromium's own code says enough. */
  explain(): ProviderError | null {
    if (this.last instanceof TargetRefusal) return forbiddenTarget(this.last);
    const name = CHROMIUM_NAMES.get(codeOf(this.last));
    return name === undefined ? null : unreachable(name, this.last);
  }
}

/** Read by shape: errors of Node's own may come from outside a sandbox that runs this code. */
function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
