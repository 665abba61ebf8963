import { sentenceOf, type Issue } from './checked';
import type { Refused } from './entry';
import type { Place } from './values-in';

/** The most problems with a place: each lookup takes time in proportion to the file, which a hostile file could make endless. */
const MOST_PLACED = 20;

/** The problems of a scenario, each with its place. */
export function refusedAt({ where, whereIs }: Place, issues: readonly Issue[]): Refused {
  const byPlace = new Map<string, Issue[]>();
  for (const issue of issues.slice(0, MOST_PLACED)) {
    const place = whereIs(issue.path);
    const same = byPlace.get(place);
    if (same === undefined) byPlace.set(place, [issue]);
    else same.push(issue);
  }
  const problems = [...byPlace].map(([place, same]) => ({ where: place, problem: sentenceOf(same) }));
  const others = issues.length - MOST_PLACED;
  return { problems: others > 0 ? [...problems, { where, problem: `and ${others} more problems` }] : problems };
}
