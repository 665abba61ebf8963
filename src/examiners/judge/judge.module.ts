import { Global, Module } from '@nestjs/common';
import { Settings } from '../../platform/config/settings';
import { CountedModels } from '../model/counted-models';
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
      useFactory: (settings: Settings, models: CountedModels, threads: TextThreads) =>
        createJudge(settings.examiners.judge, threads, models.for('judge')),
      inject: [Settings, CountedModels, TextThreads],
    },
    {
      provide: Judges,
      useFactory: ({ examiners: { judge, allowed } }: Settings, standard: Judge, models: CountedModels) =>
        new Judges({
          role: 'judge',
          standard,
          configured: judge,
          allowed,
          make: (model) => new LanguageModelJudge(model),
          create: models.for('judge'),
        }),
      inject: [Settings, Judge, CountedModels],
    },
  ],
  exports: [Judge, Judges],
})
export class JudgeModule {}
