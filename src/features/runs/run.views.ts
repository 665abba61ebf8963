import { conversationWarning, isFinalTestRun } from '../../domain';
import { passRateOf, type AskedModels, type ExaminerDocument, type ExaminerPair } from '../../engine/ledger';
import type { Judges } from '../../examiners/judge';
import type { Testers } from '../../examiners/tester';
import { readModelName } from '../../platform/config';
import type { SettledRun } from '../statistics/settled-rates';
import type { TestRunRecord } from './test-run.row';
import { type ExaminersView, type TestRunListItem, type TestRunView } from '../../../contract/test-runs';

/** The examiners that a run is to have. */
export interface PlannedExaminers {
  of(asked: AskedModels): ExaminerPair;
}

export function plannedExaminers(testers: Testers, judges: Judges): PlannedExaminers {
  return {
    of: ({ tester_model, judge_model }) => ({
      tester: documentOf(testers.find(tester_model), tester_model),
      judge: documentOf(judges.find(judge_model), judge_model),
    }),
  };
}

/** @param planned those that will examine; null when the run is over */
function viewOfExaminers(pairs: readonly ExaminerPair[], planned: ExaminerPair | null): ExaminersView {
  const pair = pairs[0] ?? planned;
  if (pair === null) return null;
  const { tester, judge } = pair;
  const clinical = tester.name !== 'offline' && judge.name !== 'offline';
  return { tester: { ...tester }, judge: { ...judge }, clinical, mixed: pairs.length > 1 };
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

/** What makes its result doubtful before any number is read. */
export function warningsOf(
  { agent_provider, derivation }: TestRunListItem,
  agentConfig: TestRunView['agent_config'],
): string[] {
  // Conversations from elsewhere were not held with this config.
  if (agentConfig === null || derivation === 'import') return [];
  const warning = conversationWarning(agent_provider, agentConfig);
  return warning === null ? [] : [warning];
}

/** What is the same for every run at the moment of the answer. */
export interface Present {
  /** Why nothing begins at present. */
  readonly waiting: string | null;
  readonly planned: PlannedExaminers;
}

/** @param settled null while the run is under way */
export function listItemOfTestRun(
  { tester_model, judge_model, examiner_pairs, ...kept }: TestRunRecord,
  { waiting, planned }: Present,
  settled: SettledRun | null,
): TestRunListItem {
  const examiners = isFinalTestRun(kept.status) ? null : planned.of({ tester_model, judge_model });
  return {
    ...kept,
    pass_rate: passRateOf({ passed: kept.passed_count, total: kept.total_scenarios }),
    graded_pass_rate: settled?.graded_pass_rate ?? null,
    must_pass_violated_count: settled?.must_pass_violated_count ?? null,
    examiners: viewOfExaminers(examiner_pairs, examiners),
    waiting: isUnderWay(kept) ? waiting : null,
  };
}

/** Some of its scenario runs may still have to begin. */
function isUnderWay({ status }: Pick<TestRunRecord, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}
