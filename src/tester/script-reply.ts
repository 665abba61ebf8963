import { factsOf, openingOf, saysNo, type Fact } from './patient-script';
import { lowered } from './patient-speech';
import { sentencesOf } from '../language/sentences';
import type { PatientTurnRequest } from './tester';
import { termsOf, weightOf } from '../language/words';

/** Of a long reply only the end is heard: that is where the question stands. */
const HEARD_CHARACTERS = 8_000;
const MAX_QUESTIONS = 3;
/** Least weight of shared terms for a fact to answer a question. */
const ANSWERS = 1;
/** A fact told before is told again only when this much of the question is about it. */
const ASKED_AGAIN = 2;

const NOTHING_LEFT = [
  'That is everything I can tell you.',
  'I have told you all I know. What should I do?',
  'I cannot think of anything else. What do you advise?',
];

export type SpeechRequest = Pick<PatientTurnRequest, 'scenario' | 'history'>;

/** The same without what `nextSpeech` does not look at: replies may be very long. */
export function heardOf({ scenario, history }: SpeechRequest): SpeechRequest {
  const last = history.at(-1);
  const heard = history.map((exchange) => ({
    ...exchange,
    agentMessage: exchange === last ? exchange.agentMessage.slice(-HEARD_CHARACTERS) : '',
  }));
  return { scenario, history: heard };
}

/**
 * What the patient of a script says next, the same way every time: opens with the chief complaint, answers what was asked with the
 * facts that share most words with the question, volunteers the next untold fact when nothing fits, and invents nothing.
 */
export function nextSpeech({ scenario, history }: SpeechRequest): string {
  const { content } = scenario;
  const facts = factsOf(content);
  const last = history.at(-1);
  if (last === undefined) return openingOf(content, facts);
  const said = history.map(({ patientMessage }) => patientMessage);
  return replyTo(last.agentMessage, facts, said);
}

function replyTo(agentMessage: string, facts: readonly Fact[], said: readonly string[]): string {
  const questions = questionsOf(agentMessage);
  const untold = facts.filter(({ speech }) => !wasSaid(speech, said));
  const answers: string[] = [];
  for (const question of questions) {
    const fact = bestMatch(
      question,
      untold.filter(({ speech }) => !answers.includes(speech)),
      ANSWERS,
    );
    if (fact !== null) answers.push(fact.speech);
  }
  if (answers.length > 0) return answers.join(' ');
  const repeated = againOf(questions, facts, said);
  if (repeated !== null) return repeated;
  const heard = said.map((message) => ({ terms: new Set(termsOf(message)), isNegated: saysNo(message) }));
  const next = untold.find((fact) => !fact.onlyWhenAsked && !isImplied(fact, heard));
  if (next !== undefined) return next.speech;
  return NOTHING_LEFT[said.filter((message) => NOTHING_LEFT.includes(message)).length] ?? lastWordOf(said);
}

/** The terms of each question, or of the whole message when it holds none. */
function questionsOf(agentMessage: string): ReadonlySet<string>[] {
  const sentences = sentencesOf(agentMessage.slice(-HEARD_CHARACTERS));
  const asked = sentences.filter((sentence) => endsInQuestion(sentence) || REQUEST.test(sentence));
  if (asked.length === 0) return [new Set(termsOf(sentences.join(' ')))];
  return asked.slice(-MAX_QUESTIONS).map((sentence) => new Set(termsOf(sentence)));
}

/** A question mark, or marks of any kind after one. */
function endsInQuestion(sentence: string): boolean {
  const last = Math.max(sentence.lastIndexOf('?'), sentence.lastIndexOf('？'));
  return last !== -1 && !/\w/.test(sentence.slice(last));
}

const REQUEST = /\b(?:tell me|let me know|describe|walk me through|share)\b/i;

function bestMatch(question: ReadonlySet<string>, facts: readonly Fact[], least: number): Fact | null {
  let best: Fact | null = null;
  let bestScore = 0;
  for (const fact of facts) {
    let score = 0;
    for (const term of fact.answers) if (question.has(term)) score += weightOf(term);
    if (score >= least && score > bestScore) {
      best = fact;
      bestScore = score;
    }
  }
  return best;
}

/** Asked for the same thing again: told again, once. */
function againOf(
  questions: readonly ReadonlySet<string>[],
  facts: readonly Fact[],
  said: readonly string[],
): string | null {
  for (const question of questions) {
    const fact = bestMatch(question, facts, ASKED_AGAIN);
    if (fact === null) continue;
    const again = `As I said, ${lowered(fact.speech)}`;
    if (!wasSaid(again, said)) return again;
  }
  return null;
}

function wasSaid(speech: string, said: readonly string[]): boolean {
  return said.some((message) => message.includes(speech));
}

/** Nothing new in it: some message said all its words already, as the chief complaint often does. */
function isImplied({ terms, isNegated }: Fact, said: readonly Pick<Fact, 'terms' | 'isNegated'>[]): boolean {
  return said.some((message) => isNegated === message.isNegated && [...terms].every((term) => message.terms.has(term)));
}

/** The last of the closing sentences, for conversations longer than there are sentences. */
function lastWordOf(said: readonly string[]): string {
  return NOTHING_LEFT[said.length % NOTHING_LEFT.length] ?? 'That is everything I can tell you.';
}
