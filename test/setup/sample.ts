import { createHash } from 'node:crypto';

/**
 * CI tries every case. Elsewhere specs that have thousands of them try some: which ones follows from Jest's seed, so that each run
 * tries others, and `--seed` the same again. `CI=true npm test` tries all.
 */
const TRIES_ALL = process.env['CI'] === 'true';

/** All of the cases in CI; elsewhere so many, drawn by the seed, in their own order. @param about draws others for each spec, or each test */
export function someOf<Case>(cases: readonly Case[], count: number, about: string): readonly Case[] {
  if (TRIES_ALL || cases.length <= count) return cases;
  const placeOf = (at: number): string => createHash('sha1').update(`${jest.getSeed()} ${about} ${at}`).digest('hex');
  const drawn = cases.map((_, at) => ({ at, place: placeOf(at) })).sort((a, b) => (a.place < b.place ? -1 : 1));
  const chosen = new Set(drawn.slice(0, count).map(({ at }) => at));
  return cases.filter((_, at) => chosen.has(at));
}

/** How often something is tried that draws its own cases: in CI, and elsewhere. */
export function tries({ inCi, elsewhere }: { readonly inCi: number; readonly elsewhere: number }): number {
  return TRIES_ALL ? inCi : elsewhere;
}
