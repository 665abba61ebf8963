import { isSecretName } from './secret-names';

/** Where in a text a value stands that is named as a secret. */
export interface SecretPlace {
  readonly start: number;
  readonly end: number;
}

/** A name and what separates it from its value: `key=`, `"token": "`, `<ApiKey>`. */
const NAMED = /(?<![\w.-])([\w.-]{1,60})["']?\s{0,3}[=:>]\s{0,3}/g;
const VALUE = /^(?:["']\s{0,3})?(?:(?:Bearer|Basic)\s{1,3})?([^\s<>&;,"'(){}[\]]{1,4096})/i;
const LONGEST = 4_200;
const MOST_PLACES = 100;
/** Shorter ones are versions, languages, switches. */
const MIN_LENGTH = 8;
/** A word of a sentence, not a credential. */
const WORD = /^\p{Lu}?\p{Ll}+[.!?]?$/u;

/**
 * The values of a text or XML that stand beside the name of a credential, in the order of the text; at most a hundred. Time grows with the
 * length of the text.
 */
export function secretPlacesIn(text: string): readonly SecretPlace[] {
  const places: SecretPlace[] = [];
  for (const { 0: name, 1: word = '', index } of text.matchAll(NAMED)) {
    if (!isSecretName(word)) continue;
    const start = index + name.length;
    const found = VALUE.exec(text.slice(start, start + LONGEST));
    const value = found?.[1] ?? '';
    if (found === null || value.length < MIN_LENGTH || WORD.test(value)) continue;
    const end = start + found[0].length;
    places.push({ start: end - value.length, end });
    if (places.length === MOST_PLACES) break;
  }
  return places;
}
