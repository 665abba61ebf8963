import { sentenceWithin } from './sentence';

/** Why a scenario run ended in `error`: always the harness, the network or the provider, never a verdict on the agent's care. */
export const ERROR_CODES = [
  'auth_failed',
  'not_found',
  'rate_limited',
  'provider_error',
  'provider_timeout',
  'empty_reply',
  'transport_unsupported',
  'connect_failed',
  'agent_not_joined',
  'config_invalid',
  'no_rubric',
  'grading_failed',
  'tester_failed',
  'speech_failed',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export interface Failure {
  readonly code: ErrorCode;
  /** One sentence a user can act on, of at most LONGEST_SENTENCE characters; no secrets, no stack. */
  readonly message: string;
}

/** What an effect rejects with when it knows why: the host classifies errors before the chart sees them. */
export class EffectFailed extends Error {
  override readonly name = 'EffectFailed';

  readonly failure: Failure;

  constructor(failure: Failure) {
    const bounded = boundedFailure(failure);
    super(bounded.message);
    this.failure = bounded;
  }
}

/** The failure with a message that is a sentence, whatever an agent, a library or a config of thousands of fields put into it. */
export function boundedFailure({ code, message }: Failure): Failure {
  return { code, message: sentenceWithin(message) };
}

export function failureOf(error: unknown): Failure {
  if (error instanceof EffectFailed) return error.failure;
  return { code: 'internal', message: 'The harness met an unexpected error; its log names the cause.' };
}
