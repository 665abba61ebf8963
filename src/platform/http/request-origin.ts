import { BadRequestException, HttpException, ForbiddenException } from '@nestjs/common';
import type { Request, RequestHandler } from 'express';
import { hostNameOf, HostPattern, isLoopbackName, type HostName, hostNameOfOrigin } from '../config/host-name';
import type { Settings } from '../config/settings';

const EVERY_ADDRESS = new Set(['0.0.0.0', '[::]']);
const MISDIRECTED = 421;
const SHOWN_CHARACTERS = 100;

/** The host names of this service. */
export class OwnHosts {
  private readonly patterns: readonly HostPattern[];
  /** The name in HOST; null when that is every address of the machine. */
  private readonly bound: string | null;

  constructor({ host, allowedHosts }: Pick<Settings, 'host' | 'allowedHosts'>) {
    this.patterns = allowedHosts.flatMap((text) => HostPattern.of(text) ?? []);
    const name = addressName(host);
    this.bound = name === null || EVERY_ADDRESS.has(name) ? null : name;
  }

  /** Whether ALLOWED_HOSTS names it. */
  isAllowed(host: HostName): boolean {
    return this.patterns.some((pattern) => pattern.matches(host));
  }

  /**
   * Whether a page may be loaded under this name without a service key.
   * @param localAddress where the connection came in: an address in a URL is dialled as it is, without DNS
   */
  isOwn(host: HostName, localAddress: string): boolean {
    const { name } = host;
    return isLoopbackName(host) || name === this.bound || name === addressName(localAddress) || this.isAllowed(host);
  }
}

/**
 * Without a service key, answers only requests for a name of the service; others are 421. A web page can have its own name
 * resolve to 127.0.0.1 (DNS rebinding) and is then same-origin to the browser, but it cannot choose what its name is.
 * @param hasKey a page that borrows our address has no key, so with one any name may resolve here
 */
export function requireOwnHost(hosts: OwnHosts, hasKey: boolean): RequestHandler {
  return (request, _response, next) => {
    if ((request.headersDistinct['host'] ?? []).length > 1) {
      return next(new BadRequestException('A request has one Host header; this one has several.'));
    }
    if (hasKey) return next();
    const localAddress = request.socket.localAddress ?? '';
    for (const written of namesOf(request)) {
      const host = hostNameOf(written);
      if (host === null || !hosts.isOwn(host, localAddress)) return next(misdirected(written));
    }
    next();
  };
}

/** Every host name in the request: Host, the request target's own (RFC 9112, 3.2.2), and what a proxy was asked for. */
function namesOf(request: Request): readonly string[] {
  const [, target] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(request.originalUrl) ?? [];
  return [request.headers.host ?? '', ...(target === undefined ? [] : [target]), ...forwardedHosts(request)];
}

/** The names that proxies report they were asked for; a page of another origin cannot set the header. */
export function forwardedHosts({ headersDistinct }: Request): readonly string[] {
  return (headersDistinct['x-forwarded-host'] ?? []).flatMap((value) => value.split(','));
}

function misdirected(written: string): HttpException {
  const called =
    written === ''
      ? 'The request names no host'
      : `"${written.slice(0, SHOWN_CHARACTERS)}" is not a name of this service`;
  return new HttpException(
    `${called}: without a service key it answers only to localhost and the names in ALLOWED_HOSTS. ` +
      'Add the name to ALLOWED_HOSTS, or set SERVICE_API_KEY.',
    MISDIRECTED,
  );
}

/** An address as a Host header writes it: IPv6 in brackets and without its zone, mapped IPv4 as IPv4. */
function addressName(address: string): string | null {
  const [plain = ''] = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%');
  return hostNameOf(plain.includes(':') ? `[${plain}]` : plain)?.name ?? null;
}

const CHANGES_NOTHING = new Set(['GET', 'HEAD', 'OPTIONS']);

export function changesNothing({ method }: Request): boolean {
  return CHANGES_NOTHING.has(method);
}

/**
 * Refuses to change anything for a web page of another origin, whatever its body: browsers send such a request without
 * asking first, and only withhold its answer from the page. This holds with a service key as well: a proxy may add it to what any client
 * sends. Clients other than browsers send neither header.
 */
export function refuseForeignPages(hosts: OwnHosts): RequestHandler {
  return (request, _response, next) => {
    if (changesNothing(request) || isFromOwnPage(request, hosts)) return next();
    const origin = request.headers.origin ?? '';
    const page = origin === '' ? 'A web page' : `A web page (${origin.slice(0, SHOWN_CHARACTERS)})`;
    next(
      new ForbiddenException(
        `${page} of another origin may not change anything here. If it is this service's own page behind a proxy, have the proxy ` +
          'pass on the Host header, or add its host to ALLOWED_HOSTS.',
      ),
    );
  };
}

/** No page of another origin can have a browser send it without asking first, and this service allows none that asks. */
const PAGE_HEADER = 'x-osce-page';

/** Whether a request shows that a page of this service sends it, as browsers and the page itself say so. Silence does not. */
export function showsOwnPage(request: Request, hosts: OwnHosts): boolean {
  if (request.headers[PAGE_HEADER] !== undefined || request.headers['sec-fetch-site'] === 'same-origin') return true;
  const { origin } = request.headers;
  return origin !== undefined && isOwnOrigin(origin, request, hosts);
}

/** The rule of Go's `http.CrossOriginProtection`: what the browser says of itself, or, where it says nothing, the names. */
function isFromOwnPage(request: Request, hosts: OwnHosts): boolean {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  // No page can set it: the browser compared the requested host with the page's origin, before any proxy.
  if (site === 'same-origin') return true;
  if (site !== undefined && site !== 'none') return false;
  return origin === undefined || isOwnOrigin(origin, request, hosts);
}

function isOwnOrigin(origin: string, request: Request, hosts: OwnHosts): boolean {
  const page = hostNameOfOrigin(origin);
  if (page === null) return false;
  if (hosts.isAllowed(page)) return true;
  const defaultPort = origin.startsWith('http:') ? 80 : 443;
  return [request.headers.host ?? '', ...forwardedHosts(request)].some((written) => {
    const asked = hostNameOf(written);
    return asked?.name === page.name && (asked.port ?? defaultPort) === page.port;
  });
}
