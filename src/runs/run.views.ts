import { z } from 'zod';
import { patientView } from './patients';
import { DERIVATIONS } from '../../machines/derivation';
import { ERROR_CODES } from '../../machines/failure';
import { DECISIONS } from '../../machines/rubric';
import { SCENARIO_RUN_STATUSES, TEST_RUN_STATUSES } from '../../machines/statuses';
import { id, timestamp } from '../http/field';
import type { StoredTurn } from '../persistence/ledger/execution-record';
import type { ScenarioRunRecord } from '../persistence/scenario-runs.store';
import type { TestRunRecord } from '../persistence/test-run.row';
import type { SettledRun } from './statistics/settled-rates';
import { examinersView, viewOfExaminers, type PlannedExaminers } from './examiners.view';

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
  })
  .meta({ id: 'TestRun' });
export type TestRunView = z.infer<typeof testRunView>;

/** What is the same for every run at the moment of the answer. */
export interface Present {
  /** Why nothing begins at present. */
  readonly waiting: string | null;
  readonly planned: PlannedExaminers;
}

/** @param settled null while the run is under way */
export function viewOfTestRun(
  run: TestRunRecord,
  present: Present,
  settled: SettledRun | null,
  agentConfig: Readonly<Record<string, unknown>> | null,
): TestRunView {
  return { ...listItemOfTestRun(run, present, settled), agent_config: agentConfig };
}

/** @param settled likewise */
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

const criterionResult = z.object({
  criterion: z.string(),
  tags: z.array(z.string()),
  decision: z.enum(DECISIONS),
  points: z.number(),
  max_points: z.number(),
  rationale: z.string(),
  evidence: z.array(z.object({ turn: z.int(), quote: z.string() })),
  absence: z.boolean().meta({ description: 'Proven by absence from all replies, instead of by quotes.' }),
  replies_read: z.int().nullable().meta({ description: 'How many replies were read for it; only with absence.' }),
  votes: z.array(z.enum(DECISIONS)).nullable().meta({
    description: 'Decisions of all examinations in their order; null for a criterion that was not voted on.',
  }),
  disputed: z.boolean().meta({ description: 'The votes were not unanimous.' }),
});

/** A scenario run in a list: without its transcript. */
export const scenarioRunView = z
  .object({
    id,
    test_run_id: id,
    scenario_id: id,
    scenario_name: z.string(),
    scenario_revision: z
      .int()
      .min(1)
      .nullable()
      .describe('Which revision of the scenario it examined with. Null for runs of a release that did not keep it.'),
    scenario_content_hash: z.string().nullable().describe('SHA-256 of the content and rubric of that revision.'),
    scenario_category: z.string().nullable().describe('As the scenario has it now; null when it is gone.'),
    scenario_severity: z.string().nullable().describe('Likewise.'),
    source_scenario_run_id: id
      .nullable()
      .describe(
        'In a derived run: the scenario run that it began from or, when it is carried, in which the verdict was given. It may be deleted by now.',
      ),
    carried: z
      .boolean()
      .describe('Its verdict and transcript are those of its source: the same observation, not another one.'),
    kept_turns: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'How many turns, from the first on, were taken over from its source before it began; null when that was not how it began.',
      ),
    given_message: z
      .string()
      .nullable()
      .describe('What the patient said after them, when that was given to the fork; null when it was not.'),
    trial: z.int().min(1).describe('Which of the run’s trials it belongs to.'),
    patient: patientView,
    status: z.enum(SCENARIO_RUN_STATUSES),
    passed: z.boolean().nullable(),
    score_percent: z.number().min(0).max(100).nullable(),
    total_points: z.number().nullable(),
    max_points: z.number().nullable(),
    grade_summary: z.string().nullable(),
    criteria_results: z.array(criterionResult).nullable(),
    effective: z
      .object({ passed: z.boolean(), score_percent: percent, by: z.enum(['judge', 'review']) })
      .nullable()
      .describe(
        'The verdict that holds: that of its reviews where it has any, else the judge’s. Null when it was not graded.',
      ),
    error_code: z.enum(ERROR_CODES).nullable(),
    error_message: z.string().nullable(),
    attempt: z.int().min(0),
    turns: z.int().min(0),
    duration_ms: z.number().nullable(),
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    canceled_at: timestamp.nullable(),
    created_at: timestamp,
    metadata: z.record(z.string(), z.unknown()).meta({
      description:
        'Who examined, timings, usage, doubts. `ended_by` is "agent" when the agent ended the conversation before it had all its ' +
        'turns; `unanswered_message` is what the patient said last when it did so in place of a reply.',
    }),
    screenshot_url: z.string().nullable().meta({
      description: 'Path of the screenshot of a browser agent’s page when it failed; null when there is none.',
    }),
  })
  .meta({ id: 'ScenarioRun' });
