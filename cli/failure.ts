/** Why a command cannot do what it was asked: one sentence for the person or the log. Exit code 2. */
export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure';
}

/** The command line, a file or a setting is wrong; trying again changes nothing. */
export class UsageFailure extends CommandFailure {
  override readonly name = 'UsageFailure';
}

/** The service was not reached, or did not answer in time. */
export class UnreachableFailure extends CommandFailure {
  override readonly name: string = 'UnreachableFailure';

  /** @param isUnsent true when the request certainly never arrived, so that sending it again cannot take effect twice */
  constructor(
    message: string,
    readonly isUnsent: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The service was reached and then sent nothing for too long. */
export class SilentFailure extends UnreachableFailure {
  override readonly name = 'SilentFailure';

  constructor(message: string) {
    super(message, false);
  }
}

/** The service answered with an error. */
export class RefusedFailure extends CommandFailure {
  override readonly name = 'RefusedFailure';

  constructor(
    message: string,
    readonly status: number,
    /** Milliseconds after which the service asks to be tried again; null when it does not say. */
    readonly retryAfterMs: number | null,
  ) {
    super(message);
  }
}

/** The command was interrupted. The message says what was and was not done. */
export class InterruptedFailure extends CommandFailure {
  override readonly name = 'InterruptedFailure';
}

/** The sentence of any error; for an unexpected one the stack too. */
export function sentenceOf(error: unknown): string {
  if (error instanceof CommandFailure) return error.message;
  return `Unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
