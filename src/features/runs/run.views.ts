import { conversationWarning } from '../../domain';
import type { ExaminerDocument, ExaminerPair } from '../../engine/ledger';
import type { Judges } from '../../examiners/judge';
import type { Testers } from '../../examiners/tester';
import { readModelName } from '../../platform/config';
import type { SettledRun } from '../statistics/settled-rates';
import type { TestRunRecord } from './test-run.row';
import { type ExaminersView, type TestRunListItem, type TestRunView } from '../../../contract/test-runs';

/** The examiners that a run is to have. */
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

function viewOfExaminers(run: TestRunRecord, planned: PlannedExaminers): ExaminersView {
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
  run: TestRunRecord,
  { waiting, planned }: Present,
  settled: SettledRun | null,
): TestRunListItem {
  return {
    id: run.id,
    test_run_id: run.label,
    name: run.name,
    status: run.status,
    agent_id: run.agentId,
    agent_name: run.agentName,
    agent_provider: run.agentProvider,
    agent_version: run.agentVersion,
    agent_config_hash: run.agentConfigHash,
    test_suite_id: run.testSuiteId,
    derived_from: run.derivedFrom,
    derivation: run.derivation,
    baseline_test_run_id: run.baselineTestRunId,
    total_scenarios: run.counts.total,
    trials: run.trials,
    passed_count: run.counts.passed,
    failed_count: run.counts.failed,
    error_count: run.counts.error,
    canceled_count: run.counts.canceled,
    pass_rate: run.passRate,
    graded_pass_rate: settled?.rate ?? null,
    must_pass_violated_count: settled?.mustPassViolated ?? null,
    max_turns: run.maxTurns,
    concurrency_limit: run.concurrencyLimit,
    pass_threshold: run.passThreshold,
    region: run.region,
    examiners: viewOfExaminers(run, planned),
    error_message: run.errorMessage,
    waiting: isUnderWay(run) ? waiting : null,
    scheduled_at: iso(run.scheduledAt),
    started_at: iso(run.startedAt),
    completed_at: iso(run.completedAt),
    canceled_at: iso(run.canceledAt),
    created_at: run.createdAt.toISOString(),
  };
}

/** Some of its scenario runs may still have to begin. */
function isUnderWay({ status }: TestRunRecord): boolean {
  return status === 'pending' || status === 'running';
}

function iso(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
