import { Global, Module } from '@nestjs/common';
import { Settings } from '../../platform/config/settings';
import { TextThreads } from '../threads/text-threads';
import { LanguageModelTester } from './language-model.tester';
import { createScenarioGenerator, createTester } from './create-tester';
import { CountedModels } from '../model/counted-models';
import { ScenarioGenerator, Tester } from './tester';
import { Testers } from './testers';

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
