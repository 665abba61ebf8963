import { shownProxy, type ForwardProxy } from './forward-proxy';

/** What a proxy was asked for. */
export interface TunnelEnd {
  /** The host that the proxy is asked for: a name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** The host as a config or a setting names it, for sentences: what a name leads to may be confidential. */
  readonly name: string;
}

/**
 * A forward proxy did not lead to where it was asked to. The sentence names the proxy, without credentials, and the mend; none of it is the
 * agent's doing.
 */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';

  constructor(
    message: string,
    /** `PROXY_…`, never a code of undici or OpenSSL: undici's client connects again and again after some of those. */
    readonly code: string,
    /** Whether another try may end otherwise. */
    readonly isPassing: boolean,
  ) {
    super(message);
  }
}

/** As a request names it: IPv6 in brackets. */
export function authorityOf({ host, port }: Pick<TunnelEnd, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function shownEnd({ name, port }: TunnelEnd): string {
  return authorityOf({ host: name, port });
}

/** The proxy answered with a status other than 200. */
export function refusedBy(proxy: ForwardProxy, end: TunnelEnd, status: number): ProxyFailure {
  const name = `The proxy ${shownProxy(proxy)}`;
  const code = `PROXY_${status}`;
  const target = shownEnd(end);
  if (status === 407) {
    const lack = proxy.authorization === null ? 'asks for credentials' : 'does not accept the credentials';
    return new ProxyFailure(`${name} ${lack} (407): check user and password in ${proxy.variable}.`, code, false);
  }
  if (status >= 500 || status === 408 || status === 429) {
    return new ProxyFailure(
      `${name} could not connect to ${target} (${status}): check that it reaches this address, or add the host to NO_PROXY.`,
      code,
      true,
    );
  }
  const asked =
    end.host === end.name ? '' : ' (it is asked by address; where it goes by name, set PROXY_RESOLVES_NAMES=true)';
  return new ProxyFailure(
    `${name} refuses to connect to ${target} (${status}): have its rules allow CONNECT to it${asked}, or add the host to NO_PROXY.`,
    code,
    false,
  );
}

/** The proxy accepted nothing, or hung up. @param code of Node or undici, as in the functions below */
export function unreachable(proxy: ForwardProxy, code: string): ProxyFailure {
  const message = `The proxy ${shownProxy(proxy)} cannot be reached (${code}): check that it runs, and ${proxy.variable}.`;
  return new ProxyFailure(message, 'PROXY_UNREACHABLE', true);
}

/** @param seconds that were waited */
export function silent(proxy: ForwardProxy, end: TunnelEnd, seconds: number): ProxyFailure {
  // Vendors' SDKs read words such as those of a clock in an error as their own limit for an attempt.
  const message = `The proxy ${shownProxy(proxy)} gave no answer within ${seconds} s when asked for ${shownEnd(end)}: check that it runs, and ${proxy.variable}.`;
  return new ProxyFailure(message, 'PROXY_SILENT', true);
}

/** What answers there speaks no HTTP, or more of it than is read. */
export function notAProxy(proxy: ForwardProxy, code: string): ProxyFailure {
  const message = `The proxy ${shownProxy(proxy)} answers something other than HTTP (${code}): check that ${proxy.variable} names an HTTP proxy and its scheme.`;
  return new ProxyFailure(message, 'PROXY_NO_HTTP', false);
}

export function untrustedProxy(proxy: ForwardProxy, code: string): ProxyFailure {
  const message = `The certificate of the proxy ${shownProxy(proxy)} is not trusted (${code}): name its authority in NODE_EXTRA_CA_CERTS, and the proxy in ${proxy.variable} as its certificate does.`;
  return new ProxyFailure(message, 'PROXY_UNTRUSTED', false);
}

/** The certificate that was shown beyond the proxy is not believed: of the target, or of a proxy that opens what passes through it. */
export function untrustedBeyond(proxy: ForwardProxy, { name }: TunnelEnd, code: string): ProxyFailure {
  const message = `The certificate shown for ${name} through the proxy ${shownProxy(proxy)} is not trusted (${code}): where the proxy opens encrypted connections, name its authority in NODE_EXTRA_CA_CERTS; otherwise it leads elsewhere, or the address is wrong.`;
  return new ProxyFailure(message, 'PROXY_TARGET_UNTRUSTED', false);
}

/** The proxy opened a tunnel through which no encrypted connection came about. */
export function insecureBeyond(proxy: ForwardProxy, end: TunnelEnd, code: string, isPassing: boolean): ProxyFailure {
  const message = `Through the proxy ${shownProxy(proxy)} no encrypted connection to ${shownEnd(end)} comes about (${code}): check that the address is meant to be https, and what the proxy does with it.`;
  return new ProxyFailure(message, 'PROXY_TARGET_INSECURE', isPassing);
}

/** A name has to be looked up here before a proxy is asked for its address. */
export function unresolved(proxy: ForwardProxy, host: string, code: string): ProxyFailure {
  const message = `The host name ${host} could not be looked up (${code}), which is done and checked before the proxy ${shownProxy(proxy)} is asked for its address: make the name known to this machine, or set PROXY_RESOLVES_NAMES=true to leave that to the proxy.`;
  return new ProxyFailure(message, 'PROXY_NAME_UNKNOWN', true);
}
