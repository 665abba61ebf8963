import type { Method } from '../../contract/operation';
import { VERSION } from '../../src/platform/config/version';
import { CommandFailure, RefusedFailure, SilentFailure, UnreachableFailure } from '../failure';
import type { Connection } from './address';
import { pause, withDeadline } from './deadline';
import { refusalOf } from './refusal';

export interface Call {
  readonly method: Method;
  /** Path and query below the base address, beginning with a slash. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** A call without a byte for this long has failed. */
  readonly silentMs?: number;
  /** A status that counts as an answer like 200, not as a refusal. */
  readonly alsoAnswers?: number;
  /** Makes creating idempotent: the service creates nothing again when the call is repeated with the same key. */
  readonly idempotencyKey?: string;
  /** True when the call is idempotent; by default for GET, PUT and PATCH, and with a key. */
  readonly isRepeatable?: boolean;
  /** Aborts this call, instead of the client's signal. */
  readonly signal?: AbortSignal;
}

const SILENT_MS = 30_000;
const ATTEMPTS = 4;
const FIRST_WAIT_MS = 250;
/** The longest Retry-After that is waited for; a longer one is reported to the user. */
const LONGEST_WAIT_MS = 20_000;

/** Codes of errors before anything was sent. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Calls the service: each call has a deadline, an abort signal and, if idempotent, a few retries. */
export class HttpClient {
  /** @param signal aborts every call and every wait */
  constructor(
    readonly connection: Connection,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Reads an answer with `read`, which is given `extend` to report that bytes are still arriving.
   * @throws RefusedFailure, UnreachableFailure, the signal's reason
   */
  async call<Result>(call: Call, read: (response: Response, extend: () => void) => Promise<Result>): Promise<Result> {
    const signal = call.signal ?? this.signal;
    let mayHaveArrived = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(call, signal, read);
      } catch (error) {
        signal.throwIfAborted();
        const wait = attempt < ATTEMPTS ? waitBefore(attempt, call, error) : null;
        if (error instanceof UnreachableFailure) {
          if (wait === null && error.isUnsent && mayHaveArrived) {
            throw new UnreachableFailure(error.message, false, { cause: error });
          }
          mayHaveArrived ||= !error.isUnsent;
        }
        if (wait === null) throw error;
        await pause(wait, signal);
      }
    }
  }

  private attempt<Result>(
    call: Call,
    outer: AbortSignal,
    read: (response: Response, extend: () => void) => Promise<Result>,
  ): Promise<Result> {
    const { method, path, body, headers, alsoAnswers, idempotencyKey, silentMs = SILENT_MS } = call;
    const { url, key } = this.connection;
    const late = (): Error => new SilentFailure(`${url} did not answer within ${silentMs / 1_000} s.`);
    return withDeadline(silentMs, outer, late, async (signal, extend) => {
      let response: Response;
      try {
        response = await fetch(url + path, {
          method,
          signal,
          // A redirected POST would become a GET, and the key would go to another host.
          redirect: 'manual',
          headers: {
            accept: 'application/json',
            'user-agent': `osce/${VERSION}`,
            ...(key !== null && { authorization: `Bearer ${key}` }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
      } catch (error) {
        signal.throwIfAborted();
        throw unreachable(url, error);
      }
      extend();
      try {
        if (!response.ok && response.status !== alsoAnswers) throw await refusalOf(response, url);
        return await read(response, extend);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof CommandFailure) throw error;
        throw unreachable(url, error);
      }
    });
  }
}

/** Milliseconds to wait before a retry; null when there is none. */
function waitBefore(attempt: number, call: Call, error: unknown): number | null {
  const backoff = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
  const isKeyed = call.idempotencyKey !== undefined;
  const isRepeatable = call.isRepeatable ?? (isKeyed || ['GET', 'PUT', 'PATCH'].includes(call.method));
  // A creation that takes this long is not started again.
  if (isKeyed && error instanceof SilentFailure) return null;
  if (error instanceof UnreachableFailure) return error.isUnsent || isRepeatable ? backoff : null;
  if (!(error instanceof RefusedFailure)) return null;
  // 429 comes before anything is done, so even a POST may be sent again.
  const isUnderWay = isKeyed && error.status === 409 && error.retryAfterMs !== null;
  const mayHelp = error.status === 429 || isUnderWay || (isRepeatable && [502, 503, 504].includes(error.status));
  const wait = error.retryAfterMs ?? backoff;
  return mayHelp && wait <= LONGEST_WAIT_MS ? wait : null;
}

function unreachable(url: string, error: unknown): UnreachableFailure {
  const code = codeOf(error);
  const reason = REASONS.get(code) ?? (code === '' ? 'the connection broke' : code);
  const hint =
    code === 'ECONNREFUSED'
      ? ' Start it with osce serve (npm start in a checkout), or set --url or OSCE_URL if it is elsewhere.'
      : '';
  return new UnreachableFailure(`The service at ${url} is out of reach: ${reason}.${hint}`, UNSENT.has(code), {
    cause: error,
  });
}

const REASONS = new Map([
  ['ECONNREFUSED', 'nothing is listening there'],
  ['ENOTFOUND', 'the host name is unknown'],
  ['EAI_AGAIN', 'the host name could not be looked up'],
  ['ECONNRESET', 'the connection broke'],
  ['UND_ERR_SOCKET', 'the connection broke'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connecting took too long'],
  ['ETIMEDOUT', 'connecting took too long'],
]);

/** fetch wraps the error that says why, sometimes twice: an AggregateError with one error per address. */
function codeOf(error: unknown): string {
  let at: unknown = error;
  for (let depth = 0; depth < 4 && at instanceof Error; depth += 1) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    at = at instanceof AggregateError ? at.errors[0] : at.cause;
  }
  return '';
}
