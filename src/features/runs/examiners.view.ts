import { z } from 'zod';
import { readModelName } from '../../platform/config/model-name';
import type { Judges } from '../../examiners/judge/judges';
import type { ExaminerDocument, ExaminerPair } from '../../engine/ledger/run-examiners.store';
import type { TestRunRecord } from './test-run.row';
import type { Testers } from '../../examiners/tester/testers';

const examiner = z.object({
  name: z.string().describe('`offline`, or the vendor whose API is used.'),
  model: z.string().nullable().describe('As configured; null when offline.'),
  prompt_version: z.string().nullable().describe('A hash of the fixed part of the instructions to the model.'),
});

export const examinersView = z
  .object({
    tester: examiner,
    judge: examiner,
    clinical: z
      .boolean()
      .describe('False when rules stand in for the patient or the judge: the marks then have no clinical meaning.'),
    mixed: z.boolean().describe('Its scenario runs had different examiners; the last pair is named.'),
  })
  .nullable()
  .describe('Who examined or, before anyone has, who will. Null for runs of a release that did not keep it.');
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
