import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { ModelSpend } from '../tester/model-spend';
import { createJudge } from './create-judge';
import { Judge } from './judge';

/** The examiner: a language model when a key is set, else the offline one. */
@Global()
@Module({
  providers: [
    {
      provide: Judge,
      useFactory: (settings: Settings, spend: ModelSpend) => createJudge(settings, (usage) => spend.note(usage)),
      inject: [Settings, ModelSpend],
    },
  ],
  exports: [Judge],
})
export class JudgeModule {}
