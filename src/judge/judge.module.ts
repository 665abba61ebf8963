import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { ModelSpend } from '../model/model-spend';
import { TextThreads } from '../threads/text-threads';
import { createJudge } from './create-judge';
import { Judge } from './judge';

/** The examiner: a language model when a key is set, else the offline one. */
@Global()
@Module({
  providers: [
    {
      provide: Judge,
      useFactory: (settings: Settings, spend: ModelSpend, threads: TextThreads) =>
        createJudge(settings, threads, (usage) => spend.note(usage)),
      inject: [Settings, ModelSpend, TextThreads],
    },
  ],
  exports: [Judge],
})
export class JudgeModule {}
