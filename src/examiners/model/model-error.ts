import { Needle } from '../../domain';
import type { ProxyFailure } from '../../platform/egress';
import { retryAfterMs } from '../../platform/outbound';
import type { CallLimits } from './language-model';
import { NO_USAGE, sumOfUsage, type ModelUsage } from './model-usage';

/** Why a call to a language model failed. Only the last two are about what the model said. */
export const MODEL_ERROR_KINDS = [
  'canceled',
  'timed_out',
  'unreachable',
  'key_refused',
  'model_unknown',
  'rate_limited',
  'overloaded',
  'request_refused',
  'answer_refused',
  'answer_unusable',
] as const;
export type ModelErrorKind = (typeof MODEL_ERROR_KINDS)[number];

/** A call to a language model failed. The message is a sentence a user can act on. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  /** The usage of the call's answers, which are paid for although none could be used. */
  readonly usage: ModelUsage;

  constructor(
    readonly kind: ModelErrorKind,
    message: string,
    { usage = NO_USAGE, ...options }: ErrorOptions & { usage?: ModelUsage } = {},
  ) {
    super(message, options);
    this.usage = usage;
  }
}

/** What the answers of a failed call had cost, from the error itself or the model's error that caused it. */
export function usageBefore(error: unknown): ModelUsage {
  const failed = error instanceof Error && !(error instanceof ModelError) ? error.cause : error;
  return failed instanceof ModelError ? failed.usage : NO_USAGE;
}

export interface CallEnd {
  readonly canceled: boolean;
  readonly expired: boolean;
  readonly limits: CallLimits;
  /** By the answers of this call that came. */
  readonly spent: ModelUsage;
  readonly names: ServerNames;
  /** Never shown, even if the server repeats them. */
  readonly secrets: readonly string[];
  /** What the vendor's SDK means by its error; null when the error is not the SDK's. */
  readonly faultOf: (error: unknown) => CallFault | null;
}

/** The classified error, with its sentence, for whatever an SDK or our own check of the answer threw. */
export function classified(error: unknown, end: CallEnd): ModelError {
  const { canceled, expired, limits, names, secrets, faultOf } = end;
  const usage = sumOfUsage(end.spent, usageBefore(error));
  const failed = ([kind, message]: Failed): ModelError => new ModelError(kind, message, { cause: error, usage });
  if (canceled) return failed(['canceled', 'The call to the language model was canceled.']);
  if (expired) {
    const time = `${limits.overallMs / 1000} s, retries of rate limits and overload included`;
    return failed(['timed_out', `${names.model} gave no answer within ${time}.`]);
  }
  if (error instanceof ModelError) return failed([error.kind, error.message]);
  const fault = faultOf(error);
  if (fault === null) return failed(['answer_unusable', `The answer of ${names.model} could not be read.`]);
  return failed(fault.kind === 'refused' ? refusalOf(fault, names, secrets) : lossOf(fault, names, limits));
}

type Failed = readonly [kind: ModelErrorKind, message: string];
type RefusedCall = Extract<CallFault, { kind: 'refused' }>;

function lossOf(
  fault: Exclude<CallFault, RefusedCall>,
  { server, model, addressVariable }: ServerNames,
  { attemptMs }: CallLimits,
): Failed {
  switch (fault.kind) {
    case 'silent':
      return ['timed_out', `${model} gave no answer within ${attemptMs / 1000} s, several times.`];
    case 'unreachable':
      return ['unreachable', `${server} cannot be reached; check the network and ${addressVariable}.`];
    case 'proxy':
      return ['unreachable', fault.failure.message];
    case 'too_long':
      return ['answer_unusable', `The answer of ${model} is longer than what is read of one.`];
  }
}

function refusalOf(
  fault: RefusedCall,
  { server, model, keyVariable, addressVariable }: ServerNames,
  secrets: readonly string[],
): Failed {
  const { status } = fault;
  const reason = fault.reason === null ? '' : `: ${quoted(fault.reason, secrets)}`;
  if (status === 401 || status === 403) {
    return ['key_refused', `${server} refused the key (${status}); check ${keyVariable}.`];
  }
  if (status === 404) {
    return [
      'model_unknown',
      `${server} does not know ${model}; check TESTER_MODEL, JUDGE_MODEL and ${addressVariable}.`,
    ];
  }
  if (fault.isQuotaSpent)
    return ['rate_limited', `${server} says that the account's quota is spent (${status})${reason}.`];
  if (status === 429) {
    return ['rate_limited', `${server} limits the rate of calls, also after retries; lower concurrency_limit.`];
  }
  if (status >= 500) return ['overloaded', `${server} failed or is overloaded (${status}), also after retries.`];
  return ['request_refused', `${server} refused the request (${status}) for ${model}${reason}.`];
}

const MAX_REASON_CHARACTERS = 200;

/** The server's own sentence on one line, without its full stop. */
function quoted(reason: string, secrets: readonly string[]): string {
  const clean = secrets.reduce((text, secret) => new Needle(secret).replaceIn(text, '…'), reason);
  const sentence = clean.slice(0, MAX_REASON_CHARACTERS);
  return sentence
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trimEnd()
    .replace(/\.{1,3}$/, '');
}

/** What went wrong on the way to an answer, whichever SDK reports it. */
export type CallFault =
  /** No attempt was answered in its time. */
  | { readonly kind: 'silent' }
  /** No connection, or a broken one. */
  | { readonly kind: 'unreachable' }
  /** A forward proxy of the deployment stands in the way. */
  | { readonly kind: 'proxy'; readonly failure: ProxyFailure }
  | { readonly kind: 'too_long' }
  | Refused;

interface Refused {
  readonly kind: 'refused';
  readonly status: number;
  /** The server's own words, unchanged; null when it gave none. */
  readonly reason: string | null;
  /** The account's quota is spent, or it was never paid for: waiting does not help. */
  readonly isQuotaSpent: boolean;
  /** What the server asks for; null where it asks for nothing. */
  readonly retryAfterMs: number | null;
  readonly shouldRetry: boolean | null;
}

/** How sentences refer to a server, and which settings they point to. */
export interface ServerNames {
  /** Begins a sentence: `The Messages API`. */
  readonly server: string;
  readonly model: string;
  readonly keyVariable: string;
  readonly addressVariable: string;
}

/** @param headers of the answer; both vendors' APIs send `x-should-retry`, and their SDKs obey it */
export function refused(
  status: number,
  headers: Headers | undefined,
  { reason, isQuotaSpent }: Pick<Refused, 'reason' | 'isQuotaSpent'>,
): CallFault {
  const named = (name: string): string | undefined => headers?.get(name) ?? undefined;
  const wishes = { 'retry-after-ms': named('retry-after-ms'), 'retry-after': named('retry-after') };
  const should = named('x-should-retry');
  return {
    kind: 'refused',
    status,
    reason,
    isQuotaSpent,
    retryAfterMs: retryAfterMs(wishes, Date.now()),
    shouldRetry: should === 'true' ? true : should === 'false' ? false : null,
  };
}

/** How long to wait at least before another attempt, in milliseconds; null when another would fail in the same way. */
export function waitAfter(fault: CallFault): number | null {
  if (fault.kind === 'too_long') return null;
  if (fault.kind === 'proxy') return fault.failure.isPassing ? 0 : null;
  if (fault.kind !== 'refused') return 0;
  const { status, isQuotaSpent, shouldRetry } = fault;
  const isPassing = status === 408 || status === 409 || status === 429 || (status >= 500 && status !== 501);
  return (shouldRetry ?? isPassing) && !isQuotaSpent ? (fault.retryAfterMs ?? 0) : null;
}
