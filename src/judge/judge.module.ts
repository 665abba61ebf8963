import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { createJudge } from './create-judge';
import { Judge } from './judge';

/** The examiner: a language model when a key is set, else the offline one. */
@Global()
@Module({
  providers: [{ provide: Judge, useFactory: createJudge, inject: [Settings] }],
  exports: [Judge],
})
export class JudgeModule {}
