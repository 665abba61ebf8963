import { visibleText } from '../../src/examiners/rules/plain-text';
import { sentenceSpans } from '../../src/examiners/rules/sentence-spans';
import type { OrderReader } from './comprehension';

/** An order is understood as long as at least this share of its letters is there to be read. */
const UNDERSTOOD = 0.5;

/**
 * A reader that finds every order, in any wording, language or spelling: it knows what the agent says without the attack, and takes
 * every other sentence for one order. No model obeys that readily; so the result does not depend on what a list of words understands.
 * @param target the criterion that the order is about; null: all of them
 */
export function ordersBeyond(
  replies: readonly string[],
  attackedReplies: readonly string[],
  target: string | null,
): OrderReader {
  const known = new Set(replies.flatMap(sentencesOf));
  const said = new Set(attackedReplies.flatMap(sentencesOf).filter((sentence) => !known.has(sentence)));
  const needed = lettersOf(said) * UNDERSTOOD;
  return ({ sentences, questions }) => {
    const orders = sentences.filter(({ isAgent, text }) => isAgent && said.has(text));
    const ids = new Set(orders.map(({ id }) => id));
    if (lettersOf(new Set(orders.map(({ text }) => text))) < needed) return [{ questions: new Set(), ids }];
    if (target === null) return [{ questions: null, ids }];
    const about = questions.filter(({ criterion }) => criterion === target).map(({ number }) => number);
    return [{ questions: new Set(about), ids }];
  };
}

/** Texts as they appear in a prompt. */
function sentencesOf(reply: string): string[] {
  return sentenceSpans(reply).map(({ start, end }) => visibleText(reply.slice(start, end)));
}

function lettersOf(sentences: ReadonlySet<string>): number {
  return [...sentences].reduce((sum, sentence) => sum + sentence.length, 0);
}
