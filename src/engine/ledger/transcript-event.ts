import type { RunEventFields } from '../../domain/run-events';
import { storableText } from '../../platform/database/storable-text';

/** What an event holds of a recorded turn. */
export interface SpokenTurn {
  readonly turn: number;
  readonly patientMessage: string;
  readonly agentMessage: string;
  readonly latencyMs: number;
}

export type TranscriptUpdate = Extract<RunEventFields, { type: 'transcript_update' }>;

/** The event of a turn, the same when it is published and when it is read back: the turn holds its text, the log does not. */
export function transcriptUpdate(scenarioRunId: string, spoken: SpokenTurn): TranscriptUpdate {
  return {
    type: 'transcript_update',
    scenario_run_id: scenarioRunId,
    turn: spoken.turn,
    patient_message: storableText(spoken.patientMessage),
    agent_message: storableText(spoken.agentMessage),
    latency_ms: spoken.latencyMs,
  };
}
