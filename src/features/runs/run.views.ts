import { z } from 'zod';
import { conversationWarning } from '../../domain/conversation';
import { DERIVATIONS, TEST_RUN_STATUSES } from '../../domain/statuses';
import { REGIONS } from '../../domain/region';
import type { ExaminerDocument, ExaminerPair } from '../../engine/ledger/run-examiners.store';
import type { Judges } from '../../examiners/judge/judge';
import type { Testers } from '../../examiners/tester/tester';
import { readModelName } from '../../platform/config/model-name';
import { id, timestamp } from '../../platform/http/field';
import type { SettledRun } from '../statistics/settled-rates';
import type { TestRunRecord } from './test-run.row';

const examiner = z.object({
  name: z.string().describe('`offline`, or the vendor whose API is used.'),
  model: z.string().nullable().describe('As configured; null when offline.'),
  prompt_version: z.string().nullable().describe('A hash of the fixed part of the instructions to the model.'),
});

const examinersView = z
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
type ExaminersView = z.output<typeof examinersView>;

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

export const regionView = z
  .enum(REGIONS)
  .nullable()
  .describe(
    'Where the agent’s patients are. Null when it is not known, as in runs of a release that did not ask: then any country’s emergency number counts.',
  );

const percent = z.number().min(0).max(100);

/** A test run in a list. Counts and pass_rate come from the scenario runs at the moment of the answer. */
export const testRunListItem = z
  .object({
    id,
    test_run_id: z.string().meta({ description: 'Human-readable label.', example: 'run_20261121103000_1f0c9a2e' }),
    name: z.string().nullable(),
    status: z.enum(TEST_RUN_STATUSES),
    agent_id: id,
    agent_name: z.string(),
    agent_provider: z.string(),
    agent_version: z.string().nullable().describe('As given at start-run.'),
    agent_config_hash: z
      .string()
      .nullable()
      .describe('SHA-256 of the agent’s config without its secrets. Null for runs of a release that did not keep it.'),
    test_suite_id: id.nullable(),
    derived_from: id
      .nullable()
      .describe('The run whose scenario runs it began from; it may be deleted by now. Null for any other run.'),
    derivation: z
      .enum(DERIVATIONS)
      .nullable()
      .describe(
        'How it began from them: `retry` runs errors again, `regrade` marks the same conversations again, `fork` goes on differently ' +
          'from a turn of one of them, `import` marks conversations from elsewhere. Null for a run of scenarios.',
      ),
    baseline_test_run_id: id
      .nullable()
      .describe(
        'The baseline of its agent, which it is compared with when no other run is named; null when it is this run.',
      ),
    total_scenarios: z.int().min(0).describe('Scenario runs: scenarios × patients × trials.'),
    trials: z.int().min(1).describe('How many times each conversation is held.'),
    passed_count: z.int().min(0),
    failed_count: z.int().min(0),
    error_count: z.int().min(0),
    canceled_count: z.int().min(0),
    pass_rate: z.number().min(0).max(100),
    graded_pass_rate: z
      .object({ value: percent, low: percent, high: percent })
      .nullable()
      .describe(
        'The percentage of graded scenario runs that passed, with the 95 % interval of the statistics. Null while the run is under way, and when nothing was graded.',
      ),
    must_pass_violated_count: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Scenario runs that failed because of a must-pass criterion, whatever the pass rate is. Null while the run is under way, and for runs of a release that did not keep it.',
      ),
    max_turns: z.int(),
    concurrency_limit: z.int(),
    pass_threshold: z.number(),
    region: regionView,
    examiners: examinersView,
    error_message: z.string().nullable(),
    waiting: z
      .string()
      .nullable()
      .describe('Why no further scenario run starts although the run is in progress: the daily cost limit is reached.'),
    scheduled_at: timestamp.nullable(),
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    canceled_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'TestRunListItem' });
export type TestRunListItem = z.infer<typeof testRunListItem>;

/** A test run, with the config of the agent that it examined, which may be long. */
export const testRunView = testRunListItem
  .extend({
    agent_config: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'The agent’s config when the run was started, secrets masked. Null for runs of a release that did not keep it.',
      ),
    warnings: z
      .array(z.string())
      .describe(
        'What of the agent’s config makes the result doubtful: nothing carried the conversation from one message to the next.',
      ),
  })
  .meta({ id: 'TestRun' });
export type TestRunView = z.infer<typeof testRunView>;

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
