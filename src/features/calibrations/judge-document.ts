import type { Judge } from '../../examiners/judge';
import type { ExaminerDocument } from '../../engine/ledger';
import type { JudgeChange } from '../../../contract/calibrations';

/** As results name a judge. */
export function documentOf({ name, model, promptVersion }: Judge): ExaminerDocument {
  return { name, model, prompt_version: promptVersion };
}

/** What of a judge is different now. @param now null when there is no such judge any more */
export function changesOf(before: ExaminerDocument, now: ExaminerDocument | null): JudgeChange[] {
  if (now === null || before.name !== now.name) return ['model'];
  const { model, prompt_version } = before;
  return [
    ...(model === now.model ? [] : (['model'] as const)),
    ...(prompt_version === now.prompt_version ? [] : (['prompt_version'] as const)),
  ];
}
