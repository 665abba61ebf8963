import type { StoredTurn } from '../../engine/ledger';
import { placeOfRun } from '../../engine/tracing';
import type { ScenarioRunRecord } from './scenario-runs.store';
import { actsIn } from '../../domain';
import { spokenEntryOf, spokenIn, TimedReply } from '../../engine/measures';
import type { AgentActsView, ScenarioRunView, TranscriptEntry } from '../../../contract/scenario-runs';

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

/** Evidence with when it was said, where that is known: of spoken conversations. */
export function timedEvidence(
  criteria: ScenarioRunView['criteria_results'],
  turns: readonly StoredTurn[],
): ScenarioRunView['criteria_results'] {
  const replies = new Map<number, TimedReply>();
  for (const { turn, agentMessage, metadata } of turns) {
    const spoken = spokenIn(metadata);
    if (spoken !== null) replies.set(turn, new TimedReply(agentMessage, spoken.agent_sentences));
  }
  if (replies.size === 0 || criteria === null) return criteria;
  return criteria.map((result) => ({
    ...result,
    evidence: result.evidence.map((evidence) => {
      const times = evidence.call === undefined ? replies.get(evidence.turn)?.timesOf(evidence.quote) : undefined;
      return times ? { ...evidence, from_ms: times.from_ms, to_ms: times.to_ms } : evidence;
    }),
  }));
}

/**
 * @param traceUrl where the turns are traced; null where there is no such place, and for readers who are not to see what it shows
 */
export function transcriptOf(turns: readonly StoredTurn[], traceUrl: string | null = null): TranscriptEntry[] {
  return turns.flatMap((turn): TranscriptEntry[] => {
    const acts = actsViewOf(turn.metadata);
    const spoken = spokenIn(turn.metadata);
    return [
      // Only where the agent spoke first, in a conversation from elsewhere, has the patient said nothing.
      ...(turn.patientMessage === ''
        ? []
        : [
            {
              turn: turn.turn,
              role: 'patient' as const,
              content: turn.patientMessage,
              at: turn.patientAt,
              ...(spoken && { spoken: spokenEntryOf('patient', spoken) }),
            },
          ]),
      {
        turn: turn.turn,
        role: 'agent',
        content: turn.agentMessage,
        at: turn.agentAt,
        ...(turn.latencyMs === null ? {} : { latency_ms: turn.latencyMs }),
        ...(acts === null ? {} : { acts }),
        ...(spoken && { spoken: spokenEntryOf('agent', spoken) }),
        ...(traceUrl === null ? {} : { trace_url: traceUrl }),
      },
    ];
  });
}

/** Null where the agent's answer told nothing of what it did. @param metadata of the turn */
export function actsViewOf(metadata: StoredTurn['metadata']): AgentActsView | null {
  const { toolCalls, areCallsCut, context, isContextCut, usage } = actsIn(metadata);
  if (toolCalls === null && context.length === 0 && usage === null && !areCallsCut) return null;
  return {
    tool_calls: toolCalls?.map(({ areArgumentsCut: _cut, ...call }) => call) ?? null,
    context: [...context],
    usage: usage && { ...usage },
    truncated: areCallsCut || isContextCut,
  };
}

/**
 * Where the conversation of a scenario run is traced. Its trace is that of its run, whose spans name the scenario run as their
 * conversation (ADR 41).
 * @param template as TRACE_URL_TEMPLATE has it
 */
export function traceUrlOf(
  template: string | null,
  { id, test_run_id }: Pick<ScenarioRunRecord, 'id' | 'test_run_id'>,
): string | null {
  const values: Readonly<Record<string, string>> = {
    trace_id: placeOfRun(test_run_id).traceId,
    conversation_id: id,
    run_id: test_run_id,
  };
  return (
    template?.replace(/\{(\w{1,20})\}/g, (written, name: string) => encodeURIComponent(values[name] ?? written)) ?? null
  );
}
