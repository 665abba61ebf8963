import { Pool, type Dispatcher } from 'undici';
import { Egress, ProxyFailure, tunnelConnector } from '../../platform/egress';
import { bodyOf, HttpCall, type RawResponse, type Received } from '../../platform/outbound';
import type { CallFault } from './model-error';

/** The most that is read of one answer. Large enough that an overlong one can still be objected to in words. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** An answer was longer than the limit; asking again would bring the same. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/**
 * A `fetch` for the vendors' SDKs on undici's `dispatch`: a call takes about a quarter of the processor time of the built-in fetch.
 * Each call has its own connection, so none waits behind another. It resolves when the whole body is there, so that the SDK's
 * timeout for an attempt covers the body too. Redirects are not followed: the key stays with the origin it was given for.
 */
export class ModelTransport {
  private readonly origin: string;
  private readonly pool: Pool;

  /** @param egress whether its server is reached through a proxy, which is asked for it by name: the address is the operator's own */
  constructor(baseUrl: string, egress: Egress = Egress.direct()) {
    const { origin, protocol, hostname, port } = new URL(baseUrl);
    this.origin = origin;
    const proxy = egress.proxyFor(protocol, hostname, Number(port || (protocol === 'https:' ? 443 : 80)));
    this.pool = new Pool(origin, proxy === null ? {} : { connect: tunnelConnector(proxy) });
  }

  readonly fetch = (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { signal, body, method = 'GET' } = init;
    if (typeof url !== 'string' || !url.startsWith(`${this.origin}/`)) {
      return Promise.reject(new TypeError('The transport of a model only calls the origin it was made for.'));
    }
    if (body !== undefined && body !== null && typeof body !== 'string') {
      return Promise.reject(new TypeError('The transport of a model only sends text.'));
    }
    const headers: Record<string, string> = { 'accept-encoding': 'identity' };
    (init.headers instanceof Headers ? init.headers : new Headers(init.headers)).forEach((value, name) => {
      headers[name] = value;
    });
    return new Promise((resolve, reject) => {
      const exchange = new ModelCall(signal ?? null, resolve, reject);
      if (exchange.isOver) return;
      const path = url.slice(this.origin.length);
      const options: Dispatcher.DispatchOptions = { path, method: methodOf(method), headers, body: body ?? null };
      this.pool.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, exchange);
    });
  };

  /** Ends calls in flight. Idempotent. */
  async close(): Promise<void> {
    if (!this.pool.destroyed) await this.pool.destroy();
  }
}

/** Why a call ended without an answer, as the error that an SDK gives as the cause of its own says. */
export function lossFrom(cause: unknown): CallFault {
  if (cause instanceof ProxyFailure) return { kind: 'proxy', failure: cause };
  return { kind: cause instanceof AnswerTooLong ? 'too_long' : 'unreachable' };
}

function methodOf(method: string): Dispatcher.HttpMethod {
  return method === 'GET' ? 'GET' : 'POST';
}

/** An answer that has been received in full: reading it needs no stream. */
class BufferedResponse extends Response {
  override readonly text: () => Promise<string>;
  override readonly json: () => Promise<unknown>;

  constructor(body: string, status: number, headers: Record<string, string>) {
    super(null, { status, headers });
    this.text = () => Promise.resolve(body);
    this.json = async () => JSON.parse(body) as unknown;
  }
}

/** One call in flight; settles once. */
class ModelCall extends HttpCall {
  private isSettled = false;

  constructor(
    private readonly signal: AbortSignal | null,
    private readonly resolve: (response: Response) => void,
    private readonly reject: (error: Error) => void,
  ) {
    super(MAX_BODY_BYTES);
    if (signal?.aborted === true) this.onAbort();
    else signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  get isOver(): boolean {
    return this.isSettled;
  }

  protected received(outcome: Received): void {
    const settle = this.settlementOf(outcome);
    this.settle(settle);
  }

  /** Never throws: undici's parser would swallow it, and the call would never settle. */
  private settlementOf(outcome: Received): () => void {
    if (outcome.kind === 'broken') return () => this.reject(outcome.error);
    if (outcome.kind === 'cut') return () => this.reject(new AnswerTooLong('The answer of the model is too long.'));
    try {
      const response = responseOf(outcome.response);
      return () => this.resolve(response);
    } catch (cause) {
      return () => this.reject(new TypeError('The answer of the model is not one that HTTP has.', { cause }));
    }
  }

  private readonly onAbort = (): void => {
    const reason = new DOMException('The call was aborted.', 'AbortError');
    this.settle(() => this.reject(reason));
    this.abort(reason);
  };

  private settle(how: () => void): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.signal?.removeEventListener('abort', this.onAbort);
    how();
  }
}

/** @throws RangeError for a status that a Response cannot have, such as 600 */
function responseOf(response: RawResponse): Response {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return new BufferedResponse(bodyOf(response).toString('utf8'), response.status, headers);
}
