/** The least changes that turn what was said into what was heard, in words. */
export interface WordErrors {
  readonly substitutions: number;
  readonly deletions: number;
  readonly insertions: number;
  /** Words said: the N of the rate. */
  readonly words: number;
}

/** The time grows with the product of the two lengths; this many words on either side take a few seconds. */
const MOST_WORDS = 10_000;

/** Texts too long to be compared word by word. */
export class TooManyWords extends Error {
  override readonly name = 'TooManyWords';
}

/**
 * The edit distance of V. Levenshtein over words, told apart by kind. Where several ways are equally short, a substitution is preferred to
 * a deletion, and a deletion to an insertion, from the end of the texts; the sum of the three does not depend on that.
 *
 * @param said words, normalised alike on both sides
 * @throws TooManyWords where either text has more than 10,000
 */
export function wordErrors(said: readonly string[], heard: readonly string[]): WordErrors {
  if (said.length > MOST_WORDS || heard.length > MOST_WORDS) {
    throw new TooManyWords(`A text of more than ${MOST_WORDS} words cannot be compared word by word.`);
  }
  // A row for the words of `said` so far. The cost of a cell, and how much of it is substitutions and deletions; the rest is insertions.
  let cost = Uint32Array.from({ length: heard.length + 1 }, (_, at) => at);
  let substituted = new Uint32Array(heard.length + 1);
  let deleted = new Uint32Array(heard.length + 1);
  for (const [row, word] of said.entries()) {
    const next = new Uint32Array(heard.length + 1);
    const [nextSubstituted, nextDeleted] = [new Uint32Array(heard.length + 1), new Uint32Array(heard.length + 1)];
    next[0] = row + 1;
    nextDeleted[0] = row + 1;
    for (let at = 1; at <= heard.length; at += 1) {
      const isSame = heard[at - 1] === word;
      const substitution = (cost[at - 1] ?? 0) + (isSame ? 0 : 1);
      const deletion = (cost[at] ?? 0) + 1;
      const insertion = (next[at - 1] ?? 0) + 1;
      const least = Math.min(substitution, deletion, insertion);
      next[at] = least;
      if (least === substitution) {
        nextSubstituted[at] = (substituted[at - 1] ?? 0) + (isSame ? 0 : 1);
        nextDeleted[at] = deleted[at - 1] ?? 0;
      } else if (least === deletion) {
        nextSubstituted[at] = substituted[at] ?? 0;
        nextDeleted[at] = (deleted[at] ?? 0) + 1;
      } else {
        nextSubstituted[at] = nextSubstituted[at - 1] ?? 0;
        nextDeleted[at] = nextDeleted[at - 1] ?? 0;
      }
    }
    [cost, substituted, deleted] = [next, nextSubstituted, nextDeleted];
  }
  const [substitutions, deletions] = [substituted[heard.length] ?? 0, deleted[heard.length] ?? 0];
  const insertions = (cost[heard.length] ?? 0) - substitutions - deletions;
  return { substitutions, deletions, insertions, words: said.length };
}

/** (S + D + I) / N over several texts, which weighs each word alike; null where nothing was said. It may exceed 1. */
export function wordErrorRate(errors: readonly WordErrors[]): number | null {
  const words = errors.reduce((sum, one) => sum + one.words, 0);
  const wrong = errors.reduce((sum, one) => sum + one.substitutions + one.deletions + one.insertions, 0);
  return words === 0 ? null : wrong / words;
}
