import { ACTS } from './topics/acts';
import { CARE } from './topics/care';
import { MEDICINES } from './topics/medicines';
import { SYMPTOMS } from './topics/symptoms';

/**
 * Words that patients, agents and rubrics use for the same thing. Each line of a topic is a group: its name, then words and phrases;
 * ".." in a phrase stands for up to four words. Written for the offline tester and judge; a word belongs to one group only.
 */
const GROUPS = [SYMPTOMS, MEDICINES, CARE, ACTS].join('');

/** In a phrase, up to four words that keep their own meaning; it has one word before it and one after. */
export const GAP = '..';

export interface Phrase {
  /** The words after the first; `GAP` for some words that are not part of it. */
  readonly rest: readonly string[];
  readonly term: string;
}

/** Maps single words to the name of their group. */
export const CONCEPTS: ReadonlyMap<string, string> = new Map(
  entries().flatMap(({ words, term }): [string, string][] => (words.length === 1 ? [[words[0] ?? '', term]] : [])),
);

/** Maps the first words of phrases to what may follow, longest first. */
export const PHRASES: ReadonlyMap<string, readonly Phrase[]> = phrases();

/** The names of the groups, which are terms. */
export const GROUP_NAMES: ReadonlySet<string> = new Set(entries().map(({ term }) => term));

function entries(): { words: string[]; term: string }[] {
  return GROUPS.trim()
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [term = '', members = ''] = line.split(': ');
      return members.split(', ').map((member) => ({ words: member.split(' '), term }));
    });
}

function phrases(): Map<string, Phrase[]> {
  const byFirst = new Map<string, Phrase[]>();
  for (const { words, term } of entries()) {
    const [first = '', ...rest] = words;
    if (rest.length === 0) continue;
    byFirst.set(first, [...(byFirst.get(first) ?? []), { rest, term }]);
  }
  for (const list of byFirst.values()) list.sort((a, b) => b.rest.length - a.rest.length);
  return byFirst;
}
