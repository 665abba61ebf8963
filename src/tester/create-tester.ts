import type { Settings } from '../config/settings';
import { AnthropicTester } from './anthropic.tester';
import { OfflineTester } from './offline.tester';
import type { Tester } from './tester';

/** The tester these settings ask for. */
export function createTester({
  anthropicApiKey,
  anthropicBaseUrl,
  testerModel,
}: Pick<Settings, 'anthropicApiKey' | 'anthropicBaseUrl' | 'testerModel'>): Tester {
  if (anthropicApiKey === null) return new OfflineTester();
  return new AnthropicTester({ apiKey: anthropicApiKey, baseUrl: anthropicBaseUrl, model: testerModel });
}
