import { createHash } from 'node:crypto';

/**
 * CI tries every case. Elsewhere a spec with thousands of cases tries a sample drawn from Jest's seed: each run draws another, and
 * `--seed` repeats one. `CI=true npm test` tries all.
 */
const TRIES_ALL = process.env['CI'] === 'true';

/** All cases in CI; elsewhere `count` of them, in their own order. @param about a label, so that specs and tests draw differently by one seed */
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
