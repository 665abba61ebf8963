import { Pool } from 'undici';
import { ProviderError } from './errors';
import { HttpExchange, type HttpResponse } from './http-exchange';

/** The most that is read of one response body, before and after decompression. */
export const MAX_BODY_BYTES = 1024 * 1024;

export interface HttpRequest {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Covers connecting, the headers and the whole body. */
  readonly timeoutMs: number;
}

export interface HttpClientOptions {
  /** Connection pools kept at a time; only pools in use may go beyond it. */
  readonly maxOrigins?: number;
  /** A pool without calls for so long is closed. */
  readonly idleMs?: number;
  readonly maxBodyBytes?: number;
}

interface OriginPool {
  readonly pool: Pool;
  active: number;
  idleSince: number;
}

/**
 * HTTP to target agents: one connection pool an origin, as many connections as there are calls, since a call that queues
 * behind another would count against the agent. Redirects are not followed and nothing is retried here. undici's
 * `dispatch` is used rather than `request`: it lets a call end before its connection exists, and needs no stream a body.
 */
export class HttpClient {
  private readonly pools = new Map<string, OriginPool>();
  private readonly maxOrigins: number;
  private readonly idleMs: number;
  private readonly maxBodyBytes: number;
  private sweeper: NodeJS.Timeout | null = null;
  private closed = false;

  constructor(options: HttpClientOptions = {}) {
    this.maxOrigins = options.maxOrigins ?? 64;
    this.idleMs = options.idleMs ?? 60_000;
    this.maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
  }

  /**
   * Resolves with any status once the whole body is there; aborting closes the socket at once.
   * @throws ProviderError `connect_failed`, `provider_timeout`, `provider_error`, `config_invalid`, or canceled
   */
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      if (signal.aborted || this.closed) return reject(ProviderError.canceled());
      const origin = this.originPool(request.origin);
      origin.active += 1;
      const exchange = new HttpExchange(this.maxBodyBytes, (outcome) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        origin.active -= 1;
        origin.idleSince = performance.now();
        if (outcome instanceof ProviderError) reject(outcome);
        else resolve(outcome);
      });
      const onAbort = (): void => exchange.fail(ProviderError.canceled());
      const timer = setTimeout(() => exchange.fail(timedOut()), request.timeoutMs);
      signal.addEventListener('abort', onAbort, { once: true });
      const { path, method, headers, body } = request;
      origin.pool.dispatch({ path, method, headers, body, headersTimeout: 0, bodyTimeout: 0 }, exchange);
    });
  }

  /** Origins with a pool at present. */
  get origins(): readonly string[] {
    return [...this.pools.keys()];
  }

  /** Ends calls in flight and closes every connection. Idempotent. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.sweeper !== null) clearInterval(this.sweeper);
    const pools = [...this.pools.values()];
    this.pools.clear();
    await Promise.all(pools.map(({ pool }) => pool.destroy()));
  }

  private originPool(origin: string): OriginPool {
    const known = this.pools.get(origin);
    if (known !== undefined) return known;
    if (this.pools.size >= this.maxOrigins) this.evict(1);
    const made: OriginPool = { pool: new Pool(origin), active: 0, idleSince: performance.now() };
    this.pools.set(origin, made);
    this.sweeper ??= setInterval(() => this.sweep(), this.idleMs).unref();
    return made;
  }

  private sweep(): void {
    const before = performance.now() - this.idleMs;
    this.evict([...this.pools.values()].filter(({ active, idleSince }) => active === 0 && idleSince < before).length);
  }

  /** Closes the pools that have been idle for the longest. */
  private evict(count: number): void {
    const idle = [...this.pools].filter(([, { active }]) => active === 0);
    idle.sort(([, a], [, b]) => a.idleSince - b.idleSince);
    for (const [origin, { pool }] of idle.slice(0, count)) {
      this.pools.delete(origin);
      void pool.destroy();
    }
  }
}

export function timedOut(): ProviderError {
  return new ProviderError(
    'provider_timeout',
    "The agent gave no whole answer before the turn's deadline; raise turn_timeout_ms in its config if it needs longer.",
  );
}
