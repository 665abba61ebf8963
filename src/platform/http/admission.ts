import { createHash, timingSafeEqual } from 'node:crypto';
import { ForbiddenException, UnauthorizedException } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { ANYONE, callerOf, identify, isStranger, type Caller } from '../access/caller';
import type { KeyHolders, SessionHolders, Shown } from '../access/shown';
import { changesNothing, type OwnHosts, showsOwnPage } from './request-origin';
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

/** Never rate-limited nor measured: what orchestrators ask all the time. */
export const PROBE_PATHS: ReadonlySet<string> = new Set(['/health', '/health/live', '/health/ready']);

/** Answered to callers who show nothing: the endpoints whose role is `anyone`. */
export const OPEN_PATHS: ReadonlySet<string> = new Set([...PROBE_PATHS, '/api/v1/sign-in', '/api/v1/sign-out']);

/** Used by EventSource and by links, which cannot set headers. */
const QUERY_TOKEN_PATHS =
  /^\/(events|api\/v1\/(tests\/[^/]+\/(export(-csv)?|report)|scenario-runs\/[^/]+\/screenshot|inspect\/actors\/[^/]+\/events))\/?$/;
const BEARER = /^Bearer +(\S+) *$/i;
const NO_KEY = 'A service key is required: send Authorization: Bearer <key> or X-API-Key: <key>.';
/** A key that is revoked and a session that has ended close their streams after so long at most. */
const LOOK_AGAIN_MS = 5_000;
const NOT_OUR_PAGE =
  'A change by a session has to come from the page of this service: send X-OSCE-Page: 1 with it, or use a service key.';
const UNKNOWN_KEY =
  'The key that was sent is none of this service: compare it with those of osce keys list, and with SERVICE_API_KEY and the other settings of keys, without the name before it.';

/** The keys of the settings, kept as digests: they compare in equal time whatever their length. */
export class ApiKeys {
  private readonly digests: readonly Buffer[];
  private readonly callers: readonly Caller[];

  constructor(keys: readonly ServiceKey[]) {
    this.digests = keys.map(({ key }) => digest(key));
    this.callers = keys.map(({ name, role }, place) =>
      Object.freeze({ id: `setting ${this.digests[place]?.toString('hex')}`, name, role }),
    );
  }

  /** The caller whose key the request shows; null when it shows none of them. */
  callerOf(request: Request): Caller | null {
    for (const presented of presentedKeys(request)) {
      const candidate = digest(presented);
      let found = -1;
      // No early exit: how long it takes says nothing about which key matched.
      this.digests.forEach((known, index) => {
        if (timingSafeEqual(known, candidate)) found = index;
      });
      const caller = this.callers[found];
      if (caller !== undefined) return caller;
    }
    return null;
  }
}

/** By what a request can be recognised. */
export interface Recognition {
  /** Whether anything has to be shown at all: on an open service every request is anyone's. */
  readonly isGuarded: boolean;
  readonly keys: ApiKeys;
  readonly holders: KeyHolders;
  readonly sessions: SessionHolders;
  /** A session is sent by the browser, whichever page has it do so: for a change, the page has to be of this service. */
  readonly hosts: OwnHosts;
  readonly metricsToken: MetricsToken;
}

/** Why what a request has shown opens nothing any more. */
const whyRefused = new WeakMap<Request, string>();

/**
 * Finds out who sends the request; `callerOf` knows it from here on. It refuses nothing, but for requests that need a caller while
 * it cannot be looked up who that is.
 */
export function recognizeCaller(recognition: Recognition): RequestHandler {
  const { isGuarded, keys, metricsToken } = recognition;
  return (request, response, next) => {
    const caller = isGuarded ? keys.callerOf(request) : ANYONE;
    if (caller !== null) {
      identify(request, caller);
      return next();
    }
    shownBy(request, recognition).then(
      (shown) => {
        if (shown?.kind === 'known') {
          identify(request, shown.caller);
          lookAgain(request, response, recognition);
        } else if (shown?.kind === 'refused') whyRefused.set(request, shown.why);
        next();
      },
      (error: unknown) => {
        const isOpen = OPEN_PATHS.has(request.path) || metricsToken.admits(request);
        // Signing out is open, so that it works without a session; it is no other page's to do with one.
        next(isOpen && !(error instanceof ForbiddenException) ? undefined : error);
      },
    );
  };
}

/** An answer may be a stream that lasts for hours: what its reader has shown is looked at again for as long as it is open. */
function lookAgain(request: Request, response: Response, recognition: Recognition): void {
  const looking = setInterval(() => {
    shownBy(request, recognition).then(
      (shown) => {
        if (shown?.kind !== 'known') response.destroy();
      },
      // It cannot be looked up now; the next time decides.
      () => undefined,
    );
  }, LOOK_AGAIN_MS).unref();
  response.once('close', () => clearInterval(looking));
}

/** A key that is shown decides alone: what a client says of itself counts over what its browser adds. */
async function shownBy(request: Request, { holders, sessions, hosts }: Recognition): Promise<Shown | null> {
  const presented = presentedKeys(request);
  if (presented.length === 0) {
    if (!sessions.isShownBy(request)) return null;
    if (!changesNothing(request) && !showsOwnPage(request, hosts)) throw new ForbiddenException(NOT_OUR_PAGE);
    return sessions.holderOf(request);
  }
  let refused: Shown | null = null;
  for (const key of presented) {
    const shown = await holders.holderOf(key);
    if (shown?.kind === 'known') return shown;
    refused = shown ?? refused;
  }
  return refused;
}

/** Refuses every request whose sender is not known, where the service asks for keys. */
export function requireCaller({ metricsToken }: Recognition): RequestHandler {
  return (request, response, next) => {
    const caller = callerOf(request);
    const isKnown = !isStranger(caller) && !(caller === ANYONE && metricsToken.guards(request));
    if (isKnown || OPEN_PATHS.has(request.path) || metricsToken.admits(request)) return next();
    response.setHeader('WWW-Authenticate', 'Bearer');
    const why = whyRefused.get(request) ?? (presentedKeys(request).length === 0 ? NO_KEY : UNKNOWN_KEY);
    next(new UnauthorizedException(why));
  };
}

/** A client may send several, each in its own place: more than three there are not. */
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
 * At most this many requests a minute per client address and caller; beyond that, 429 with Retry-After.
 * An invalid key counts as none, so guessing keys is bounded too, and costs the scraper with the metrics token nothing. Probes (`/health`) are never refused.
 */
export function limitRequests(perMinute: number, { metricsToken }: Recognition): RequestHandler {
  const whose = (request: Request): string => (metricsToken.admits(request) ? 'scraper' : callerOf(request).id);
  return rateLimit({
    windowMs: 60_000,
    limit: perMinute,
    standardHeaders: 'draft-7',
    legacyHeaders: false,
    keyGenerator: (request) => `${ipKeyGenerator(request.ip ?? '')} ${whose(request)}`,
    skip: (request) => PROBE_PATHS.has(request.path),
    handler: (_request, response) => {
      response.status(429).json({ error: `More than ${perMinute} requests in a minute: wait and try again.` });
    },
    // Its checks warn on the console about headers that any client may send.
    validate: false,
  });
}
