import type { z } from 'zod';
import type { CallOutcome } from '../../platform/telemetry/metrics/call-outcome';
import type { CallLimits } from './call-deadline';
import { LanguageModel, type AnswerFormat, type ModelAnswer, type Prompt } from './language-model';
import { ModelError, type ModelErrorKind } from './model-error';
import type { ModelUsage } from './model-usage';

const OUTCOMES: Readonly<Record<ModelErrorKind, CallOutcome>> = {
  canceled: 'canceled',
  timed_out: 'timed_out',
  unreachable: 'unreachable',
  key_refused: 'key_refused',
  model_unknown: 'misconfigured',
  rate_limited: 'rate_limited',
  overloaded: 'failed',
  request_refused: 'refused',
  answer_refused: 'refused',
  answer_unusable: 'unusable',
};

/** Any model, its calls counted and timed. */
export class MeasuredModel extends LanguageModel {
  override readonly vendor: string;
  override readonly name: string;

  /** @param begin called when a call begins; what it returns is called when it has ended */
  constructor(
    private readonly inner: LanguageModel,
    private readonly begin: () => (outcome: CallOutcome) => void,
  ) {
    super();
    this.vendor = inner.vendor;
    this.name = inner.name;
  }

  override write(
    prompt: Prompt,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly usage: ModelUsage }> {
    return this.measured(() => this.inner.write(prompt, limits, signal));
  }

  override answer<Schema extends z.ZodType>(
    prompt: Prompt,
    format: AnswerFormat<Schema>,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<ModelAnswer<z.output<Schema>>> {
    return this.measured(() => this.inner.answer(prompt, format, limits, signal));
  }

  override close(): Promise<void> {
    return this.inner.close();
  }

  private async measured<Result>(call: () => Promise<Result>): Promise<Result> {
    const ended = this.begin();
    try {
      const result = await call();
      ended('ok');
      return result;
    } catch (error) {
      ended(error instanceof ModelError ? OUTCOMES[error.kind] : 'failed');
      throw error;
    }
  }
}
