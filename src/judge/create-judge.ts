import type { ModelConnection } from '../config/examiner-models';
import { createModel } from '../model/create-model';
import type { OnUsage } from '../model/model-usage';
import type { TextThreads } from '../threads/text-threads';
import type { Judge } from './judge';
import { LanguageModelJudge } from './language-model.judge';
import { OfflineJudge } from './offline.judge';

/** A judge that uses this model; the offline one if there is none. */
export function createJudge(connection: ModelConnection | null, threads: TextThreads, onUsage?: OnUsage): Judge {
  return connection === null ? new OfflineJudge(threads) : new LanguageModelJudge(createModel(connection, onUsage));
}
