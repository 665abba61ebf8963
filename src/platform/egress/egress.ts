import { shownProxy, type ForwardProxy } from './forward-proxy';
import { isDirect, isLoopback, type DirectHosts } from './no-proxy';

export interface EgressRules {
  /** For `https:` addresses. */
  readonly https: ForwardProxy | null;
  /** For `http:` addresses. */
  readonly http: ForwardProxy | null;
  readonly direct: DirectHosts;
  /** Whether a proxy is asked for agents and webhooks by name, so that it decides which address a name leads to. */
  readonly byName: boolean;
}

const NO_PROXIES: EgressRules = { https: null, http: null, direct: [], byName: false };

/** How requests leave the service: directly, or through the forward proxies of the organisation. Also the injection token. */
export class Egress {
  constructor(private readonly rules: EgressRules) {}

  static direct(): Egress {
    return new Egress(NO_PROXIES);
  }

  /**
   * The proxy for a host; null: it is reached directly, as this machine's loopback always is.
   * @param protocol `https:` or `http:`
   * @param host of a URL, a name or an address
   */
  proxyFor(protocol: string, host: string, port: number): ForwardProxy | null {
    const proxy = protocol === 'https:' ? this.rules.https : this.rules.http;
    return proxy === null || isLoopback(host) || isDirect(this.rules.direct, host, port) ? null : proxy;
  }

  get handsOnNames(): boolean {
    return this.rules.byName;
  }

  /** Each proxy once for each setting that names it. */
  get proxies(): readonly ForwardProxy[] {
    return [this.rules.https, this.rules.http].filter((proxy) => proxy !== null);
  }

  /** What must be shown nowhere. */
  get secrets(): readonly string[] {
    return [...new Set(this.proxies.flatMap(({ secrets }) => secrets))];
  }

  /** By the setting that names it, each proxy without its credentials. */
  get shown(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.proxies.map((proxy) => [proxy.variable, shownProxy(proxy)]));
  }
}
