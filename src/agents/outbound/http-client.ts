import { TargetGuard } from '../../platform/targets';
import { ProviderError } from '../errors';
import { AgentHttpCall, type HttpResponse } from './agent-http-call';
import { OriginConnections } from './origin-connections';

/** The most that is read of one response body, before and after decompression. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Text, or the bytes of one. */
export type HttpBody = string | Buffer;

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface HttpRequest {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly method: HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: HttpBody | null;
  /** Covers connecting, the headers and the whole body. */
  readonly timeoutMs: number;
}

export interface HttpClientOptions {
  /** Where agents may live; by default the rules of TARGETS=local. */
  readonly guard?: TargetGuard | undefined;
  /** How many origins have connections at a time; only origins with a call in flight may exceed it. */
  readonly maxOrigins?: number;
  /** Connections unused for this long are closed. */
  readonly idleMs?: number;
  readonly maxBodyBytes?: number;
}

/**
 * HTTP to target agents. Redirects are not followed and nothing is retried here. undici's `dispatch` is used rather than
 * `request`: it lets a call end before its connection exists, and needs no stream per body.
 */
export class HttpClient {
  private readonly connections = new Map<string, OriginConnections>();
  private readonly guard: TargetGuard;
  private readonly maxOrigins: number;
  private readonly idleMs: number;
  private readonly maxBodyBytes: number;
  private sweeper: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(options: HttpClientOptions = {}) {
    this.guard = options.guard ?? TargetGuard.local();
    this.maxOrigins = options.maxOrigins ?? 64;
    this.idleMs = options.idleMs ?? 60_000;
    this.maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
  }

  /**
   * Resolves with any status once the whole body has arrived; aborting closes the socket at once.
   * @throws ProviderError `connect_failed`, `provider_timeout`, `provider_error`, `config_invalid`, or canceled
   */
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      if (signal.aborted || this.closed) return reject(ProviderError.canceled());
      const connections = this.connectionsTo(request.origin);
      const client = connections.acquire();
      const call = new AgentHttpCall(this.maxBodyBytes, (outcome, isReusable) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        connections.release(client, isReusable);
        if (outcome instanceof ProviderError) reject(outcome);
        else resolve(outcome);
      });
      const onAbort = (): void => call.fail(ProviderError.canceled());
      const timer = setTimeout(() => call.fail(timedOut()), request.timeoutMs);
      signal.addEventListener('abort', onAbort, { once: true });
      const { path, method, headers, body } = request;
      client.dispatch({ path, method, headers, body }, call);
    });
  }

  /** Origins with connections at present. */
  get origins(): readonly string[] {
    return [...this.connections.keys()];
  }

  /** Ends calls in flight and closes every connection. Idempotent. */
  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.sweeper);
    const all = [...this.connections.values()];
    this.connections.clear();
    await Promise.all(all.map((connections) => connections.destroy()));
  }

  private connectionsTo(origin: string): OriginConnections {
    const known = this.connections.get(origin);
    if (known !== undefined) return known;
    if (this.connections.size >= this.maxOrigins) this.forgetLongestIdle();
    const made = new OriginConnections(origin, this.guard);
    this.connections.set(origin, made);
    this.sweeper ??= setInterval(() => this.sweep(), this.idleMs).unref();
    return made;
  }

  private sweep(): void {
    const before = performance.now() - this.idleMs;
    for (const [origin, connections] of this.connections) {
      connections.dropIdle(before);
      if (connections.isIdle && connections.usedAt < before) this.connections.delete(origin);
    }
  }

  private forgetLongestIdle(): void {
    const idle = [...this.connections].filter(([, { isIdle }]) => isIdle);
    const [oldest] = idle.sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (oldest === undefined) return;
    this.connections.delete(oldest[0]);
    void oldest[1].destroy();
  }
}

export function timedOut(): ProviderError {
  return new ProviderError(
    'provider_timeout',
    "The agent gave no complete answer before the turn's deadline; raise turn_timeout_ms in its config if it needs longer.",
  );
}
