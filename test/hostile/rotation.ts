import { Chance } from '../soak/chance';

const DAY_MS = 86_400_000;

/**
 * What the corpus is made from, and which share of it a run takes: HOSTILE_SEED; by default the number of the day in CI, so that
 * consecutive days take consecutive shares, and the same word everywhere else.
 */
export const SEED =
  process.env['HOSTILE_SEED'] ?? (process.env['CI'] === 'true' ? String(Math.floor(Date.now() / DAY_MS)) : 'hostile');

/** A number is taken as it is, so that shares follow each other; a word is made into one. */
const TURN = /^\d{1,9}$/.test(SEED) ? Number(SEED) : new Chance(SEED).between(0, 1_000_000);

/**
 * One of several disjoint shares of a list, each of which has some of every part of it. All of them together are the list; the next seed gives
 * the next share.
 */
export function shareOf<Item>(items: readonly Item[], share: number, of: number): readonly Item[] {
  return items.filter((_, at) => (at + TURN) % of === share % of);
}

/** The one of several whose turn it is at a place of a list: each of them has its turn once in as many seeds. */
export function inTurn<Item>(items: readonly Item[], place: number): Item {
  const item = items[(place + TURN) % items.length];
  if (item === undefined) throw new Error('There is nothing to take turns.');
  return item;
}
