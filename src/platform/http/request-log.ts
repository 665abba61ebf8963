import type { RequestHandler } from 'express';
import type { Log } from '../config/log';
import { requestIdOf } from './request-id';

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
