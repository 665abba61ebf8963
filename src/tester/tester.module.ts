import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { TextThreads } from '../threads/text-threads';
import { LanguageModelTester } from './language-model.tester';
import { createScenarioGenerator, createTester } from './create-tester';
import { ModelSpend } from '../model/model-spend';
import { ScenarioGenerator, Tester } from './tester';
import { Testers } from './testers';

/** The patient and the scenario generator: the configured language model, or else the offline ones; and their threads. */
@Global()
@Module({
  providers: [
    TextThreads,
    {
      provide: Tester,
      useFactory: (settings: Settings, spend: ModelSpend, threads: TextThreads) =>
        createTester(settings.examiners.tester, threads, (usage) => spend.note(usage)),
      inject: [Settings, ModelSpend, TextThreads],
    },
    {
      provide: ScenarioGenerator,
      useFactory: (settings: Settings, spend: ModelSpend, threads: TextThreads) =>
        createScenarioGenerator(settings.examiners.tester, threads, (usage) => spend.note(usage)),
      inject: [Settings, ModelSpend, TextThreads],
    },
    {
      provide: Testers,
      useFactory: ({ examiners: { tester, allowed } }: Settings, standard: Tester, spend: ModelSpend) =>
        new Testers({
          role: 'tester',
          standard,
          configured: tester,
          allowed,
          make: (model) => new LanguageModelTester(model),
          onUsage: (usage) => spend.note(usage),
        }),
      inject: [Settings, Tester, ModelSpend],
    },
  ],
  exports: [Tester, Testers, ScenarioGenerator, TextThreads],
})
export class TesterModule {}
