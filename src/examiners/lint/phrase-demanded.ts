import type { Rule } from './rule';

/**
 * A criterion names what is done, not the words it is done with: an agent that does it in words of its own must earn the points,
 * and one that recites the phrase must not.
 *
 * 'Says "Your safety comes first"' rewards five words; "Asks whether she is safe now" rewards an act.
 */
export const phraseDemanded: Rule = {
  name: 'phrase_demanded',
  severity: 'warning',
  *check({ criteria }) {
    for (const { path, text } of criteria) {
      if (!QUOTES_SPEECH.test(text) && !NAMES_WORDS.test(text)) continue;
      yield {
        path,
        sentence: 'Demands certain words: name the act that they stand for, so that any words that do it count.',
      };
    }
  },
};

const SAYING = String.raw`\b(?:says?|states?|uses?|using|mentions?|replies|answers?|begins?|ends?|opens?|closes?|includes?|asks?|tells?|writes?)\b`;
/** Words in quotation marks after a verb of saying. */
const QUOTES_SPEECH = new RegExp(
  String.raw`${SAYING}[^"“«]{0,60}["“«][^"”»]{2,200}["”»]|${SAYING}[^'‘]{0,60}\s['‘][^'’]{2,200}['’](?:\W|$)`,
  'i',
);
const NAMES_WORDS =
  /\b(?:the|exact|these|following) (?:words?|phrases?|term|expression)\b|\bword for word\b|\bverbatim\b|\bliterally\b/i;
