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
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export interface Failure {
  readonly code: ErrorCode;
  /** One sentence a user can act on; no secrets, no stack. */
  readonly message: string;
}

/** What an effect rejects with when it knows why: the host classifies errors before the chart sees them. */
export class EffectFailed extends Error {
  override readonly name = 'EffectFailed';

  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof EffectFailed) return error.failure;
  return { code: 'internal', message: 'The harness met an unexpected error; its log names the cause.' };
}
