import type { ModelConnection } from '../../platform/config/examiner-models';
import { AnthropicModel } from './anthropic.model';
import type { LanguageModel } from './language-model';
import type { OnUsage } from './model-usage';
import { OpenAiModel } from './openai.model';

/** The client for a model, speaking the API that its name's prefix stands for. */
export function createModel(connection: ModelConnection, onUsage?: OnUsage): LanguageModel {
  switch (connection.vendor) {
    case 'anthropic':
      return new AnthropicModel(connection, onUsage);
    case 'openai':
      return new OpenAiModel(connection, onUsage);
  }
}
