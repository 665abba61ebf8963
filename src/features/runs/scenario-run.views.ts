import type { StoredTurn } from '../../engine/ledger';
import type { ScenarioRunRecord } from './scenario-runs.store';
import type { ScenarioRunView, TranscriptEntry } from '../../../contract/scenario-runs';

export function viewOfScenarioRun(run: ScenarioRunRecord): ScenarioRunView {
  const {
    criteria_results,
    reviewed_passed: _passed,
    reviewed_score_percent: _score,
    ended_by,
    unanswered_message,
    ...kept
  } = run;
  return {
    ...kept,
    criteria_results:
      criteria_results?.map((result) => ({
        ...result,
        tags: [...result.tags],
        evidence: result.evidence.map((evidence) => ({ ...evidence })),
        absence: result.absence ?? false,
        replies_read: result.replies_read ?? null,
        votes: result.votes === undefined ? null : [...result.votes],
        disputed: result.disputed ?? false,
        check: result.check ?? null,
      })) ?? null,
    effective: effectiveOf(run),
    duration_ms:
      kept.started_at && kept.completed_at ? Date.parse(kept.completed_at) - Date.parse(kept.started_at) : null,
    // With how the conversation ended, where its number of turns does not say it: known from that moment on.
    metadata: {
      ...kept.metadata,
      ...(ended_by === null ? {} : { ended_by }),
      ...(unanswered_message === null ? {} : { unanswered_message }),
    },
    screenshot_url: kept.metadata.screenshot === true ? `/api/v1/scenario-runs/${kept.id}/screenshot` : null,
  };
}

function effectiveOf(run: ScenarioRunRecord): ScenarioRunView['effective'] {
  const { passed, score_percent, reviewed_passed, reviewed_score_percent } = run;
  if (reviewed_passed !== null && reviewed_score_percent !== null) {
    return { passed: reviewed_passed, score_percent: reviewed_score_percent, by: 'review' };
  }
  return passed === null || score_percent === null ? null : { passed, score_percent, by: 'judge' };
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
