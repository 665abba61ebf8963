import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { Log } from '../config/log';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/**
 * What proxies write: UUIDs, hexadecimal, numbers with hyphens. Whatever else is sent is replaced: an id comes back in answers and stands
 * in the log, the audit trail and its CSV, where nothing may be an address, a formula or a command to a terminal.
 */
const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

/** By the request and not by an AsyncLocalStorage, which every promise of the process would pay for on Node 20. */
const ids = new WeakMap<IncomingMessage, string>();

/** The id of this request: the client's or the proxy's own where it is well formed, otherwise a new one. The same at every call. */
export function requestIdOf(request: IncomingMessage): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  // Node joins a header that is sent twice with a comma, which no id has.
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && WELL_FORMED.test(given) ? given : newRequestId();
  ids.set(request, id);
  return id;
}

export function newRequestId(): string {
  return randomUUID();
}

/** The log for what is done for this request alone. */
export function requestLog(log: Log, request: IncomingMessage): Log {
  return log.child({ request_id: requestIdOf(request) });
}

/** Comes before anything that may refuse the request: every answer names it. */
export function identifyRequests(): RequestHandler {
  return (request, response, next) => {
    response.setHeader(REQUEST_ID_HEADER, requestIdOf(request));
    next();
  };
}

/** One debug line per request. The query is left out: it may carry an access token. */
export function logRequests(log: Log): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const { method, path } = request;
    response.once('close', () => {
      const ms = Math.round(performance.now() - startedAt);
      log.debug('Request answered', {
        request_id: requestIdOf(request),
        method,
        path,
        status: response.statusCode,
        ms,
      });
    });
    next();
  };
}
