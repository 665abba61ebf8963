import type { ModelConnection } from '../../platform/config/examiner-models';
import { createModel } from '../model/create-model';
import type { MakeModel } from '../model/counted-models';
import type { TextThreads } from '../threads/text-threads';
import { LanguageModelScenarioGenerator } from './language-model.generator';
import { LanguageModelTester } from './language-model.tester';
import { OfflineScenarioGenerator } from './offline.generator';
import { OfflineTester } from './offline.tester';
import type { ScenarioGenerator, Tester } from './tester';

/** A tester that uses this model; the offline one if there is none. */
export function createTester(
  connection: ModelConnection | null,
  threads: TextThreads,
  create: MakeModel = createModel,
): Tester {
  return connection === null ? new OfflineTester(threads) : new LanguageModelTester(create(connection));
}

/** The tester's model writes scenarios too. */
export function createScenarioGenerator(
  connection: ModelConnection | null,
  threads: TextThreads,
  create: MakeModel = createModel,
): ScenarioGenerator {
  if (connection === null) return new OfflineScenarioGenerator(threads);
  return new LanguageModelScenarioGenerator(create(connection));
}
