import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { createTester } from './create-tester';
import { Tester } from './tester';

/** The patient and the writer of scenarios: a language model when a key is set, else the offline ones. */
@Global()
@Module({
  providers: [{ provide: Tester, useFactory: createTester, inject: [Settings] }],
  exports: [Tester],
})
export class TesterModule {}
