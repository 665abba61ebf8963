import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { TextThreads } from '../threads/text-threads';
import { createScenarioGenerator, createTester } from './create-tester';
import { ModelSpend } from '../model/model-spend';
import { ScenarioGenerator, Tester } from './tester';

/** The patient and the writer of scenarios: a language model when a key is set, else the offline ones; and their threads. */
@Global()
@Module({
  providers: [
    TextThreads,
    {
      provide: Tester,
      useFactory: (settings: Settings, spend: ModelSpend, threads: TextThreads) =>
        createTester(settings, threads, (usage) => spend.note(usage)),
      inject: [Settings, ModelSpend, TextThreads],
    },
    {
      provide: ScenarioGenerator,
      useFactory: (settings: Settings, spend: ModelSpend, threads: TextThreads) =>
        createScenarioGenerator(settings, threads, (usage) => spend.note(usage)),
      inject: [Settings, ModelSpend, TextThreads],
    },
  ],
  exports: [Tester, ScenarioGenerator, TextThreads],
})
export class TesterModule {}
