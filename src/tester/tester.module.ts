import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { createScenarioGenerator, createTester } from './create-tester';
import { ScenarioGenerator, Tester } from './tester';

/** The patient and the writer of scenarios: a language model when a key is set, else the offline ones. */
@Global()
@Module({
  providers: [
    { provide: Tester, useFactory: createTester, inject: [Settings] },
    { provide: ScenarioGenerator, useFactory: createScenarioGenerator, inject: [Settings] },
  ],
  exports: [Tester, ScenarioGenerator],
})
export class TesterModule {}
