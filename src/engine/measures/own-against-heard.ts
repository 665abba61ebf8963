import { entityErrors } from '../audio/entity-errors';
import { wordErrors } from '../audio/word-errors';
import { sentenceSpans } from '../../examiners/rules';
import {
  isDoubted,
  isReadable,
  sumOfWords,
  wordsOf,
  type MeasuredTurn,
  type Tally,
  type WordTally,
} from './measured-turn';

/** A sentence of which fewer than half of the words were heard was not heard. */
const HEARD_SHARE = 0.5;

export interface OwnAgainstHeard {
  readonly words: WordTally;
  /** Sentences of the agent's own account, and those that were not heard. */
  readonly sentences: Tally;
  /** Medicines, doses, times in it, and those that were heard otherwise or not at all. */
  readonly entities: Tally;
}

export function ownAgainstHeardOf(
  turns: readonly MeasuredTurn[],
  language: string,
  isEnglish: boolean,
): OwnAgainstHeard | null {
  const both = turns.map(({ spoken: { own, heard, heard_doubtful } }) => {
    return own === null || heard === null || isDoubted(heard_doubtful) || !isReadable(own, heard)
      ? null
      : { own, heard };
  });
  if (both.every((texts) => texts === null)) return null;
  const errors = both.map((texts) => texts && wordErrors(wordsOf(texts.own, language), wordsOf(texts.heard, language)));
  const sentences = { events: 0, hits: 0 };
  const entities = { events: 0, hits: 0 };
  for (const texts of both) {
    if (texts === null) continue;
    const heard = new Set(wordsOf(texts.heard, language));
    for (const { start, end } of sentenceSpans(texts.own)) {
      const words = wordsOf(texts.own.slice(start, end), language);
      if (words.length === 0) continue;
      sentences.events += 1;
      if (words.filter((word) => heard.has(word)).length < HEARD_SHARE * words.length) sentences.hits += 1;
    }
    if (!isEnglish) continue;
    // What the agent says that it said is the card here, and its own sound is what was heard of it.
    const found = entityErrors(texts.own, [{ said: texts.own, heard: texts.heard, reply: '' }]);
    entities.events += found.errors.events;
    entities.hits += found.errors.hits;
  }
  return { words: sumOfWords(turns, errors), sentences, entities };
}
