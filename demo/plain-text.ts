import { stripVTControlCharacters } from 'node:util';

/** What a terminal would obey instead of showing: control characters, line ends, changes of direction. */
const OBEYED = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** One line of text by somebody else (an agent, a scenario, a server), safe to print. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(OBEYED, ' ').trim();
}
