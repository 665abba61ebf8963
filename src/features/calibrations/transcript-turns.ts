import type { Turn } from '../../domain';
import { isAgent } from '../../../contract/labelled-items';

/** One message of a transcript, as a client gives it. */
interface GivenMessage {
  readonly role: string;
  readonly content: string;
}

/**
 * The turns of a transcript: what the patient says, then what the agent does. Several messages of one side in a row are one, with an
 * empty line between them; a patient's last message without an answer proves nothing, and is left out.
 */
export function toTurns(transcript: readonly GivenMessage[]): Turn[] {
  const turns: { patient: string[]; agent: string[] }[] = [];
  for (const { role, content } of transcript) {
    let turn = turns.at(-1);
    if (isAgent(role)) {
      if (turn === undefined) turns.push((turn = { patient: [], agent: [] }));
      turn.agent.push(content);
      continue;
    }
    if (turn === undefined || turn.agent.length > 0) turns.push((turn = { patient: [], agent: [] }));
    turn.patient.push(content);
  }
  return turns
    .filter(({ agent }) => agent.length > 0)
    .map(({ patient, agent }, place) => ({
      turn: place + 1,
      patientMessage: patient.join('\n\n'),
      patientAt: NO_TIME,
      agentMessage: agent.join('\n\n'),
      agentAt: NO_TIME,
      latencyMs: null,
    }));
}

/** Labelled transcripts have no times, and no judge is told one. */
const NO_TIME = new Date(0).toISOString();
