import { plainText } from '../rules/plain-text';
import { tokensOf, type Token } from '../rules/words';
import { clausesIn, type Clause } from './clauses';
import type { NumberedSentence } from './marking-request';
import { isNegatorAt, negationScope } from './negation';
import { OFFERED, ONESELF, SOMETHING_NAMED, THIRD_PERSON, UNDELAYED } from './part-weight';
import { questionKindsIn, isQuestionIn } from './questions';

/** "Stop taking it now": what was named before is forbidden. "Never take it without food" forbids only a way of taking it. */
function forbidsIt(clause: string, next: string): boolean {
  const order = FORBIDS_IT.exec(clause)?.[1];
  if (order === undefined || PERMISSION_LIMITED.test(next)) return false;
  return !UNTIL.test(next) || !DENYING.has(order.toLowerCase());
}

/** "Naproxen is fine", "you can take naproxen", "take naproxen": what follows cannot forbid it. */
function grantsIt(clause: string): boolean {
  return GRANTS.test(clause) && !DENIES.test(clause);
}

const FORBIDS_IT =
  /(?<!\b(?:don't|not|never) )\b(stop|avoid|don't|do not|never|skip|pause|leave) (?:(?:take|taking|use|using|have|having|give|giving|drink|drinking|eat|eating) )?(?:it|them|that|those|this|any more|any|more)(?: (?:now|today|any ?more|at all|again|altogether|completely|either|please|for now|right away|straight away|immediately|at once|off|out|alone)){0,3}[,.!"'”’)*\s]*$/i;
const PERMISSION_LIMITED = /^(?:when|while|unless|if|as soon as|once)\b/i;
const UNTIL = /^until\b/i;
/** "Don't take it until you have eaten" allows it afterwards; "stop it until you have been seen" does not say so. */
const DENYING = new Set(["don't", 'do not', 'never']);

const GRANTS =
  /\b(?:you|he|she|they|patients|people) (?:can|may|should)\b(?! (?:buy|get|find|see|feel|read)\b)|\b(?:fine|safe|okay|ok|all right|alright|harmless)\b(?! for (?:most|many|some|other|healthy|young)\b)|\bi(?:'d| would)? (?:recommend|suggest)\b|^["'(*\s]*(?:(?:and|so|also|but|or|then|okay|first|next|now|please|just)\b[,\s]*){0,3}(?:take|use|give|try|have|chew|swallow|drink|eat|start|continue|keep|apply|drive|buy|get|go)\b/i;
const DENIES = /\b(?:not|never|no|cannot|can't|shouldn't|isn't|aren't|don't|stop|avoid)\b/i;

/** A term in a clause of a sentence, and in what way it is said there. */
export interface Posting extends Omit<Clause, 'text'> {
  /** Index of the sentence. */
  readonly sentence: number;
  /** Counts the clauses of all sentences. */
  readonly clause: number;
  /** Whether the term is negated there. */
  readonly negated: boolean;
  /** Whether it is the first word of the clause that says something: what the clause speaks of, not what it says. */
  readonly leads: boolean;
}

/** A sentence of the agent whose words are indexed. */
export interface ReadSentence {
  readonly id: string;
  readonly turn: number;
  readonly isQuestion: boolean;
}

/** Clauses kept for one term; using the same word more often says nothing new. */
const MAX_POSTINGS = 2_000;
/** A reply with more questions is a questionnaire: the patient answers only the first ones. */
const MOST_QUESTIONS_A_REPLY = 4;

const PRONOUN = /\b(?:it|its|it's|this|that|they|these|those|them|he|she|isn't)\b/i;
/** A list may be written with dashes. */
const LIST_DASH = /^[–—-] /;
const OF_OTHERS = /\b(?:he|she|they|him|her|them)\b/i;
/** "I", "I've", "it's" */
const SUBJECT_PRONOUN = /^(?:i|we|it|they)(?:'|$)/;
/** What holds for a child over one holds for no younger one. */
const LIMITED =
  /\b(?:child|children|kids?|adults?|people|patients|anyone|those)(?: who are| aged)? (?:over|above|under|below|older|younger|from)\b/i;
const OFFERS =
  /\b(?:i|we|shall|let me|let us)\b|\b(?:would|if) you(?:'d| would)? like\b|\bdo you want (?:me|us)\b|\byou (?:can|may) have\b/i;
/** "Let your wife drive you" */
const BY_OTHERS =
  /\b(?:let|have|ask|get) (?:someone|somebody|anyone|him|her|them|(?:your|an?) [a-z]{1,20})\b|\b(?:driv|tak|bring|giv|carr|help)[a-z]{0,5} (?:you|him|her|them)\b/i;

/** What the agent said, findable by term. Building it takes time in proportion to the text. */
export class ReplyIndex {
  readonly sentences: ReadSentence[] = [];
  private readonly postings = new Map<string, Posting[]>();
  private readonly questions = new Map<number, number>();
  private clauses = 0;
  /** Sentences that forbid what was named before them, and those that grant what they name. */
  private readonly forbidding = new Set<number>();
  private readonly granting = new Set<number>();

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

  /** Whether this sentence or the next one forbids what is named here: "Ibuprofen harms the kidneys. Stop taking it." */
  isForbiddenNear(sentence: number): boolean {
    if (this.granting.has(sentence)) return false;
    const { turn } = this.sentences[sentence] ?? {};
    return [sentence, sentence + 1].some((other) => this.forbidding.has(other) && this.sentences[other]?.turn === turn);
  }

  private add({ id, turn, text }: NumberedSentence): void {
    const plain = plainText(text).replace(LIST_DASH, '');
    const isQuestion = isQuestionIn(plain);
    const asked = (this.questions.get(turn) ?? 0) + (isQuestion ? 1 : 0);
    this.questions.set(turn, asked);
    if (isQuestion && asked > MOST_QUESTIONS_A_REPLY) return;
    const sentence = this.sentences.length;
    this.sentences.push({ id, turn, isQuestion });
    const kinds = isQuestion ? questionKindsIn(plain) : [];
    const clauses = clausesIn(plain, isQuestion);
    for (const [at, { text: clauseText, ...how }] of clauses.entries()) {
      this.clauses += 1;
      const tokens = tokensOf(clauseText);
      const scope = negationScope(tokens);
      const conditional = how.conditional || LIMITED.test(clauseText);
      const says = tokens.flatMap(({ term }) => (term === '' ? [] : [term]));
      // "I have ordered", "it is dangerous": what comes first is said of a person or a thing, and leads nothing.
      const isOfPronoun = tokens
        .slice(
          0,
          tokens.findIndex(({ term }) => term !== ''),
        )
        .some(({ word }) => SUBJECT_PRONOUN.test(word));
      const first = says.length > 1 && !isOfPronoun ? says[0] : undefined;
      const negatedTerms = new Map<string, boolean>();
      tokens.forEach(({ term }, position) => {
        // A term that occurs once without a negation counts as said.
        if (term !== '') negatedTerms.set(term, (negatedTerms.get(term) ?? true) && scope(position));
      });
      if (OF_OTHERS.test(clauseText)) negatedTerms.set(THIRD_PERSON, false);
      if (PRONOUN.test(clauseText)) negatedTerms.set(SOMETHING_NAMED, false);
      const isMeant = !how.conditional && !how.asked;
      if (isMeant && forbidsIt(clauseText, clauses[at + 1]?.text ?? '')) this.forbidding.add(sentence);
      if (isMeant && !how.reported && grantsIt(clauseText)) this.granting.add(sentence);
      if (OFFERS.test(clauseText)) negatedTerms.set(OFFERED, false);
      if (!BY_OTHERS.test(clauseText)) negatedTerms.set(ONESELF, false);
      if (tokens.some((_, position) => forbidsToWait(tokens, position))) negatedTerms.set(UNDELAYED, false);
      for (const kind of kinds) negatedTerms.set(kind, false);
      for (const [term, negated] of negatedTerms) {
        const known = this.postings.get(term);
        const posting = { sentence, clause: this.clauses, negated, leads: term === first, ...how, conditional };
        if (known === undefined) this.postings.set(term, [posting]);
        else if (known.length < MAX_POSTINGS) known.push(posting);
      }
    }
  }
}

const NO = /^(?:not|don't|without)$/;

/** "Do not wait" and "without delay" stand for "immediately", which alone forbids nothing. */
function forbidsToWait(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  return token?.term === 'immediate' && token.isPhrase && NO.test(token.word) && !isNegatorAt(tokens, at);
}
