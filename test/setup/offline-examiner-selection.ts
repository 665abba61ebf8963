import { createModel } from '../../src/model/create-model';
import { ExaminerSelection } from '../../src/actors/examiner-selection';
import { Judges } from '../../src/judge/judges';
import { LanguageModelJudge } from '../../src/judge/language-model.judge';
import { OfflineJudge } from '../../src/judge/offline.judge';
import type { Database } from '../../src/persistence/database';
import { RunExaminersStore } from '../../src/persistence/run-examiners.store';
import { LanguageModelTester } from '../../src/tester/language-model.tester';
import { OfflineTester } from '../../src/tester/offline.tester';
import { Testers } from '../../src/tester/testers';
import type { TextThreads } from '../../src/threads/text-threads';

/** Every run is played and marked by rules; none may ask for a model. */
export function offlineExaminerSelection(
  database: Database,
  threads: TextThreads,
  store = new RunExaminersStore(database),
): ExaminerSelection {
  const { testers, judges } = offlineExaminers(threads);
  return new ExaminerSelection(testers, judges, store);
}

export function offlineExaminers(threads: TextThreads): { testers: Testers; judges: Judges } {
  const nobody = { configured: null, allowed: [], create: createModel };
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
