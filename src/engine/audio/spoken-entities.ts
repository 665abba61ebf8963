import { medicinesIn } from '../../examiners/rules';
import { matchingKeys, quantitiesIn } from './spoken-quantities';
import { comparableWords } from './spoken-text';

export type EntityKind = 'medicine' | 'dose' | 'time' | 'allergy';

/** What must not change on its way from the patient to the agent. */
export interface SpokenEntity {
  readonly kind: EntityKind;
  /** The same for all ways to say it. */
  readonly key: string;
  /** As the text has it, in words. */
  readonly text: string;
}

/** The entities of a role card. */
export interface RoleCardEntities {
  /** By kind and key, with the other keys under which a time of day is found again. */
  readonly keys: ReadonlySet<string>;
  /** The allergens, each as its words: medicines by their substance. */
  readonly allergens: readonly string[];
}

/** Longer texts are read to here: about an hour of speech. */
const MOST_CHARACTERS = 60_000;
const MOST_ALLERGENS = 50;
const NO_ALLERGIES = 'no allergies';
const DENIED =
  /\b(?:no|not|never|without|nothing|don't|doesn't|isn't|aren't|haven't|hasn't)\b(?: [\p{L}']+){0,4} allerg(?:y|ies|ic|ens?)\b/u;
const REACTION = /allerg|rash|react|swell|swollen|swelled|hives|anaphyla|itch|wheez/i;
const ALLERGIC_TO = /\ballerg(?:ic|y|ies) to ((?:[\p{L}'’-]+,? ?){1,8})/giu;
/** What follows the allergens of a list, or is not part of their names. */
const NO_ALLERGEN = new Set(
  'you i he she it they we which that who since but so because when have has had got is are and or as if not any anything'.split(
    ' ',
  ),
);
/** What stands before the name of one. */
const ARTICLES = new Set('a an the my your his her some most all'.split(' '));

export const idOf = ({ kind, key }: Pick<SpokenEntity, 'kind' | 'key'>): string => `${kind} ${key}`;

/** Medicines, doses, times and allergies of a role card in English. */
export function entitiesOfCard(card: string): RoleCardEntities {
  const text = card.slice(0, MOST_CHARACTERS);
  const allergens = allergensOf(text);
  const found = entitiesIn(text, allergens);
  return { keys: new Set(found.flatMap(idsOf)), allergens };
}

/** The ids under which an entity is found again. */
export function idsOf(entity: SpokenEntity): readonly string[] {
  if (entity.kind !== 'time') return [idOf(entity)];
  return matchingKeys({ kind: 'time', key: entity.key, text: entity.text }).map((key) => idOf({ kind: 'time', key }));
}

/**
 * The entities of an English text; each once.
 * @param allergens of the role card: their names are allergies, and no medicines
 */
export function entitiesIn(text: string, allergens: readonly string[]): SpokenEntity[] {
  const read = text.slice(0, MOST_CHARACTERS);
  const words = comparableWords(read);
  const found: SpokenEntity[] = [];
  for (const { substance, text: name } of medicinesIn(read)) {
    found.push({ kind: allergens.includes(substance) ? 'allergy' : 'medicine', key: substance, text: name });
  }
  const spoken = ` ${words.map(singular).join(' ')} `;
  for (const allergen of allergens) {
    if (spoken.includes(` ${allergen} `)) found.push({ kind: 'allergy', key: allergen, text: allergen });
  }
  const denial = DENIED.exec(words.join(' '));
  if (denial !== null) found.push({ kind: 'allergy', key: NO_ALLERGIES, text: denial[0] });
  found.push(...quantitiesIn(words));
  return [...new Map(found.map((entity) => [idOf(entity), entity])).values()];
}

/** The allergens that a card names: after "allergic to", and medicines in an answer about allergies that tells of a reaction. */
function allergensOf(card: string): string[] {
  const found = new Set<string>();
  for (const clause of card.split(/[.;!?\n]+/)) {
    if (!/allerg/i.test(clause) || found.size >= MOST_ALLERGENS) continue;
    const [prompt = '', ...rest] = clause.split(':');
    const answer = rest.length === 0 ? prompt : rest.join(':');
    if (DENIED.test(answer.toLowerCase().replaceAll('’', "'"))) continue;
    const isAboutAllergies = REACTION.test(answer) || !/medic|drug|tablet/i.test(prompt);
    const from = answer.search(/allerg/i);
    const told = from < 0 ? (isAboutAllergies ? answer : '') : answer.slice(from);
    for (const { substance } of medicinesIn(told)) found.add(substance);
    for (const [, list = ''] of answer.matchAll(ALLERGIC_TO)) for (const name of namesIn(list)) found.add(name);
  }
  return [...found].slice(0, MOST_ALLERGENS);
}

/** "bee stings, latex and the cat": up to two words each; "cats, and you have just got one" is one. */
function namesIn(list: string): string[] {
  return list
    .toLowerCase()
    .split(/,| and | or /)
    .map((item) => {
      const words = item.trim().split(' ');
      const start = words.findIndex((word) => !ARTICLES.has(word));
      const own = start < 0 ? [] : words.slice(start);
      const end = own.findIndex((word) => NO_ALLERGEN.has(word));
      return (end < 0 ? own : own.slice(0, end)).slice(0, 2).map(singular).join(' ');
    })
    .filter((name) => name !== '' && medicinesIn(name).length === 0);
}

function singular(word: string): string {
  return word.length > 3 ? word.replace(/(?<!s)s$/, '') : word;
}
