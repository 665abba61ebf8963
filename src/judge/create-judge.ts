import type { Settings } from '../config/settings';
import type { AnthropicOptions } from '../tester/anthropic.model';
import { AnthropicJudge } from './anthropic.judge';
import type { Judge } from './judge';
import { OfflineJudge } from './offline.judge';

/** The judge these settings ask for. */
export function createJudge(
  {
    anthropicApiKey,
    anthropicBaseUrl,
    judgeModel,
  }: Pick<Settings, 'anthropicApiKey' | 'anthropicBaseUrl' | 'judgeModel'>,
  onUsage?: AnthropicOptions['onUsage'],
): Judge {
  if (anthropicApiKey === null) return new OfflineJudge();
  return new AnthropicJudge({
    apiKey: anthropicApiKey,
    baseUrl: anthropicBaseUrl,
    model: judgeModel,
    ...(onUsage && { onUsage }),
  });
}
