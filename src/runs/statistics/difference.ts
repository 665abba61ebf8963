import { ownTurn } from '../../concurrency/own-turn';
import { boundOfUnvaried, expandedPercentiles, resampledMeans, resamplesOf } from '../../statistics/paired-bootstrap';
import { leastPValue } from '../../statistics/mcnemar';
import { differenceOf } from '../../statistics/paired-test';
import type { CategoryDifference } from './comparison.view';
import type { MatchedScenario } from './matched-scenarios';

/** Points, after − before. */
export interface Difference {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly method: 'paired_bootstrap' | 'exact_bound';
}

/** Draws of a resampling that take less than some milliseconds. */
const DRAWS_A_TURN = 500_000;

/**
 * The mean difference of scenarios with its interval; null when there are none. So few that no outcome of them could show a change are not
 * resampled: that would take the little that was seen for all there is. They have the bound of scenarios that differ alike.
 * @param confidence 0..1, both excluded
 * @param resamples how many; a part of a comparison takes no more than the whole, so that all parts cost about as much
 */
export async function differenceIn(
  compared: readonly MatchedScenario[],
  confidence: number,
  resamples = resamplesOf(compared.length),
): Promise<Difference | null> {
  const differences = compared.map(differenceOf);
  const [first] = differences;
  if (first === undefined) return null;
  const value = meanOf(differences) * 100;
  const cannotShow = leastPValue(differences.length) >= 1 - confidence;
  if (cannotShow || differences.every((one) => one === first)) {
    const { low, high } = boundOfUnvaried(value / 100, differences.length, confidence);
    return { value, low: low * 100, high: high * 100, method: 'exact_bound' };
  }
  const means = await resample(differences, resamples);
  const { low, high } = expandedPercentiles(means, differences.length, confidence);
  return { value, low: low * 100, high: high * 100, method: 'paired_bootstrap' };
}

/** The same for the scenarios of each category, in the order of their names; last those whose scenario is gone, of no known category. */
export async function differencesByCategory(
  compared: readonly MatchedScenario[],
  confidence: number,
): Promise<CategoryDifference[]> {
  const resamples = resamplesOf(compared.length);
  const found: CategoryDifference[] = [];
  for (const [category, members] of membersOf(compared)) {
    const difference = await differenceIn(members, confidence, resamples);
    if (difference === null) continue;
    found.push({
      category,
      scenarios: members.length,
      before: meanOf(members.map(({ before }) => before.passed / before.graded)),
      after: meanOf(members.map(({ after }) => after.passed / after.graded)),
      ...difference,
    });
  }
  return found;
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

/** In turns of the event loop that others come in between. */
async function resample(differences: readonly number[], resamples: number): Promise<number[]> {
  const means: number[] = [];
  const aTurn = Math.max(1, Math.floor(DRAWS_A_TURN / differences.length));
  for (const mean of resampledMeans(differences, resamples)) {
    means.push(mean);
    if (means.length % aTurn === 0) await ownTurn(Number.POSITIVE_INFINITY);
  }
  return means;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}
