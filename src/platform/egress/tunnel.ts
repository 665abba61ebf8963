import { Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import { isUntrustedCertificate } from '../outbound/http-call';
import type { ForwardProxy } from './forward-proxy';
import {
  authorityOf,
  insecureBeyond,
  notAProxy,
  refusedBy,
  silent,
  unreachable,
  untrustedBeyond,
  untrustedProxy,
  ProxyFailure,
  type TunnelEnd,
} from './proxy-failure';

/** The longest wait for a tunnel: for the proxy to accept a connection, and to answer once its own is made. */
const OPEN_WITHIN_MS = 10_000;

/**
 * Asks a proxy (CONNECT, RFC 9110 section 9.3.6) for a connection to a host, whatever its scheme: so the proxy is told the host and port
 * alone, the request goes through unchanged, and what is handed over can be an address that was checked. This is what undici's ProxyAgent
 * does; its errors do not say what the proxy answered.
 * @param signal closes the connection to the proxy at once when it is aborted before the tunnel is open
 * @throws ProxyFailure, or the signal's reason
 */
export async function openTunnel(proxy: ForwardProxy, end: TunnelEnd, signal?: AbortSignal): Promise<Socket> {
  signal?.throwIfAborted();
  const client = new Client(proxy.origin, { connect: { timeout: OPEN_WITHIN_MS }, headersTimeout: 0 });
  const giveUp = new AbortController();
  const onAbort = (): void => giveUp.abort();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    giveUp.abort();
  }, OPEN_WITHIN_MS);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const path = authorityOf(end);
    const headers = {
      host: path,
      'user-agent': 'agent-osce',
      ...(proxy.authorization !== null && { 'proxy-authorization': proxy.authorization }),
    };
    const { statusCode, socket } = await client.connect({ path, headers, signal: giveUp.signal });
    // No proxy answers otherwise when it has opened a tunnel, and 2xx would be taken for one of the target's.
    if (statusCode === 200 && socket instanceof Socket) return socket;
    socket.on('error', () => undefined).destroy();
    throw refusedBy(proxy, end, statusCode);
  } catch (error) {
    signal?.throwIfAborted();
    throw isLate ? silent(proxy, end, OPEN_WITHIN_MS / 1_000) : lossOf(error, proxy, end);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    // The socket of an open tunnel is no longer the client's.
    void client.destroy();
  }
}

/**
 * A connection to what undici wants to connect to, through a proxy; TLS is between us and the target.
 * @param secure makes the TLS connection; shared, so that sessions are resumed
 * @param end what the proxy is asked for
 * @throws ProxyFailure, or the signal's reason
 */
export async function connectThrough(
  proxy: ForwardProxy,
  end: TunnelEnd,
  options: buildConnector.Options,
  secure: buildConnector.connector,
  signal?: AbortSignal,
): Promise<Socket> {
  const tunnel = await openTunnel(proxy, end, signal);
  if (options.protocol !== 'https:') return tunnel;
  return new Promise((resolve, reject) => {
    secure({ ...options, httpSocket: tunnel }, (...[error, socket]) => {
      if (error === null) return resolve(socket);
      tunnel.destroy();
      reject(failureBeyond(error, proxy, end));
    });
  });
}

/** For undici: connections to one origin that the operator named, by its name. */
export function tunnelConnector(proxy: ForwardProxy): buildConnector.connector {
  const secure = buildConnector({});
  return (options, answer) => {
    const { hostname, protocol, port } = options;
    const host = bare(hostname);
    const end = { host, port: Number(port || (protocol === 'https:' ? 443 : 80)), name: host };
    connectThrough(proxy, end, options, secure).then(
      (socket) => answer(null, socket),
      (error: unknown) => answer(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

/** Without the brackets that an IPv6 address has in a URL. */
export function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** Codes of a connection that was not accepted, or that ended before its time. */
const LOST =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EMFILE|UND_ERR_SOCKET)$/;
const LATE = /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;

function lossOf(error: unknown, proxy: ForwardProxy, end: TunnelEnd): unknown {
  if (error instanceof ProxyFailure) return error;
  const code = codeOf(error);
  if (LATE.test(code)) return silent(proxy, end, OPEN_WITHIN_MS / 1_000);
  if (isUntrustedCertificate(error)) return untrustedProxy(proxy, code);
  return LOST.test(code) ? unreachable(proxy, code) : notAProxy(proxy, code);
}

function failureBeyond(error: Error, proxy: ForwardProxy, end: TunnelEnd): ProxyFailure {
  const code = codeOf(error);
  if (isUntrustedCertificate(error)) return untrustedBeyond(proxy, end, code);
  return insecureBeyond(proxy, end, LATE.test(code) ? 'no answer' : code, LATE.test(code) || LOST.test(code));
}

/** Read by shape, as Node's own errors come from outside a sandbox that runs this code (Jest). */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return codeOf(error.errors[0]);
  return 'name' in error && typeof error.name === 'string' ? error.name : 'unknown';
}
