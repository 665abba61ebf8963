import { Global, Module } from '@nestjs/common';
import { type ModelConnection, Settings } from '../../platform/config';
import { CountedModels, createModel, type MakeModel } from '../model/counted-models';
import { TextThreads } from '../threads/text-threads';
import { LanguageModelScenarioGenerator } from './language-model.generator';
import { LanguageModelTester } from './language-model.tester';
import { OfflineScenarioGenerator, OfflineTester } from './offline.tester';
import { ScenarioGenerator, Tester, Testers } from './tester';

/** The patient and the scenario generator: the configured language model, or else the offline ones; and their threads. */
@Global()
@Module({
  providers: [
    TextThreads,
    {
      provide: Tester,
      useFactory: (settings: Settings, models: CountedModels, threads: TextThreads) =>
        createTester(settings.examiners.tester, threads, models.for('tester')),
      inject: [Settings, CountedModels, TextThreads],
    },
    {
      provide: ScenarioGenerator,
      useFactory: (settings: Settings, models: CountedModels, threads: TextThreads) =>
        createScenarioGenerator(settings.examiners.tester, threads, models.for('generator')),
      inject: [Settings, CountedModels, TextThreads],
    },
    {
      provide: Testers,
      useFactory: ({ examiners: { tester, allowed } }: Settings, standard: Tester, models: CountedModels) =>
        new Testers({
          role: 'tester',
          standard,
          configured: tester,
          allowed,
          make: (model) => new LanguageModelTester(model),
          create: models.for('tester'),
        }),
      inject: [Settings, Tester, CountedModels],
    },
  ],
  exports: [Tester, Testers, ScenarioGenerator, TextThreads],
})
export class TesterModule {}

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
