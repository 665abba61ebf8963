import type { Judge } from '../judge/judge';
import type { ExaminerDocument } from '../persistence/run-examiners.store';

/** As results name a judge. */
export function documentOf({ name, model, promptVersion }: Judge): ExaminerDocument {
  return { name, model, prompt_version: promptVersion };
}

export function nameOf({ name, model }: ExaminerDocument): string {
  return model === null ? `the ${name} judge` : `${name}/${model}`;
}
