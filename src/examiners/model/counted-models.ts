import { Injectable } from '@nestjs/common';
import type { ModelConnection } from '../../platform/config/examiner-models';
import { fullNameOf } from '../../platform/config/model-name';
import { Metrics } from '../../platform/telemetry/metrics/metrics';
import { createModel } from './create-model';
import type { LanguageModel } from './language-model';
import { MeasuredModel } from './measured.model';
import { ModelSpend } from './model-spend';
import type { ModelUsage } from './model-usage';

/** What a language model is asked for. */
export type ModelUse = 'tester' | 'judge' | 'generator';

/** Makes the client for a model. */
export type MakeModel = (connection: ModelConnection) => LanguageModel;

/** Makes models whose calls, tokens and cost are counted: against the day's budget, and for whoever watches. */
@Injectable()
export class CountedModels {
  constructor(
    private readonly spend: ModelSpend,
    private readonly metrics: Metrics,
  ) {}

  for(use: ModelUse): MakeModel {
    return (connection) => {
      const model = createModel(connection, (usage) => {
        this.spend.note(usage);
        this.note(use, fullNameOf(connection), usage);
      });
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
