import { createModel } from '../../src/examiners/model/counted-models';
import { ExaminerSelection } from '../../src/engine/actors/examiner-selection';
import { Judges } from '../../src/examiners/judge/judge';
import { LanguageModelJudge } from '../../src/examiners/judge/language-model.judge';
import { OfflineJudge } from '../../src/examiners/judge/offline.judge';
import type { AllowedModel } from '../../src/platform/config';
import type { Database } from '../../src/platform/database/database';
import { RunExaminersStore } from '../../src/engine/ledger/run-examiners.store';
import { LanguageModelTester } from '../../src/examiners/tester/language-model.tester';
import { OfflineTester } from '../../src/examiners/tester/offline.tester';
import { Testers } from '../../src/examiners/tester/tester';
import type { TextThreads } from '../../src/examiners/threads/text-threads';

/** Every run is played and marked by rules; none may ask for a model. */
export function offlineExaminerSelection(
  database: Database,
  threads: TextThreads,
  store = new RunExaminersStore(database),
): ExaminerSelection {
  const { testers, judges } = offlineExaminers(threads);
  return new ExaminerSelection(testers, judges, store);
}

/** @param allowed models that a run may ask for */
export function offlineExaminers(
  threads: TextThreads,
  allowed: readonly AllowedModel[] = [],
): { testers: Testers; judges: Judges } {
  const nobody = { configured: null, allowed, create: createModel };
  const testers = new Testers({
    ...nobody,
    role: 'tester',
    standard: new OfflineTester(threads),
    make: (model) => new LanguageModelTester(model),
  });
  const judges = new Judges({
    ...nobody,
    role: 'judge',
    standard: new OfflineJudge(threads),
    make: (model) => new LanguageModelJudge(model),
  });
  return { testers, judges };
}
