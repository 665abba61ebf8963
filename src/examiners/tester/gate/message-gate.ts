import { visibleText } from '../../rules/plain-text';
import type { PatientFaultKind } from '../patient-fault';
import { boundedRequest, type GateFault, type GateRequest } from './gate-request';
import { outOfRole } from './out-of-role';
import { repetition } from './repetition';
import { rubricSpoken } from './rubric-spoken';
import { unfoundedMedicines, unfoundedNumbers, unfoundedTimes } from './unfounded';
import { untouchedFacts } from './untouched';

/** One function for each kind of fault. */
const CHECKS: readonly ((request: GateRequest) => readonly GateFault[])[] = [
  unfoundedNumbers,
  unfoundedTimes,
  unfoundedMedicines,
  untouchedFacts,
  outOfRole,
  repetition,
  rubricSpoken,
];

/**
 * The faults of a message before it is sent (docs/grading.md). Pure and deterministic, so that nothing the agent says can talk it round.
 * Takes time in proportion to the texts; of each reply only the beginning and the end are read.
 */
export function faultsOf(request: GateRequest): readonly GateFault[] {
  const bounded = boundedRequest(request);
  return CHECKS.flatMap((check) => check(bounded));
}

const OBJECTIONS: Readonly<Record<PatientFaultKind, (text: string) => string>> = {
  invented: (text) =>
    `"${text}" is said neither by your role card nor by the assistant. Leave it out, or say that you do not know.`,
  contradicted: (text) => `"${text}" contradicts your role card.`,
  inconsistent: (text) => `"${text}" contradicts what you said before.`,
  volunteered: (text) => `"${text}" is told only when it is asked for, and nobody has asked.`,
  role_reversal: (text) =>
    `"${text}" is not what a patient says: you do not advise, offer help or speak of yourself as a machine.`,
  repeated: () => 'You have said this before. Say something else, or that you have told all you know.',
  rubric_spoken: (text) => `"${text}" are words of whoever marks, not of a patient.`,
};

/** What a scenario or a model wrote, in a form that a sentence can quote: without control characters, and not too long. */
export function quotable(text: string): string {
  return visibleText(text.slice(0, 300)).toWellFormed();
}

/** What is wrong with a message, in words addressed to its author. */
export function objectionTo(faults: readonly GateFault[]): string {
  return [...new Set(faults.map(({ kind, text }) => OBJECTIONS[kind](quotable(text))))].slice(0, 5).join(' ');
}
