import { randomBytes } from 'node:crypto';
import { ProxyFailure } from '../../platform/egress';
import {
  type ProxyGuest,
  type ProxyTarget,
  FilteringProxy,
  type TargetGuard,
  TargetRefusal,
} from '../../platform/targets';
import type { ProviderError } from '../errors';
import { forbiddenTarget, proxyFailed } from '../outbound/connection-failure';
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
    if (this.last instanceof ProxyFailure) return proxyFailed(this.last);
    const name = CHROMIUM_NAMES.get(codeOf(this.last));
    return name === undefined ? null : unreachable(name, this.last);
  }
}

/** Read by shape: errors of Node's own may come from outside a sandbox that runs this code. */
function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** The proxy through which every page reaches its servers. It knows each conversation by its own credentials, and serves no other program. */
export class BrowserProxy {
  private readonly guests = new Map<string, PageTraffic>();
  private proxy: Promise<FilteringProxy> | null = null;

  constructor(private readonly guard: TargetGuard) {}

  /** Its address; starts the proxy on first use. @throws Error when this machine has no port left */
  async url(): Promise<string> {
    this.proxy ??= FilteringProxy.start(this.guard, (credentials) => this.guests.get(credentials) ?? null);
    return (await this.proxy).url;
  }

  admit(): PageTraffic {
    const traffic = new PageTraffic();
    this.guests.set(keyOf(traffic), traffic);
    return traffic;
  }

  dismiss(traffic: PageTraffic): void {
    this.guests.delete(keyOf(traffic));
  }

  /** Cuts every connection. Idempotent; never throws. */
  async close(): Promise<void> {
    const proxy = await this.proxy?.catch(() => null);
    await proxy?.close();
  }
}

/**
 * Leaves the browser no other way out: loopback goes through the proxy too, only the proxy resolves names, and what does not run
 * over TCP (QUIC, WebRTC) has no way out at all. The browser's own requests carry no credentials and are refused.
 */
export function proxyArgs(url: string): string[] {
  return [
    `--proxy-server=${url}`,
    '--proxy-bypass-list=<-loopback>',
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    '--disable-quic',
    // Chromium would send descriptions of the page's forms to its vendor.
    '--autofill-server-url=about:blank',
    // Chrome knows one name, the headless shell the other.
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  ];
}

function keyOf({ username, password }: PageTraffic): string {
  return `${username}:${password}`;
}
