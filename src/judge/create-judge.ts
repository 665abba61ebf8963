import type { Settings } from '../config/settings';
import { AnthropicModel, type AnthropicOptions } from '../model/anthropic.model';
import type { TextThreads } from '../threads/text-threads';
import type { Judge } from './judge';
import { LanguageModelJudge } from './language-model.judge';
import { OfflineJudge } from './offline.judge';

export type JudgeSettings = Pick<Settings, 'anthropicApiKey' | 'anthropicBaseUrl' | 'judgeModel'>;

/** The judge these settings ask for. */
export function createJudge(
  { anthropicApiKey, anthropicBaseUrl, judgeModel }: JudgeSettings,
  threads: TextThreads,
  onUsage?: AnthropicOptions['onUsage'],
): Judge {
  if (anthropicApiKey === null) return new OfflineJudge(threads);
  const model = new AnthropicModel({
    apiKey: anthropicApiKey,
    baseUrl: anthropicBaseUrl,
    model: judgeModel,
    ...(onUsage && { onUsage }),
  });
  return new LanguageModelJudge(model);
}
