import type { Exchange } from '../../machines/conversation';
import { sentencesOf } from '../language/sentences';
import { tokensOf, type Token } from '../language/words';
import type { Unread } from './judge';

/** One sentence of the agent, word for word. */
export interface AgentSentence {
  readonly turn: number;
  readonly text: string;
  readonly isQuestion: boolean;
}

export interface Posting {
  /** Index of the sentence. */
  readonly sentence: number;
  /** Whether the term stands under a negation there. */
  readonly negated: boolean;
}

/** Sentences looked at for one term; a reply that says the same word more often says nothing new. */
const MAX_POSTINGS = 2_000;

/** What the agent said, findable by term. Building it takes time in proportion to the text. */
export class ReplyIndex {
  readonly sentences: AgentSentence[] = [];
  private readonly postings = new Map<string, Posting[]>();
  /** By turn the characters of sentences whose words were said too often before to be looked at there. */
  private readonly passedOver = new Map<number, number>();

  static of(transcript: readonly Exchange[]): ReplyIndex {
    const index = new ReplyIndex();
    for (const { turn, agentMessage } of transcript) {
      for (const text of sentencesOf(agentMessage)) index.add(turn, text);
    }
    return index;
  }

  get unread(): readonly Unread[] {
    return [...this.passedOver].map(([turn, characters]) => ({ turn, characters }));
  }

  of(term: string): readonly Posting[] {
    return this.postings.get(term) ?? [];
  }

  private add(turn: number, text: string): void {
    const sentence = this.sentences.length;
    this.sentences.push({ turn, text, isQuestion: isQuestion(text) });
    const seen = new Map<string, boolean>();
    for (const clause of clausesOf(text)) {
      const tokens = tokensOf(clause);
      const scope = negationScope(tokens);
      tokens.forEach(({ term }, at) => {
        // Said once without a negation is said.
        if (term !== '') seen.set(term, (seen.get(term) ?? true) && scope(at));
      });
    }
    let isWhole = true;
    for (const [term, negated] of seen) {
      const known = this.postings.get(term);
      if (known === undefined) this.postings.set(term, [{ sentence, negated }]);
      else if (known.length < MAX_POSTINGS) known.push({ sentence, negated });
      else isWhole = false;
    }
    if (!isWhole) this.passedOver.set(turn, (this.passedOver.get(turn) ?? 0) + text.length);
  }
}

const REQUEST = /\b(?:tell me|let me know|can you describe|please describe|could you share)\b/i;

function isQuestion(sentence: string): boolean {
  return /[?？]["'”’)*\s]*$/.test(sentence) || REQUEST.test(sentence);
}

/** Where one clause ends and a negation with it. A comma ends one only before a new verb or pronoun: lists go on. */
const CLAUSE_BREAK =
  /[;:()]|\s[-–—]\s|—|,\s+(?=(?:and |or )?(?:i|you|we|they|he|she|it|this|that|please|call|dial|phone|go|take|tell|get|contact|seek|ask|see|speak|stay|keep|let|rest|drink|stop|use|give|try|make|check|consider|start|do|don['’]t|never|avoid|your)\b)|\s(?=(?:but|if|when|because|unless|until|although|though|so|while|however|and (?:do|don['’]t|never|stop|avoid))\s)/i;

function clausesOf(sentence: string): string[] {
  return sentence.split(CLAUSE_BREAK);
}

/** After one of these words in a clause, things are denied, forbidden or stopped. */
const NEGATORS = new Set(
  `not no never none nothing without cannot avoid avoids avoiding avoided stop stops stopping stopped against instead rather
   refrain discontinue pause pausing withhold skip skipping neither nor isn't aren't wasn't weren't don't doesn't didn't won't wouldn't can't couldn't shouldn't
   mustn't needn't haven't hasn't hadn't`.split(/\s+/),
);
/** Of these, the ones that deny what stands before them too: "ibuprofen is not safe", but not "do not". */
const BACKWARD = new Set(
  `not never cannot isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't mustn't doesn't`.split(/\s+/),
);
/** Tells for each position of a clause whether a negation covers it. */
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
