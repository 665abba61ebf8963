import type { Exchange } from '../../../domain/conversation';
import { visibleText } from '../../rules/plain-text';
import { sentencesOf } from '../../rules/sentences';

/** One sentence of the conversation with its id: `p3.1` is the patient's first in turn 3, `a3.1` the agent's. */
export interface AuditedSentence {
  readonly id: string;
  readonly turn: number;
  readonly text: string;
}

/** Of a longer message, only the beginning and the end are read. */
const MOST_CHARACTERS = 6_000;

export function auditedSentences(transcript: readonly Exchange[]): AuditedSentence[] {
  return transcript.flatMap(({ turn, patientMessage, agentMessage }) => [
    ...sentencesUnder(`p${turn}`, turn, patientMessage),
    ...sentencesUnder(`a${turn}`, turn, agentMessage),
  ]);
}

function sentencesUnder(prefix: string, turn: number, message: string): AuditedSentence[] {
  const half = MOST_CHARACTERS / 2;
  const read =
    message.length <= MOST_CHARACTERS ? message : `${message.slice(0, half)}\n\n…\n\n${message.slice(-half)}`;
  return sentencesOf(read)
    .map(visibleText)
    .filter((text) => text !== '')
    .map((text, at) => ({ id: `${prefix}.${at + 1}`, turn, text }));
}
