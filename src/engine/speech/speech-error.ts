/** Why a sentence could not be spoken or heard. All are faults of the examination, and none is one of the agent. */
export const SPEECH_ERROR_KINDS = [
  'canceled',
  'timed_out',
  'engine_missing',
  'engine_failed',
  'voice_unknown',
  'unreachable',
  'key_refused',
  'model_unknown',
  'rate_limited',
  'overloaded',
  'request_refused',
  'answer_unusable',
  'control_clip_bad',
] as const;
export type SpeechErrorKind = (typeof SPEECH_ERROR_KINDS)[number];

/** A voice or an ear failed. The message is a sentence that names what to mend. */
export class SpeechError extends Error {
  override readonly name = 'SpeechError';

  constructor(
    readonly kind: SpeechErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Work with a signal that is aborted when one of the callers' is, or when the time is up. Linked by hand and cleared afterwards: AbortSignal.any
 * with a long-lived signal leaks memory on Node 20.
 *
 * @param late the sentence for time that is up
 * @throws SpeechError `canceled` or `timed_out`, whatever the work threw then; else what the work throws
 */
export async function withDeadline<Result>(
  milliseconds: number,
  signals: readonly AbortSignal[],
  late: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, milliseconds);
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
  const isAborted = () => signals.some(({ aborted }) => aborted);
  if (isAborted()) controller.abort();
  try {
    return await work(controller.signal);
  } catch (error) {
    if (isAborted()) throw new SpeechError('canceled', 'The speech was canceled.', { cause: error });
    if (isLate) throw new SpeechError('timed_out', late, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', onAbort);
  }
}
