import type { ErrorCode } from '../../domain';
import { ownTurn } from '../../platform/concurrency';
import type { Clock } from './clock';
import type { Pace } from '../config-fields';
import { ProviderError } from '../errors';
import { timedOut, type HttpBody, type HttpClient, type HttpMethod } from './http-client';
import { isErrorAnswer } from './error-answer';
import { errorAnswered, jsonOf, jsonOrNull, refusal, unexpectedAnswer } from './http-refusal';
import type { HttpResponse } from './agent-http-call';
import { limiterKey, type Limiter } from './limiter';
import { withRetries } from '../../platform/outbound';
import { agentRetries } from './agent-retries';
import type { OwnershipAssurance, TraceHeaders } from '../provider';
import type { Secrets } from '../secrets/secrets';

/** What all HTTP endpoints of the process share. */
export interface EndpointParts {
  readonly http: HttpClient;
  readonly limiter: Limiter;
  readonly clock: Clock;
}

export interface EndpointSettings {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Endpoints with the same credential at the same origin share a limit. */
  readonly credential: string;
  readonly pace: Pace;
  readonly secrets: Secrets;
  /** Reads from a refusal's JSON what its status alone does not show; such a refusal is never retried. */
  readonly terminalCode: (status: number, json: unknown) => ErrorCode | null;
  /** A refusal that only means that capacity is exhausted for now: retried, whatever its status is. */
  readonly isAtCapacity?: (status: number, json: unknown) => boolean;
  readonly assureOwnership?: OwnershipAssurance | undefined;
  readonly traceHeaders?: TraceHeaders | undefined;
}

/** One request to the endpoint's server. */
export interface EndpointRequest {
  readonly method: HttpMethod;
  /** Path and query. */
  readonly path: string;
  /** Headers besides the endpoint's own, and in place of those with the same name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: HttpBody | null;
}

export interface Answer<T> {
  readonly value: T;
  /** From the first try until the whole answer arrived, retries included, without the wait for requests_per_minute. */
  readonly latencyMs: number;
  /** Number of tries, from 1. */
  readonly tries: number;
}

/** One address of a target agent. A call to it is paced, retried, bounded by the turn's deadline and classified. */
export class AgentEndpoint {
  private readonly path: string;
  private readonly key: string;
  private readonly headers: Readonly<Record<string, string>>;

  constructor(
    private readonly parts: EndpointParts,
    private readonly settings: EndpointSettings,
  ) {
    const { url, credential } = settings;
    this.path = url.pathname + url.search;
    this.key = limiterKey(url.origin, credential);
    this.headers = {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'agent-osce',
      ...settings.headers,
    };
  }

  /**
   * Posts JSON and reads the answer.
   * @param body built anew for every try
   * @param read turns the JSON of a 2xx into a value; null when it has another shape
   * @param revise as for `call`
   * @param jsonFrom the JSON of a 2xx, for servers that write it in another way
   * @throws ProviderError
   */
  post<T>(
    body: () => HttpBody | Promise<HttpBody>,
    read: (json: unknown) => T | null,
    signal: AbortSignal,
    revise?: (status: number, json: unknown) => boolean,
    jsonFrom: (response: HttpResponse) => unknown = (response) => jsonOf(response, this.settings.secrets),
  ): Promise<Answer<T>> {
    const { path, settings } = this;
    const headers = { 'content-type': 'application/json', ...settings.headers };
    const request = (content: HttpBody): EndpointRequest => ({ method: 'POST', path, headers, body: content });
    const make = (): EndpointRequest | Promise<EndpointRequest> => {
      const made = body();
      return made instanceof Promise ? made.then(request) : request(made);
    };
    const readJson = async (response: HttpResponse): Promise<T> => {
      const json = await jsonFrom(response);
      const value = read(json);
      if (value !== null) return value;
      throw (isErrorAnswer(json) ? errorAnswered : unexpectedAnswer)(response, settings.secrets);
    };
    return this.call(make, readJson, signal, revise);
  }

  /**
   * Sends a request and reads the answer.
   * @param make called anew for every try
   * @param read turns a 2xx into a value; what it throws is not retried unless it says so
   * @param revise sees a refusal's JSON before it counts as one; true when `make` now makes a different request, which is sent at once
   * @throws ProviderError
   */
  call<T>(
    make: () => EndpointRequest | Promise<EndpointRequest>,
    read: (response: HttpResponse) => T | Promise<T>,
    signal: AbortSignal,
    revise: (status: number, json: unknown) => boolean = () => false,
  ): Promise<Answer<T>> {
    const { clock, limiter } = this.parts;
    const { pace, assureOwnership } = this.settings;
    const began = clock.now();
    let inLine = 0;
    let tries = 0;
    const deadline = (): number => began + inLine + pace.turn_timeout_ms;

    const attempt = async (): Promise<Answer<T>> => {
      inLine += await limiter.admit(this.key, pace.requests_per_minute, deadline(), signal);
      const askedAt = clock.now();
      await assureOwnership?.(signal);
      // The time the database takes to answer is not the agent's either.
      inLine += clock.now() - askedAt;
      tries += 1;
      const made = make();
      const request = made instanceof Promise ? await made : made;
      const response = await this.send(request, deadline() - clock.now(), signal);
      const latencyMs = clock.now() - began - inLine;
      await ownTurn(response.text.length);
      if (response.status >= 200 && response.status < 300) {
        return { value: await read(response), latencyMs, tries };
      }
      const json = jsonOrNull(response);
      return revise(response.status, json) ? attempt() : Promise.reject(this.refused(response, json));
    };
    return withRetries(attempt, agentRetries({ maxRetries: pace.max_retries, deadline, clock, signal }));
  }

  private send(request: EndpointRequest, timeoutMs: number, signal: AbortSignal): Promise<HttpResponse> {
    if (timeoutMs <= 0) return Promise.reject(timedOut());
    const { url, traceHeaders } = this.settings;
    const own = { ...this.headers, ...request.headers };
    const headers = traceHeaders === undefined ? own : { ...withoutNamesOf(own, traceHeaders()), ...own };
    return this.parts.http.send({ ...request, origin: url.origin, headers, timeoutMs }, signal);
  }

  private refused(response: HttpResponse, json: unknown): ProviderError {
    const { terminalCode, isAtCapacity, secrets } = this.settings;
    const { clock, limiter } = this.parts;
    const finding =
      isAtCapacity?.(response.status, json) === true ? 'at_capacity' : terminalCode(response.status, json);
    const error = refusal(response, finding, secrets, clock.wallTime());
    if (error.disposition.kind === 'retryable' && error.disposition.retryAfterMs !== null) {
      limiter.hold(this.key, error.disposition.retryAfterMs, error);
    }
    return error;
  }
}

/** What an agent's config sets itself stays as it is set. */
function withoutNamesOf(
  own: Readonly<Record<string, string>>,
  added: ReturnType<TraceHeaders>,
): ReturnType<TraceHeaders> {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(added).filter(([name]) => !names.has(name.toLowerCase())));
}

/** The address of a resource below a configured one, whose query is kept (`…/deployments/x?api-version=…`). */
export function below(base: URL, resource: string): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, '')}/${resource}`;
  url.hash = '';
  return url;
}
