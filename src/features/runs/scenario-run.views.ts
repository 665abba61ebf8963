import { z } from 'zod';
import { patientView } from './patients';
import { ERROR_CODES } from '../../domain/failure';
import { DECISIONS } from '../../domain/rubric';
import { SCENARIO_RUN_STATUSES } from '../../domain/statuses';
import { id, timestamp } from '../../platform/http/field';
import type { StoredTurn } from '../../engine/ledger/execution-record';
import type { ScenarioRunRecord } from './scenario-runs.store';

const percent = z.number().min(0).max(100);

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
    scenario_severity: z.string().nullable().describe('As the scenario has it now; null when it is gone.'),
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
    // A scenario run that no process has claimed yet waits for its first execution.
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
