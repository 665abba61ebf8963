import { plainText } from '../language/plain-text';
import { tokensOf, type Token } from '../language/words';
import type { NumberedSentence } from './sheet';

export interface Posting {
  /** Index of the sentence. */
  readonly sentence: number;
  /** Whether the term is negated there. */
  readonly negated: boolean;
  /** Whether it depends on an "if": said for a case that may not arise. */
  readonly conditional: boolean;
}

/** A sentence of the agent whose words are indexed. */
export interface ReadSentence {
  readonly id: string;
  readonly turn: number;
  readonly isQuestion: boolean;
}

/** Sentences kept for one term; using the same word more often says nothing new. */
const MAX_POSTINGS = 2_000;
/** A reply with more questions is a questionnaire: the patient answers only the first ones. */
const MOST_QUESTIONS_A_REPLY = 4;

/** What the agent said, findable by term. Building it takes time in proportion to the text. */
export class ReplyIndex {
  readonly sentences: ReadSentence[] = [];
  private readonly postings = new Map<string, Posting[]>();
  private readonly questions = new Map<number, number>();

  /** @param words `to_patient` leaves out what speaks to the examiner */
  static of(sentences: readonly NumberedSentence[], words: 'all' | 'to_patient'): ReplyIndex {
    const index = new ReplyIndex();
    for (const sentence of sentences) {
      if (sentence.speaker === 'agent' && (words === 'all' || !sentence.toExaminer)) index.add(sentence);
    }
    return index;
  }

  of(term: string): readonly Posting[] {
    return this.postings.get(term) ?? [];
  }

  private add({ id, turn, text }: NumberedSentence): void {
    const plain = plainText(text);
    const isQuestion = isQuestionIn(plain);
    const asked = (this.questions.get(turn) ?? 0) + (isQuestion ? 1 : 0);
    this.questions.set(turn, asked);
    if (isQuestion && asked > MOST_QUESTIONS_A_REPLY) return;
    const sentence = this.sentences.length;
    this.sentences.push({ id, turn, isQuestion });
    const seen = new Map<string, { negated: boolean; conditional: boolean }>();
    for (const { clause, isConditional } of conditionsIn(plain)) {
      const tokens = tokensOf(clause);
      const scope = negationScope(tokens);
      tokens.forEach(({ term }, at) => {
        if (term === '') return;
        // A term that occurs once without a negation counts as said.
        const { negated, conditional } = seen.get(term) ?? { negated: true, conditional: true };
        seen.set(term, { negated: negated && scope(at), conditional: conditional && isConditional });
      });
    }
    for (const [term, how] of seen) {
      const known = this.postings.get(term);
      if (known === undefined) this.postings.set(term, [{ sentence, ...how }]);
      else if (known.length < MAX_POSTINGS) known.push({ sentence, ...how });
    }
  }
}

const CONDITION =
  /^(?:please |and |but |or |only )*(?:if|should (?:you|it|the|this|your)|in case|unless|whenever|(?:when|once|as soon as) (?:it|they|this|things|symptoms|(?:the|your) \w+) (?:gets?|becomes?|grows?|worsens?|spreads?|changes?))\b/i;

/** "If it gets worse, call" and "call if it gets worse" say what to do in a case that may not arise. */
function conditionsIn(sentence: string): { readonly clause: string; readonly isConditional: boolean }[] {
  return sentence.split(/[;:]\s+/).flatMap((part) => {
    const clauses = clausesOf(part);
    const isWhole = CONDITION.test(part);
    return clauses.map((clause, at) => ({
      clause,
      isConditional: isWhole || (CONDITION.test(clauses[at + 1] ?? '') && !/\beven$/i.test(clause.trim())),
    }));
  });
}

const REQUEST = /\b(?:tell me|let me know|can you describe|please describe|could you share)\b/i;

function isQuestionIn(sentence: string): boolean {
  return /[?？]["'”’)*\s]*$/.test(sentence) || REQUEST.test(sentence);
}

/** Where one clause ends, and with it the scope of a negation. A comma ends one only before a new verb or pronoun: lists continue. */
const CLAUSE_BREAK =
  /[;:()]|\s[-–—]\s|—|,\s+(?=(?:and |or )?(?:i|you|we|they|he|she|it|this|that|please|call|dial|phone|go|take|tell|get|contact|seek|ask|see|speak|stay|keep|let|rest|drink|stop|use|give|try|make|check|consider|start|do|don['’]t|never|avoid|your)\b)|\s(?=(?:but|if|when|once|as soon as|because|unless|until|although|though|so|while|however|and (?:do|don['’]t|never|stop|avoid))\s)/i;

function clausesOf(sentence: string): string[] {
  return sentence.split(CLAUSE_BREAK);
}

/** After one of these words in a clause, things are denied, forbidden or stopped. */
const NEGATORS = new Set(
  `not no never none nothing without cannot avoid avoids avoiding avoided stop stops stopping stopped against instead rather
   refrain discontinue pause pausing withhold skip skipping neither nor isn't aren't wasn't weren't don't doesn't didn't won't wouldn't can't couldn't shouldn't
   mustn't needn't haven't hasn't hadn't`.split(/\s+/),
);
/** Of these, the ones that also deny what comes before them: "ibuprofen is not safe", but not "do not". */
const BACKWARD = new Set(
  `not never cannot isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't mustn't doesn't`.split(/\s+/),
);

/** Says for each position in a clause whether a negation covers it. */
export function negationScope(tokens: readonly Token[]): (at: number) => boolean {
  const at = tokens.findIndex(isNegator);
  if (at === -1) return () => false;
  const word = tokens[at]?.word ?? '';
  const before = tokens[at - 1]?.word;
  const isImperative = before === undefined || before === 'do' || before === 'please' || before === 'to';
  const from = BACKWARD.has(word) && !isImperative ? 0 : at;
  return (position) => position >= from;
}

/** A phrase such as "do not wait" or "no problem" has a meaning of its own and denies nothing. */
export function isNegator({ word, isPhrase }: Token): boolean {
  return !isPhrase && NEGATORS.has(word);
}
