import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  AuthenticationError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from '@anthropic-ai/sdk';
import { z } from 'zod';
import type { CallLimits } from './call-deadline';

/** Why a call to a language model came to nothing. Only the last two are about what the model said. */
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

  constructor(
    readonly kind: ModelErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface CallEnd {
  readonly canceled: boolean;
  readonly expired: boolean;
  readonly limits: CallLimits;
  /** Never shown, should the other side repeat it. */
  readonly secret: string;
}

/** The sentence for what the SDK, or our own check of the answer, threw. */
export function classified(error: unknown, model: string, { canceled, expired, limits, secret }: CallEnd): ModelError {
  const failed = (kind: ModelErrorKind, message: string): ModelError => new ModelError(kind, message, { cause: error });
  if (canceled) return failed('canceled', 'The call to the language model was canceled.');
  if (expired) {
    const seconds = limits.overallMs / 1000;
    return failed(
      'timed_out',
      `${model} gave no answer within ${seconds} s, retries of rate limits and overload included.`,
    );
  }
  if (error instanceof ModelError) return error;
  if (error instanceof APIConnectionTimeoutError) {
    return failed('timed_out', `${model} gave no answer within ${limits.attemptMs / 1000} s, several times.`);
  }
  if (error instanceof APIConnectionError) {
    return failed('unreachable', 'The Messages API cannot be reached; check the network and ANTHROPIC_BASE_URL.');
  }
  if (error instanceof AuthenticationError || error instanceof PermissionDeniedError) {
    return failed('key_refused', `The Messages API refused the key (${error.status}); check ANTHROPIC_API_KEY.`);
  }
  if (error instanceof NotFoundError) {
    return failed(
      'model_unknown',
      `The Messages API does not know ${model}; check TESTER_MODEL, JUDGE_MODEL and ANTHROPIC_BASE_URL.`,
    );
  }
  if (error instanceof RateLimitError) {
    return failed(
      'rate_limited',
      'The Messages API limits the rate of calls, also after retries; lower concurrency_limit.',
    );
  }
  if (error instanceof InternalServerError) {
    return failed('overloaded', `The Messages API failed or is overloaded (${error.status}), also after retries.`);
  }
  if (error instanceof APIError && error.status !== undefined) {
    const reason = reasonOf(error.error, secret);
    return failed('request_refused', `The Messages API refused the request (${error.status}) for ${model}${reason}.`);
  }
  return failed('answer_unusable', `The answer of ${model} could not be read.`);
}

const vendorError = z.object({ error: z.object({ message: z.string() }) });
const MAX_REASON_CHARACTERS = 200;

/** The vendor's own sentence, for a request it refuses: an empty account, an unknown setting. */
function reasonOf(body: unknown, secret: string): string {
  const read = vendorError.safeParse(body);
  if (!read.success) return '';
  const sentence = read.data.error.message.replaceAll(secret, '…').slice(0, MAX_REASON_CHARACTERS);
  return `: ${sentence.replaceAll(/[\s\p{Cc}]+/gu, ' ').replace(/[.\s]+$/, '')}`;
}
