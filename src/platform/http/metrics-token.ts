import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';

/** However the router would read it. */
const METRICS_PATH = /^\/metrics\/?$/i;
const BEARER = /^Bearer +(\S+) *$/i;

/** What opens /metrics to a scraper that has no service key, and opens nothing else. */
export class MetricsToken {
  private readonly digest: Buffer | null;

  /** @param token null: there is none, and service keys alone guard /metrics */
  constructor(token: string | null) {
    this.digest = token === null ? null : digestOf(token);
  }

  /** Whether the request is for /metrics and shows the token. */
  admits({ path, headers }: Request): boolean {
    if (this.digest === null || !METRICS_PATH.test(path)) return false;
    return timingSafeEqual(this.digest, digestOf(BEARER.exec(headers.authorization ?? '')?.[1] ?? ''));
  }

  /** Whether the request is for what the token guards: also on a service without keys, which is open otherwise. */
  guards({ path }: Request): boolean {
    return this.digest !== null && METRICS_PATH.test(path);
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
