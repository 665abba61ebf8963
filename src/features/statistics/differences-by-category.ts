import { resamplesOf } from '../../domain/statistics/paired-bootstrap';
import { differenceOf } from '../../domain/statistics/paired-test';
import type { CategoryDifference } from './comparison.view';
import { differenceIn, meanOf, scaled, type IntervalOptions } from './difference';
import type { MatchedScenario } from './matched-scenarios';
import { scoredOf } from './three-questions';

/** The difference in the scenarios of each category, in the order of their names; last those whose scenario is gone, of no known category. */
export async function differencesByCategory(
  compared: readonly MatchedScenario[],
  confidence: number,
): Promise<CategoryDifference[]> {
  const options = { confidence, resamples: resamplesOf(compared.length) };
  const found: CategoryDifference[] = [];
  for (const [category, members] of membersOf(compared)) {
    const difference = await differenceIn(members.map(differenceOf), { ...options, most: 1 });
    if (difference === null) continue;
    found.push({
      category,
      scenarios: members.length,
      before: meanOf(members.map(({ before }) => before.passed / before.graded)),
      after: meanOf(members.map(({ after }) => after.passed / after.graded)),
      ...scaled(difference, 100),
      score: await scoreIn(members, options),
    });
  }
  return found;
}

async function scoreIn(
  members: readonly MatchedScenario[],
  options: Omit<IntervalOptions, 'most'>,
): Promise<CategoryDifference['score']> {
  const scored = members.flatMap(scoredOf);
  const changes = scored.map(({ before, after }) => after - before);
  const difference = await differenceIn(changes, { ...options, most: 100 });
  if (difference === null) return null;
  const [before, after] = [scored.map((one) => one.before), scored.map((one) => one.after)].map(meanOf);
  return { before: before ?? 0, after: after ?? 0, ...difference };
}

function membersOf(compared: readonly MatchedScenario[]): [category: string | null, members: MatchedScenario[]][] {
  const groups = new Map<string | null, MatchedScenario[]>();
  for (const scenario of compared) {
    const { category } = scenario.after;
    const others = groups.get(category);
    if (others === undefined) groups.set(category, [scenario]);
    else others.push(scenario);
  }
  return [...groups].sort(([one], [other]) => {
    if (one === null || other === null) return one === null ? 1 : -1;
    return one.localeCompare(other, 'en');
  });
}
