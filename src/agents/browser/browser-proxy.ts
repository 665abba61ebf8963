import { FilteringProxy } from '../../platform/targets/filtering-proxy';
import type { TargetGuard } from '../../platform/targets/target-guard';
import { PageTraffic } from './page-traffic';

/** The proxy through which every page reaches its servers. It knows each conversation by its own credentials, and serves no one else. */
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
