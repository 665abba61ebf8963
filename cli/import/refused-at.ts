import { sentenceOf, type Issue } from './checked';
import type { Refused } from './entry';
import type { Place } from './values-in';

/** To look one up takes as long as its file is wide: of a hostile file that would be forever. */
const MOST_PLACED = 20;

/** What is wrong with a scenario, each by where it stands. */
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
