import { z } from 'zod';
import { readModelName } from '../config/model-name';
import type { Judges } from '../judge/judges';
import type { ExaminerDocument, ExaminerPair } from '../persistence/run-examiners.store';
import type { TestRunRecord } from '../persistence/test-run.row';
import type { Testers } from '../tester/testers';

const examiner = z.object({
  name: z.string().describe('`offline`, or whose API is spoken.'),
  model: z.string().nullable().describe('As configured; null offline.'),
  prompt_version: z.string().nullable().describe('A hash of everything fixed that the model is asked with.'),
});

export const examinersView = z
  .object({
    tester: examiner,
    judge: examiner,
    clinical: z
      .boolean()
      .describe('False while the patient or the judge is played by rules: then marks say nothing clinical.'),
    mixed: z.boolean().describe('Scenario runs of this run had different examiners; named is the last pair.'),
  })
  .nullable()
  .describe('Who examined; before anybody has, who is to. Null for runs of a release that did not keep it.');
export type ExaminersView = z.output<typeof examinersView>;

/** Who is to examine in a run. */
export interface PlannedExaminers {
  of(asked: TestRunRecord['askedModels']): ExaminerPair;
}

export function plannedExaminers(testers: Testers, judges: Judges): PlannedExaminers {
  return {
    of: ({ tester, judge }) => ({
      tester: documentOf(testers.find(tester), tester),
      judge: documentOf(judges.find(judge), judge),
    }),
  };
}

export function viewOfExaminers(run: TestRunRecord, planned: PlannedExaminers): ExaminersView {
  const [last] = run.examiners;
  const pair = last ?? (isOver(run) ? null : planned.of(run.askedModels));
  if (pair === null) return null;
  const { tester, judge } = pair;
  const clinical = tester.name !== 'offline' && judge.name !== 'offline';
  return { tester: { ...tester }, judge: { ...judge }, clinical, mixed: run.examiners.length > 1 };
}

function isOver({ status }: TestRunRecord): boolean {
  return status === 'completed' || status === 'failed' || status === 'canceled';
}

interface Named {
  readonly name: string;
  readonly model: string | null;
  readonly promptVersion: string | null;
}

function documentOf(examiner: Named | null, asked: string | null): ExaminerDocument {
  if (examiner !== null) {
    return { name: examiner.name, model: examiner.model, prompt_version: examiner.promptVersion };
  }
  const name = readModelName(asked ?? '');
  return { name: name?.vendor ?? 'unknown', model: name?.model ?? asked, prompt_version: null };
}
