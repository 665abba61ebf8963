import { Global, Module } from '@nestjs/common';
import { type ModelConnection, Settings } from '../../platform/config';
import { CountedModels, type MakeModel, createModel } from '../model/counted-models';
import { TextThreads } from '../threads/text-threads';
import { Judge, Judges } from './judge';
import { LanguageModelJudge } from './language-model.judge';
import { OfflineJudge } from './offline.judge';

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

/** A judge that uses this model; the offline one if there is none. */
export function createJudge(
  connection: ModelConnection | null,
  threads: TextThreads,
  create: MakeModel = createModel,
): Judge {
  return connection === null ? new OfflineJudge(threads) : new LanguageModelJudge(create(connection));
}
