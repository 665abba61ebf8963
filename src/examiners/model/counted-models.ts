import { createRequire } from 'node:module';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { type ModelConnection, fullNameOf } from '../../platform/config';
import { Egress } from '../../platform/egress';
import { type CallOutcome, Metrics } from '../../platform/telemetry';
import type * as Anthropic from './anthropic.model';
import { type CallLimits, LanguageModel, type AnswerFormat, type ModelAnswer, type Prompt } from './language-model';
import { ModelError, type ModelErrorKind } from './model-error';
import { ModelSpend } from './model-spend';
import type { ModelUsage, OnUsage } from './model-usage';
import type * as OpenAi from './openai.model';

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
class MeasuredModel extends LanguageModel {
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

/** What a language model is asked for. */
export type ModelUse = 'tester' | 'judge' | 'generator';

/** Makes the client for a model. */
export type MakeModel = (connection: ModelConnection) => LanguageModel;

/** Makes models whose calls, tokens and cost are counted: against the day's budget, and for the operator's metrics. */
@Injectable()
export class CountedModels {
  constructor(
    private readonly spend: ModelSpend,
    private readonly metrics: Metrics,
    private readonly egress: Egress,
  ) {}

  for(use: ModelUse): MakeModel {
    return (connection) => {
      const onUsage: OnUsage = (usage) => {
        this.spend.note(usage);
        this.note(use, fullNameOf(connection), usage);
      };
      const model = createModel(connection, onUsage, this.egress);
      return new MeasuredModel(model, () =>
        this.metrics.callBegan({ to: use, kind: connection.vendor, call: 'answer' }),
      );
    };
  }

  private note(to: ModelUse, model: string, usage: ModelUsage): void {
    const { metrics } = this;
    const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, costUsd, calls } = usage;
    metrics.count('osce_model_tokens_total', { to, model, kind: 'input' }, inputTokens);
    metrics.count('osce_model_tokens_total', { to, model, kind: 'cache_read' }, cacheReadTokens);
    metrics.count('osce_model_tokens_total', { to, model, kind: 'cache_write' }, cacheWriteTokens);
    metrics.count('osce_model_tokens_total', { to, model, kind: 'output' }, outputTokens);
    metrics.count('osce_model_answers_total', { to, model, priced: costUsd === null ? 'no' : 'yes' }, calls);
    if (costUsd !== null) metrics.count('osce_model_cost_usd_total', { to, model }, costUsd);
  }
}

/** The vendors' libraries are a thousand files: each is loaded for the models that the service may use, by an offline service none. */
const load: {
  (name: './anthropic.model'): typeof Anthropic;
  (name: './openai.model'): typeof OpenAi;
} = createRequire(__filename);

/** Loads the library of a vendor, which stops the event loop for a tenth of a second: at the start, not when a run first asks for a model. */
export function loadVendor(vendor: ModelConnection['vendor']): void {
  if (vendor === 'anthropic') load('./anthropic.model');
  else load('./openai.model');
}

/** The client for a model, speaking the API that its name's prefix stands for. */
export function createModel(connection: ModelConnection, onUsage?: OnUsage, egress?: Egress): LanguageModel {
  switch (connection.vendor) {
    case 'anthropic':
      return new (load('./anthropic.model').AnthropicModel)(connection, onUsage, egress);
    case 'openai':
      return new (load('./openai.model').OpenAiModel)(connection, onUsage, egress);
  }
}
