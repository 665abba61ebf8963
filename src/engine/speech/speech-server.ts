import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI, { APIConnectionError, APIError } from 'openai';
import { z } from 'zod';
import { Needle } from '../../domain';
import type { SpeechServer } from '../../platform/config';
import { ProxyFailure, type Egress } from '../../platform/egress';
import { leastWaitMs, retryAfterMs, withRetries } from '../../platform/outbound';
import { SpeechError, withDeadline } from './speech-error';
import { AnswerTooLong, SpeechTransport } from './speech.transport';

export interface ServerLimits {
  /** For one attempt, until its answer is whole. */
  readonly attemptMs: number;
  /** For all attempts and the waits between them. */
  readonly overallMs: number;
  readonly mostBytes: number;
}

const MOST_RETRIES = 3;
const LONGEST_WISH_MS = 60_000;
const MOST_REASON_CHARACTERS = 200;

/** What an attempt is given: the SDK, and the options of its call. */
export interface Attempt {
  readonly client: OpenAI;
  readonly options: { readonly timeout: number; readonly signal: AbortSignal };
}

/** Calls of one server: their time limits, their retries, and one sentence for whatever goes wrong. */
export class SpeechServerClient {
  /** For sentences: `The speech server speech.example:8080`. */
  readonly name: string;
  private readonly client: OpenAI;
  private readonly transport: SpeechTransport;
  private readonly closing = new AbortController();
  private readonly secrets: readonly string[];

  /** @param what the server is, as sentences call it */
  constructor(
    private readonly server: SpeechServer,
    what: string,
    private readonly limits: ServerLimits,
    egress?: Egress,
  ) {
    const { baseUrl, apiKey } = server;
    this.name = `The ${what} ${new URL(baseUrl).host}`;
    this.secrets = [...(apiKey === null ? [] : [apiKey]), ...(egress?.secrets ?? [])];
    this.transport = new SpeechTransport(baseUrl, limits.mostBytes, egress);
    this.client = new OpenAI({
      apiKey: apiKey ?? 'none',
      baseURL: baseUrl,
      // Variables that the environment holds for other uses are ignored.
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      defaultHeaders: { authorization: apiKey === null ? null : `Bearer ${apiKey}` },
      maxRetries: 0,
      fetch: this.transport.fetch,
      // It would print what the patient says.
      logLevel: 'off',
    });
  }

  /**
   * @param attempt may throw a SpeechError for an answer that cannot be used: that is final
   * @throws SpeechError
   */
  async ask<Result>(attempt: (given: Attempt) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const { attemptMs, overallMs } = this.limits;
    const late = `${this.name} gave no answer within ${overallMs / 1_000} s, retries included; see that it runs, and check ${this.server.variables.url}.`;
    return withDeadline(overallMs, [signal, this.closing.signal], late, async (linked) => {
      const once = () =>
        withDeadline(attemptMs, [linked], this.silence(attemptMs), (within) =>
          attempt({ client: this.client, options: { timeout: attemptMs + 1_000, signal: within } }),
        );
      try {
        return await withRetries(once, {
          maxRetries: MOST_RETRIES,
          waitBefore: (retry, error) => (linked.aborted ? null : waitMs(retry, error)),
          sleep: (ms) => sleep(ms, undefined, { signal: linked }),
        });
      } catch (error) {
        throw this.classified(error);
      }
    });
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.transport.close();
  }

  private silence(attemptMs: number): string {
    return `${this.name} gave no whole answer within ${attemptMs / 1_000} s: see that it runs, and check ${this.server.variables.url}.`;
  }

  private classified(error: unknown): SpeechError {
    if (error instanceof SpeechError) return error;
    const failed = (kind: SpeechError['kind'], message: string) => new SpeechError(kind, message, { cause: error });
    const { url, key, model } = this.server.variables;
    if (error instanceof APIConnectionError) {
      const cause = causeOf(error);
      if (cause instanceof ProxyFailure) return failed('unreachable', cause.message);
      if (cause instanceof AnswerTooLong) {
        const most = Math.round(this.limits.mostBytes / 1_000_000);
        return failed('answer_unusable', `${this.name} answered with more than ${most} MB, which is not read.`);
      }
      return failed('unreachable', `${this.name} cannot be reached; check the network and ${url}.`);
    }
    if (!isRefusal(error)) {
      return failed('answer_unusable', `${this.name} answered with something that cannot be read; check ${url}.`);
    }
    const { status } = error;
    const reason = this.reasonOf(error);
    if (status === 401 || status === 403) {
      return failed('key_refused', `${this.name} refused the key (${status}); check ${key}.`);
    }
    if (status === 404) {
      return failed(
        'model_unknown',
        `${this.name} does not know the address or the model (404)${reason}; check ${url} and ${model}.`,
      );
    }
    if (status === 429) return failed('rate_limited', `${this.name} limits the rate of calls (429)${reason}.`);
    if (status >= 500) return failed('overloaded', `${this.name} failed or is overloaded (${status})${reason}.`);
    return failed('request_refused', `${this.name} refused the request (${status})${reason}; check ${model}.`);
  }

  /** The server's own words on one line, without a key that it repeats. */
  private reasonOf({ error }: APIError): string {
    const said = vendorError.safeParse(error).data?.message;
    if (said === undefined || said.trim() === '') return '';
    const clean = this.secrets.reduce((text, secret) => new Needle(secret).replaceIn(text, '…'), said.slice(0, 2_000));
    const line = clean.replaceAll(/[\s\p{Cc}]+/gu, ' ').slice(0, MOST_REASON_CHARACTERS);
    return `: ${line.trim().replace(/\.{1,3}$/, '')}`;
  }
}

const vendorError = z.object({ message: z.string() });

type Refusal = APIError & { readonly status: number };

/** Whether the server answered with a status that is no success. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof APIError && typeof error.status === 'number';
}

/** Of an error of the SDK: it wraps what the transport threw. */
function causeOf(error: Error): unknown {
  const { cause } = error;
  return cause instanceof Error && cause.cause instanceof Error && cause.name === 'TypeError' ? cause.cause : cause;
}

/** How long to wait before another attempt; null where another would fail in the same way. */
function waitMs(retry: number, error: unknown): number | null {
  if (error instanceof SpeechError) return null;
  if (error instanceof APIConnectionError) return isPassing(causeOf(error)) ? withChance(leastWaitMs(retry)) : null;
  if (!isRefusal(error)) return null;
  const { status, headers } = error;
  const named = (name: string): string | undefined => headers?.get(name) ?? undefined;
  const should = named('x-should-retry');
  const mayPass = status === 408 || status === 409 || status === 429 || (status >= 500 && status !== 501);
  if (!(should === undefined ? mayPass : should === 'true')) return null;
  const wishes = { 'retry-after-ms': named('retry-after-ms'), 'retry-after': named('retry-after') };
  return withChance(Math.min(LONGEST_WISH_MS, retryAfterMs(wishes, Date.now()) ?? leastWaitMs(retry)));
}

function isPassing(cause: unknown): boolean {
  return cause instanceof ProxyFailure ? cause.isPassing : !(cause instanceof AnswerTooLong);
}

const withChance = (ms: number) => ms * (1 + Math.random());
