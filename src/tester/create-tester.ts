import type { Settings } from '../config/settings';
import type { TextThreads } from '../threads/text-threads';
import type { AnthropicOptions } from '../model/anthropic.model';
import { AnthropicScenarioGenerator } from './anthropic.generator';
import { AnthropicTester } from './anthropic.tester';
import { OfflineScenarioGenerator } from './offline.generator';
import { OfflineTester } from './offline.tester';
import type { ScenarioGenerator, Tester } from './tester';

/** Hears what each answer of the model cost. */
export type OnUsage = NonNullable<AnthropicOptions['onUsage']>;

export type TesterSettings = Pick<Settings, 'anthropicApiKey' | 'anthropicBaseUrl' | 'testerModel'>;

/** The tester these settings ask for. */
export function createTester(settings: TesterSettings, threads: TextThreads, onUsage?: OnUsage): Tester {
  const options = optionsOf(settings, onUsage);
  return options === null ? new OfflineTester(threads) : new AnthropicTester(options);
}

/** The tester's model writes scenarios too. */
export function createScenarioGenerator(
  settings: TesterSettings,
  threads: TextThreads,
  onUsage?: OnUsage,
): ScenarioGenerator {
  const options = optionsOf(settings, onUsage);
  return options === null ? new OfflineScenarioGenerator(threads) : new AnthropicScenarioGenerator(options);
}

function optionsOf(
  { anthropicApiKey, anthropicBaseUrl, testerModel }: TesterSettings,
  onUsage: OnUsage | undefined,
): AnthropicOptions | null {
  if (anthropicApiKey === null) return null;
  return { apiKey: anthropicApiKey, baseUrl: anthropicBaseUrl, model: testerModel, ...(onUsage && { onUsage }) };
}
