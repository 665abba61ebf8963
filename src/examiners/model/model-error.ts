import { Needle } from '../../domain/text-search';
import type { CallFault, ServerNames } from './call-fault';
import type { CallLimits } from './call-deadline';
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
  /** Of the call's answers, which are paid for although none could be used. */
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

/** What answers that came to nothing had cost before an error, or before the model's error that caused it. */
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
  /** Never shown, even if the server repeats it. */
  readonly secret: string;
  /** What the vendor's SDK means by its error; null when the error is not the SDK's. */
  readonly faultOf: (error: unknown) => CallFault | null;
}

/** The classified error, with its sentence, for whatever an SDK or our own check of the answer threw. */
export function classified(error: unknown, end: CallEnd): ModelError {
  const { canceled, expired, limits, names, secret, faultOf } = end;
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
  return failed(fault.kind === 'refused' ? refusalOf(fault, names, secret) : lossOf(fault, names, limits));
}

type Failed = readonly [kind: ModelErrorKind, message: string];
type Refused = Extract<CallFault, { kind: 'refused' }>;

function lossOf(
  { kind }: Exclude<CallFault, Refused>,
  { server, model, addressVariable }: ServerNames,
  { attemptMs }: CallLimits,
): Failed {
  switch (kind) {
    case 'silent':
      return ['timed_out', `${model} gave no answer within ${attemptMs / 1000} s, several times.`];
    case 'unreachable':
      return ['unreachable', `${server} cannot be reached; check the network and ${addressVariable}.`];
    case 'too_long':
      return ['answer_unusable', `The answer of ${model} is longer than what is read of one.`];
  }
}

function refusalOf(
  fault: Refused,
  { server, model, keyVariable, addressVariable }: ServerNames,
  secret: string,
): Failed {
  const { status } = fault;
  const reason = fault.reason === null ? '' : `: ${quoted(fault.reason, secret)}`;
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
function quoted(reason: string, secret: string): string {
  const sentence = new Needle(secret).replaceIn(reason, '…').slice(0, MAX_REASON_CHARACTERS);
  return sentence
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trimEnd()
    .replace(/\.{1,3}$/, '');
}
