import { holdsText, Needle } from '../../../domain';
import { visibleText } from '../../rules/plain-text';
import { readOnce } from '../../rules/read-once';
import { termsOf, weightOf, wordsOf } from '../../rules/words';
import type { PatientFaultKind } from '../patient-fault';
import { boundedRequest, type GateFault, type GateRequest, agentTexts } from './gate-request';
import { outOfRole } from './out-of-role';
import { unfoundedMedicines, unfoundedNumbers, unfoundedTimes, untouchedFacts } from './unfounded';

/** The act with which a criterion begins: "Asks whether …", "Tells the patient to …". */
const ACT = /^\p{L}{3,20}s (?:(?:the )?(?:patient|caller|client|her|him|them) )?(?:(?:whether|about|that|to|if) )?/iu;
/** Shorter pieces of a criterion are everyday words: "call emergency services now". */
const LEAST_WORDS = 6;
const LEAST_WORDS_WITH_ACT = 3;

/** Sentences of the rubric that the patient says, with or without their act; but not words found in the script or in what the agent said. */
function rubricSpoken(request: GateRequest): GateFault[] {
  const { message, criteria, card } = request;
  const said = spaced(message);
  const found = criteria.flatMap((criterion) => {
    const { whole, core } = wordsAlike(criterion);
    if (whole !== null && holdsText(said, whole)) return [whole];
    return core !== null && holdsText(said, core) ? [core] : [];
  });
  if (found.length === 0) return [];
  const open = [card.script, card.chief_complaint, ...agentTexts(request)].map(spaced);
  return found
    .filter((words) => {
      const needle = new Needle(words);
      return !open.some((text) => needle.isIn(text));
    })
    .map((words): GateFault => ({ kind: 'rubric_spoken', severity: 'helped', text: words.trim() }));
}

/** A criterion's words with and without its act; null where they are too few to be told from everyday words. */
const wordsAlike = readOnce((criterion) => {
  const whole = spaced(criterion);
  const core = spaced(criterion.replace(ACT, ''));
  return {
    whole: wordCount(whole) >= LEAST_WORDS_WITH_ACT ? whole : null,
    core: wordCount(core) >= LEAST_WORDS ? core : null,
  };
});

/** The words of a text, with a space before, after and between. */
function spaced(text: string): string {
  return ` ${wordsOf(text).join(' ')} `;
}

function wordCount(words: string): number {
  return words.trim().split(' ').length;
}

/** Below this a message says nothing that could be repeated: "No, not that I know of." */
const LEAST_SAID = 2;
/** The share of word runs in common that makes a message a repetition of another. */
const SAME_SHARE = 0.9;
const RUN = 3;

/** A message that repeats an earlier one, word for word or nearly so. */
function repetition({ message, history }: GateRequest): GateFault[] {
  const said = termsOf(message).reduce((sum, term) => sum + weightOf(term), 0);
  if (said < LEAST_SAID) return [];
  const runs = runsOf(message);
  const isRepeated = history.some(({ patientMessage }) => share(runs, runsOfEarlier(patientMessage)) >= SAME_SHARE);
  return isRepeated ? [{ kind: 'repeated', severity: 'hindered', text: message }] : [];
}

/** "Well, …" does not make it a new message; "As I said, …" does: a patient that says it was asked again. */
const OPENERS = new Set(['well', 'yes', 'yeah', 'no', 'oh', 'so', 'um', 'hmm', 'ok', 'okay', 'and']);

function runsOf(text: string): ReadonlySet<string> {
  const all = wordsOf(text);
  const words = all.slice(
    Math.max(
      0,
      all.findIndex((word) => !OPENERS.has(word)),
    ),
  );
  if (words.length < RUN) return new Set([words.join(' ')]);
  return new Set(words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' ')));
}

const runsOfEarlier = readOnce(runsOf);

/** Jaccard's index. */
function share(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let both = 0;
  for (const run of one) if (other.has(run)) both += 1;
  return both / (one.size + other.size - both);
}

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
 * The faults of a message before it is sent (docs/grading.md). Pure and deterministic, so that nothing the agent says can change
 * its findings. Takes time in proportion to the texts; of each reply only the beginning and the end are read.
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
