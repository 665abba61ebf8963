import type { ModelConnection } from '../../platform/config/examiner-models';
import { createModel } from '../model/create-model';
import type { MakeModel } from '../model/counted-models';
import type { TextThreads } from '../threads/text-threads';
import type { Judge } from './judge';
import { LanguageModelJudge } from './language-model.judge';
import { OfflineJudge } from './offline.judge';

/** A judge that uses this model; the offline one if there is none. */
export function createJudge(
  connection: ModelConnection | null,
  threads: TextThreads,
  create: MakeModel = createModel,
): Judge {
  return connection === null ? new OfflineJudge(threads) : new LanguageModelJudge(create(connection));
}
