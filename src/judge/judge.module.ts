import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { ModelSpend } from '../model/model-spend';
import { TextThreads } from '../threads/text-threads';
import { createJudge } from './create-judge';
import { Judge } from './judge';
import { Judges } from './judges';
import { LanguageModelJudge } from './language-model.judge';

/** The examiner: the configured language model, or else the offline one. */
@Global()
@Module({
  providers: [
    {
      provide: Judge,
      useFactory: (settings: Settings, spend: ModelSpend, threads: TextThreads) =>
        createJudge(settings.examiners.judge, threads, (usage) => spend.note(usage)),
      inject: [Settings, ModelSpend, TextThreads],
    },
    {
      provide: Judges,
      useFactory: ({ examiners: { judge, allowed } }: Settings, standard: Judge, spend: ModelSpend) =>
        new Judges({
          role: 'judge',
          standard,
          configured: judge,
          allowed,
          make: (model) => new LanguageModelJudge(model),
          onUsage: (usage) => spend.note(usage),
        }),
      inject: [Settings, Judge, ModelSpend],
    },
  ],
  exports: [Judge, Judges],
})
export class JudgeModule {}
