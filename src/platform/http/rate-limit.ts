import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { ApiKeys } from './api-key';
import type { MetricsToken } from './metrics-token';
import { OPEN_PATHS } from './open-paths';

/**
 * At most this many requests a minute per client address and service key; beyond that, 429 with Retry-After.
 * An invalid key counts as none, so guessing keys is bounded too, and costs the scraper with the metrics token nothing. Probes (`/health`) are never refused.
 */
export function limitRequests(perMinute: number, keys: ApiKeys, metricsToken: MetricsToken): RequestHandler {
  const whose = (request: Request): string => (metricsToken.admits(request) ? 'scraper' : String(keys.find(request)));
  return rateLimit({
    windowMs: 60_000,
    limit: perMinute,
    standardHeaders: 'draft-7',
    legacyHeaders: false,
    keyGenerator: (request) => `${ipKeyGenerator(request.ip ?? '')} ${whose(request)}`,
    skip: (request) => OPEN_PATHS.has(request.path),
    handler: (_request, response) => {
      response.status(429).json({ error: `More than ${perMinute} requests in a minute: wait and try again.` });
    },
    // Its checks warn on the console about headers that any client may send.
    validate: false,
  });
}
