import { USUAL_PATIENT, Needle } from '../../domain';
import { sentencesOf } from '../rules/sentences';
import { termsOf, weightOf } from '../rules/words';
import { factsOf, saysNo, type Fact } from './patient-script';
import { lowered } from './patient-speech';
import { openingOf } from './role-card';
import type { PatientTurnRequest } from './tester';

/** Only the end of a long reply is heard: that is where the question is. */
const HEARD_CHARACTERS = 8_000;
const MAX_QUESTIONS = 3;
/** The least weight of shared terms for a fact to answer a question. */
const ANSWERS = 1;
/** The least weight of shared terms for a fact that was told before to be told again. */
const ASKED_AGAIN = 2;

/** What a person says when nothing was asked and nothing is left to volunteer. There are more of them than a conversation has turns. */
const REACTIONS = [
  'Should I be worried?',
  'What do you think it is?',
  'All right. What should I do now?',
  'I see. What happens next?',
  'Okay, I understand.',
  'That is a lot to take in.',
  'Thank you. I will do that.',
  'I hope it turns out well.',
];
/** What a person answers to a question that the script does not cover. */
const UNKNOWN = [
  'I do not know about that, sorry.',
  'I could not say.',
  'I am not sure about that.',
  'I really do not know.',
  'Sorry, I cannot answer that one.',
  'I have no idea.',
  'That I do not know either.',
  'I cannot tell you that.',
];

export type SpeechRequest = Pick<PatientTurnRequest, 'card' | 'history'>;

/** The request without what `nextSpeech` ignores: replies may be very long. */
export function heardOf({ card, history }: SpeechRequest): SpeechRequest {
  const last = history.at(-1);
  const heard = history.map((exchange) => ({
    ...exchange,
    agentMessage: exchange === last ? exchange.agentMessage.slice(-HEARD_CHARACTERS) : '',
  }));
  return { card, history: heard };
}

/**
 * What the patient of a script says next, the same way every time: opens as the scenario says, answers questions with the facts
 * that share the most words with them, otherwise volunteers the next fact that may be volunteered, otherwise reacts; and invents
 * nothing. Facts that the script keeps back are told only when there is a question.
 */
export function nextSpeech({ card, history }: SpeechRequest): string {
  const own = factsOf(card);
  const facts = [...own, ...whereabouts(card.country, own)];
  const last = history.at(-1);
  if (last === undefined) return openingOf(card, USUAL_PATIENT) ?? firstOf(facts);
  const said = history.map(({ patientMessage }) => patientMessage);
  return replyTo(last.agentMessage, facts, said);
}

function firstOf(facts: readonly Fact[]): string {
  const first = facts.find(({ onlyWhenAsked }) => !onlyWhenAsked);
  return first?.speech ?? 'Hello, I would like some medical advice, please.';
}

function replyTo(agentMessage: string, facts: readonly Fact[], said: readonly string[]): string {
  const { questions, isAsking } = heardIn(agentMessage);
  const tellable = isAsking ? facts : facts.filter(({ onlyWhenAsked }) => !onlyWhenAsked);
  const untold = tellable.filter(({ speech }) => !wasSaid(speech, said));
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
  const repeated = isAsking ? againOf(questions, facts, said) : null;
  if (repeated !== null) return repeated;
  const heard = said.map((message) => ({ terms: new Set(termsOf(message)), isNegated: saysNo(message) }));
  const next = untold.find((fact) => !fact.onlyWhenAsked && !isImplied(fact, heard));
  if (next !== undefined) return next.speech;
  const lines = isAsking ? [...UNKNOWN, ...REACTIONS] : [...REACTIONS, ...UNKNOWN];
  return lines.find((line) => !said.includes(line)) ?? 'That is everything I can tell you.';
}

interface HeardQuestions {
  /** The terms of each question, or of the whole message when it contains none. */
  readonly questions: readonly ReadonlySet<string>[];
  readonly isAsking: boolean;
}

function heardIn(agentMessage: string): HeardQuestions {
  const sentences = sentencesOf(agentMessage.slice(-HEARD_CHARACTERS));
  const asked = sentences.filter((sentence) => endsInQuestion(sentence) || REQUEST.test(sentence));
  if (asked.length === 0) return { questions: [new Set(termsOf(sentences.join(' ')))], isAsking: false };
  return { questions: asked.slice(-MAX_QUESTIONS).map(askedIn), isAsking: true };
}

function askedIn(question: string): ReadonlySet<string> {
  return new Set([...termsOf(question), ...whereaboutsAsked(question)]);
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
  const needle = new Needle(speech);
  return said.some((message) => needle.isIn(message));
}

/** Whether a fact says nothing new: an earlier message, often the chief complaint, contains all its words. */
function isImplied({ terms, isNegated }: Fact, said: readonly Pick<Fact, 'terms' | 'isNegated'>[]): boolean {
  return said.some((message) => isNegated === message.isNegated && [...terms].every((term) => message.terms.has(term)));
}

/** Terms that no word has. */
const PLACE = '?place';
const COUNTRY = '?country';

/** Questions that only the country answers. */
const ASKS_COUNTRY =
  /\b(?:which|what) (?:country|part of the world)(?: is it)?(?: that)? (?:are you|do you live|you(?:'re| are)|is this|is that|should)\b|\b(?:your|the) country(?: (?:you|where you)|[?.,]| of residence\b)|\bcountry (?:are|do|is) you\b|\bwhere(?:abouts)? (?:do|is it that) you live\b|\bwhere(?:abouts)? are you (?:calling|speaking|writing) from\b|\bwhere(?:abouts)? are you (?:based|located|living)\b|\bwhere you(?:'re| are) (?:calling from|based|located)\b|\bwhere you live\b/;

/** "Where are you?", but not "Where are you feeling it?" */
const ASKS_PLACE =
  /\bwhere(?:abouts)?(?: exactly)? are you(?: (?:right now|just now|now|at the moment|currently|at present|today|at)){0,3}(?:[?.,;!]| and\b| or\b| so\b|$)|\bwhere you(?:'re| are)(?: (?:right now|just now|now|at the moment|currently|at)){0,3}(?:[?.,;!]| and\b| or\b| so\b|$)|\byour (?:current |exact )?(?:location|whereabouts)\b/;

/** The terms that a question has because it asks where the patient is. */
function whereaboutsAsked(question: string): string[] {
  const text = question.replaceAll('’', "'").toLowerCase();
  if (ASKS_COUNTRY.test(text)) return [PLACE, COUNTRY];
  return ASKS_PLACE.test(text) ? [PLACE] : [];
}

/**
 * Where the patient lives, told when asked for and never volunteered. What the script itself says of where the patient is comes
 * first.
 * @param country empty when that is not known
 */
function whereabouts(country: string, scriptFacts: readonly Fact[]): Fact[] {
  if (country === '') return [];
  const isTold = scriptFacts.some(({ about }) => /\bwhere(?:abouts)?\b|\blocation\b|\bcountry\b/i.test(about));
  const terms = new Set([PLACE, COUNTRY]);
  const answers = isTold ? new Set([COUNTRY]) : terms;
  const speech = `I live in ${country}.`;
  return [{ speech, terms, answers, isNegated: false, onlyWhenAsked: true, about: 'country' }];
}
