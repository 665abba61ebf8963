import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { createScenarioGenerator, createTester } from './create-tester';
import { ModelSpend } from './model-spend';
import { ScenarioGenerator, Tester } from './tester';

/** The patient and the writer of scenarios: a language model when a key is set, else the offline ones. */
@Global()
@Module({
  providers: [
    ModelSpend,
    {
      provide: Tester,
      useFactory: (settings: Settings, spend: ModelSpend) => createTester(settings, (usage) => spend.note(usage)),
      inject: [Settings, ModelSpend],
    },
    {
      provide: ScenarioGenerator,
      useFactory: (settings: Settings, spend: ModelSpend) =>
        createScenarioGenerator(settings, (usage) => spend.note(usage)),
      inject: [Settings, ModelSpend],
    },
  ],
  exports: [ModelSpend, Tester, ScenarioGenerator],
})
export class TesterModule {}
