import { ForbiddenException } from '@nestjs/common';
import type { Request, RequestHandler } from 'express';
import { hostNameOf, hostNameOfOrigin } from '../config/host-name';
import { forwardedHosts, type OwnHosts } from './own-host';

const CHANGES_NOTHING = new Set(['GET', 'HEAD', 'OPTIONS']);
const SHOWN_CHARACTERS = 100;

/**
 * Refuses to change anything for a web page of another origin, whatever its body: browsers send such a request without
 * asking first, and only withhold its answer from the page. This holds with a service key as well: a proxy may add it to what anyone
 * sends. Clients other than browsers send neither header.
 */
export function refuseForeignPages(hosts: OwnHosts): RequestHandler {
  return (request, _response, next) => {
    if (CHANGES_NOTHING.has(request.method) || isFromOwnPage(request, hosts)) return next();
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
