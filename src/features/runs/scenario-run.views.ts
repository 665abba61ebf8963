import type { ScenarioRunMetadata } from '../../../contract/scenario-run-metadata';
import type { StoredTurn } from '../../engine/ledger';
import type { ScenarioRunRecord } from './scenario-runs.store';
import type { ScenarioRunView, TranscriptEntry } from '../../../contract/scenario-runs';

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
    screenshot_url: run.metadata.screenshot === true ? `/api/v1/scenario-runs/${run.id}/screenshot` : null,
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
function metadataOf({ metadata, ended_by, unanswered_message }: ScenarioRunRecord): ScenarioRunMetadata {
  return {
    ...metadata,
    ...(ended_by === null ? {} : { ended_by }),
    ...(unanswered_message === null ? {} : { unanswered_message }),
  };
}

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