export type ScenarioRunView = z.infer<typeof scenarioRunView>;

export function viewOfScenarioRun(run: ScenarioRunRecord): ScenarioRunView {
  return {
    id: run.id,
    test_run_id: run.test_run_id,
    scenario_id: run.scenario_id,
    scenario_name: run.scenario_name,
    scenario_revision: run.scenario_revision,
    scenario_content_hash: run.scenario_content_hash,
    scenario_category: run.scenario_category,
    scenario_severity: run.scenario_severity,
    source_scenario_run_id: run.source_scenario_run_id,
    carried: run.carried,
    kept_turns: run.kept_turns,
    given_message: run.given_message,
    trial: run.trial,
    patient: run.patient,
    status: run.status,
    passed: run.passed,
    score_percent: run.score_percent,
    total_points: run.total_points,
    max_points: run.max_points,
    grade_summary: run.grade_summary,
    criteria_results:
      run.criteria_results?.map((result) => ({
        ...result,
        tags: [...result.tags],
        evidence: result.evidence.map((evidence) => ({ ...evidence })),
        absence: result.absence ?? false,
        replies_read: result.replies_read ?? null,
        votes: result.votes === undefined ? null : [...result.votes],
        disputed: result.disputed ?? false,
      })) ?? null,
    effective: effectiveOf(run),
    error_code: run.error_code,
    error_message: run.error_message,
    // A scenario run that no one has claimed yet waits for its first execution.
    attempt: Math.max(1, run.attempt),
    turns: run.turns,
    duration_ms: run.started_at && run.completed_at ? run.completed_at.getTime() - run.started_at.getTime() : null,
    started_at: iso(run.started_at),
    completed_at: iso(run.completed_at),
    canceled_at: iso(run.canceled_at),
    created_at: run.created_at.toISOString(),
    metadata: metadataOf(run),
    screenshot_url: run.metadata['screenshot'] === true ? `/api/v1/scenario-runs/${run.id}/screenshot` : null,
  };
}

function effectiveOf(run: ScenarioRunRecord): ScenarioRunView['effective'] {
  const { passed, score_percent, reviewed_passed, reviewed_score_percent } = run;
  if (reviewed_passed !== null && reviewed_score_percent !== null) {
    return { passed: reviewed_passed, score_percent: reviewed_score_percent, by: 'review' };
  }
  return passed === null || score_percent === null ? null : { passed, score_percent, by: 'judge' };
}

/** With how the conversation ended, where its number of turns does not say it: known from that moment on. */
function metadataOf({ metadata, ended_by, unanswered_message }: ScenarioRunRecord): Record<string, unknown> {
  return {
    ...metadata,
    ...(ended_by === null ? {} : { ended_by }),
    ...(unanswered_message === null ? {} : { unanswered_message }),
  };
}

export const transcriptEntry = z.object({
  turn: z.int().min(1),
  role: z.enum(['patient', 'agent']),
  content: z.string(),
  at: timestamp,
  latency_ms: z.number().optional().meta({ description: 'Of the agent only.' }),
});
export type TranscriptEntry = z.infer<typeof transcriptEntry>;

/** A scenario run with its conversation. */
export const scenarioRunDetail = scenarioRunView
  .extend({ transcript: z.array(transcriptEntry) })
  .meta({ id: 'ScenarioRunDetail' });
export type ScenarioRunDetail = z.infer<typeof scenarioRunDetail>;

export function transcriptOf(turns: readonly StoredTurn[]): TranscriptEntry[] {
  return turns.flatMap((turn): TranscriptEntry[] => [
    // Only where the agent spoke first, in a conversation from elsewhere, has the patient said nothing.
    ...(turn.patientMessage === ''
      ? []
      : [{ turn: turn.turn, role: 'patient' as const, content: turn.patientMessage, at: turn.patientAt }]),
    {
      turn: turn.turn,
      role: 'agent',
      content: turn.agentMessage,
      at: turn.agentAt,
      latency_ms: turn.latencyMs,
    },
  ]);
}

function iso(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
