import { createHash, timingSafeEqual } from 'node:crypto';
import { UnauthorizedException } from '@nestjs/common';
import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { ANYONE, identify, type Caller } from '../access/caller';
import type { ServiceKey } from '../config/service-keys';

/** However the router would read it. */
const METRICS_PATH = /^\/metrics\/?$/i;

/** What opens /metrics to a scraper that has no service key, and opens nothing else. */
export class MetricsToken {
  private readonly digest: Buffer | null;

  /** @param token null: there is none, and service keys alone guard /metrics */
  constructor(token: string | null) {
    this.digest = token === null ? null : digest(token);
  }

  /** Whether the request is for /metrics and shows the token. */
  admits({ path, headers }: Request): boolean {
    if (this.digest === null || !METRICS_PATH.test(path)) return false;
    return timingSafeEqual(this.digest, digest(BEARER.exec(headers.authorization ?? '')?.[1] ?? ''));
  }

  /** Whether the request is for what the token guards: also on a service without keys, which is open otherwise. */
  guards({ path }: Request): boolean {
    return this.digest !== null && METRICS_PATH.test(path);
  }
}

/** Answered without a key and never rate-limited, since probes of orchestrators have none: the endpoints whose role is `anyone`. */
export const OPEN_PATHS: ReadonlySet<string> = new Set(['/health', '/health/live', '/health/ready']);

/** Used by EventSource and by links, which cannot set headers. */
const QUERY_TOKEN_PATHS =
  /^\/(events|api\/v1\/(tests\/[^/]+\/(export(-csv)?|report)|scenario-runs\/[^/]+\/screenshot|inspect\/actors\/[^/]+\/events))\/?$/;
const BEARER = /^Bearer +(\S+) *$/i;
const NO_KEY = 'A service key is required: send Authorization: Bearer <key> or X-API-Key: <key>.';
const UNKNOWN_KEY =
  'The key that was sent is none of this service: compare it with those of osce keys list, and with SERVICE_API_KEY and the other settings of keys, without the name before it.';

/** The service keys, kept as digests: they compare in equal time whatever their length. */
export class ApiKeys {
  private readonly digests: readonly Buffer[];
  private readonly callers: readonly Caller[];

  constructor(keys: readonly ServiceKey[]) {
    this.digests = keys.map(({ key }) => digest(key));
    this.callers = keys.map(({ name, role }) => Object.freeze({ name, role }));
  }

  /** Position of the valid key that the request presents; -1 when it presents none. */
  find(request: Request): number {
    for (const presented of presentedKeys(request)) {
      const candidate = digest(presented);
      let found = -1;
      // No early exit: how long it takes says nothing about which key matched.
      this.digests.forEach((known, index) => {
        if (timingSafeEqual(known, candidate)) found = index;
      });
      if (found >= 0) return found;
    }
    return -1;
  }

  /** Which of the keys the request presents, as a digest; empty when it presents none. */
  digestOf(request: Request): string {
    return this.digests[this.find(request)]?.toString('hex') ?? '';
  }

  /** The caller whose key the request shows; null when it shows none of them. */
  callerOf(request: Request): Caller | null {
    if (this.digests.length === 0) return ANYONE;
    return this.callers[this.find(request)] ?? null;
  }
}

/** When keys are set, refuses every request without one; `callerOf` knows from here on who sent the others. */
export function requireApiKey(keys: ApiKeys, metricsToken: MetricsToken): RequestHandler {
  return (request, response, next) => {
    const caller = keys.callerOf(request);
    if (caller !== null) identify(request, caller);
    const isKnown = caller !== null && !(caller === ANYONE && metricsToken.guards(request));
    if (isKnown || OPEN_PATHS.has(request.path) || metricsToken.admits(request)) return next();
    response.setHeader('WWW-Authenticate', 'Bearer');
    next(new UnauthorizedException(presentedKeys(request).length === 0 ? NO_KEY : UNKNOWN_KEY));
  };
}

function presentedKeys(request: Request): string[] {
  const { authorization, 'x-api-key': header } = request.headers;
  const bearer = BEARER.exec(authorization ?? '')?.[1];
  const token = QUERY_TOKEN_PATHS.test(request.path) ? request.query['access_token'] : undefined;
  return [bearer, header, token].filter((key) => typeof key === 'string').filter((key) => key !== '');
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

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
