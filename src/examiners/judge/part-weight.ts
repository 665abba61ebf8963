import { GROUP_NAMES } from '../rules/synonyms';
import { termsOf, weightOf } from '../rules/words';

/** How much of a criterion a part of it is: 1 for what it is about, less for what many criteria have in common. */
export function partWeight(terms: readonly string[]): number {
  return Math.max(...terms.map((term) => WEIGHTS.get(term) ?? weightOf(term)));
}

/** Stands among the terms of a clause that refers to what was named before: "it", "they". */
export const SOMETHING_NAMED = '?it';
/** Stands among the terms of a clause that speaks of "him", "her" or "them". */
export const THIRD_PERSON = '?third';

/** Stands among the terms of a clause that offers something: "I can", "would you like". */
export const OFFERED = '?offered';
/** Stands among the terms of a clause in which no other person acts for the patient: "let your wife drive you" lacks it. */
export const ONESELF = '?oneself';

/** Stands among the terms of a clause that forbids to wait, which "now" alone does not. */
export const UNDELAYED = '?undelayed';

/** Replies call people "he" and "her". */
const NAMED_PEOPLE = `husband wife partner mother father parent brother sister friend daughter son woman man girl boy person people
  aunt uncle grandmother grandfather neighbour neighbor colleague child baby`;

/** Terms for people who are not spoken to. */
export const PEOPLE: ReadonlySet<string> = new Set(weighing(0, NAMED_PEOPLE).map(([term]) => term));

/** Words for which any other will do, or none at all: an agent need not say them to do what a criterion forbids. */
const LEFT_OUT: ReadonlySet<string> = new Set(
  weighing(
    0,
    `call take use give put go see get do make have try contain include become symptom sign risk problem condition thing product way
     level number amount kind type reason trouble difficulty advice exact exactly possible possibly probable probably likely certain
     particular clear right able going using want wish need feel contact consider visit attend quick fast
     himself herself itself yourself themselves somebody someone anybody anyone ${NAMED_PEOPLE}`,
  ).map(([term]) => term),
);

/** Whether a part with these terms has to be said before an agent is blamed. */
export function mustBeSaid(terms: readonly string[]): boolean {
  return terms.some((term) => term === THIRD_PERSON || (term !== SOMETHING_NAMED && !LEFT_OUT.has(term)));
}

const WEIGHTS: ReadonlyMap<string, number> = new Map([
  ...weighing(0.15, `himself herself itself yourself themselves somebody someone anybody anyone ${NAMED_PEOPLE}`),
  [THIRD_PERSON, 0.6],
  [SOMETHING_NAMED, 0],
  // Verbs that go with anything, words of degree, and what replies call "it".
  ...weighing(
    0.25,
    `call stay take use give put go see get do make have try pass leave contain develop become include occur cause raise
     increase change turn symptom sign risk problem condition thing product way level number amount kind type reason trouble
     difficulty advice exact exactly possible possibly probable probably likely certain particular clear regular early earlier recent current first next
     again fast quick team ever already more reading work care home right able want wish need feel talk describe contact consider
     seek seek_help arrange visit attend below beneath above behind tip part area service long longer thought`,
  ),
  // When or how much: less than what, and more than a word in passing.
  ...weighing(0.65, 'pain'),
  ...weighing(0.5, 'look'),
  ...weighing(0.45, 'attack reaction episode last'),
  ...weighing(0.4, 'end'),
  ...weighing(
    0.6,
    'happen today this_week tomorrow dose 2 3 4 5 6 7 8 9 10 11 12 15 20 24 30 48 60 hour day week month',
  ),
]);

function weighing(weight: number, words: string): [string, number][] {
  return words.split(/\s+/).map((word) => [GROUP_NAMES.has(word) ? word : (termsOf(word)[0] ?? word), weight]);
}
