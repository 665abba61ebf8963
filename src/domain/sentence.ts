/** No sentence about a failure is longer: it is stored, sent to every subscriber and read by people. UTF-16 code units. */
export const LONGEST_SENTENCE = 2_000;

const CUT = ' … (the rest is cut)';

/** Characters beyond this one have two units. */
const LAST_OF_ONE_UNIT = 0xffff;

/** The text itself, or its beginning with a mark that says so; no character is cut in half. */
export function sentenceWithin(text: string, limit = LONGEST_SENTENCE): string {
  if (text.length <= limit) return text;
  const end = limit - CUT.length;
  const splitsPair = (text.codePointAt(end - 1) ?? 0) > LAST_OF_ONE_UNIT;
  return text.slice(0, splitsPair ? end - 1 : end) + CUT;
}

/** What a list leaves to the sentence around it and to the number of what it does not name. */
const LONGEST_LIST = LONGEST_SENTENCE - 200;

/** Names in a row, as many as a sentence has room for, and how many more there are: `a, b and 3 more`. */
export function listNames(names: readonly string[]): string {
  return list(names, ', ', ' and ');
}

/** The same for clauses: `a is missing; b is not a number; and 3 more`. */
export function listClauses(clauses: readonly string[]): string {
  return list(clauses, '; ', '; and ');
}

function list(parts: readonly string[], separator: string, beforeCount: string): string {
  let listed = sentenceWithin(parts[0] ?? '', LONGEST_LIST);
  for (let index = 1; index < parts.length; index += 1) {
    const longer = listed + separator + parts[index];
    if (longer.length > LONGEST_LIST) return `${listed}${beforeCount}${parts.length - index} more`;
    listed = longer;
  }
  return listed;
}

/** A category, tag or code as words. */
export function spaced(name: string): string {
  return name.replaceAll('_', ' ');
}
