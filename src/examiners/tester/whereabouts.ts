import type { Fact } from './patient-script';

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
export function whereaboutsAsked(question: string): string[] {
  const text = question.replaceAll('’', "'").toLowerCase();
  if (ASKS_COUNTRY.test(text)) return [PLACE, COUNTRY];
  return ASKS_PLACE.test(text) ? [PLACE] : [];
}

/**
 * Where the patient lives, told when asked for and never volunteered. What the script itself says of where the patient is comes first.
 * @param country empty when nobody says
 */
export function whereabouts(country: string, scriptFacts: readonly Fact[]): Fact[] {
  if (country === '') return [];
  const isTold = scriptFacts.some(({ about }) => /\bwhere(?:abouts)?\b|\blocation\b|\bcountry\b/i.test(about));
  const terms = new Set([PLACE, COUNTRY]);
  const answers = isTold ? new Set([COUNTRY]) : terms;
  const speech = `I live in ${country}.`;
  return [{ speech, terms, answers, isNegated: false, onlyWhenAsked: true, about: 'country' }];
}
