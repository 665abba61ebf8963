import type { ErrorCode } from '../domain';
import type { HeardActs } from './heard-acts';
import type { Json } from './json-value';

export type Disposition =
  | { readonly kind: 'terminal' }
  | { readonly kind: 'retryable'; readonly retryAfterMs: number | null }
  | { readonly kind: 'canceled' };

/** Every way in which talking to a target agent can fail, classified once, at the adapter that saw it. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';

  constructor(
    readonly code: ErrorCode,
    /** A sentence a user can act on; secrets are removed before it gets here. */
    message: string,
    readonly disposition: Disposition = { kind: 'terminal' },
    options?: { cause?: unknown },
    /** What the agent's page showed at that moment, as JPEG; for kinds that have a page. */
    readonly screenshot: Uint8Array | null = null,
  ) {
    super(message, options);
  }

  /** The same failure with a screenshot. */
  showing(screenshot: Uint8Array | null): ProviderError {
    return new ProviderError(this.code, this.message, this.disposition, { cause: this.cause }, screenshot);
  }

  /** Worth another try; `retryAfterMs` is the minimum wait the other side asked for, null when it asked for none. */
  static retryable(
    code: ErrorCode,
    message: string,
    retryAfterMs: number | null = null,
    cause?: unknown,
  ): ProviderError {
    return new ProviderError(code, message, { kind: 'retryable', retryAfterMs }, { cause });
  }

  /** The caller's signal was aborted: no caller waits for an answer, so the code is never shown. */
  static canceled(): ProviderError {
    return new ProviderError('internal', 'The call to the agent was canceled.', { kind: 'canceled' });
  }
}

/**
 * In place of a reply: the agent ended the conversation by a deliberate act of its own (docs/providers.md, "The agent may hang
 * up"). Where a conversation has to go on it is a failure like any other.
 */
export class AgentHungUp extends ProviderError {
  /**
   * @param isUnanswered false when it had done so before the message was sent
   * @param acts what the agent did in place of a reply; null where its answer tells nothing
   * @param metadata what is kept of that: `RedactingProvider` makes it of the acts
   */
  constructor(
    readonly isUnanswered = true,
    readonly acts: HeardActs | null = null,
    readonly metadata: Readonly<Record<string, Json>> = {},
  ) {
    super('provider_error', 'The agent ended the conversation instead of answering.');
  }
}
