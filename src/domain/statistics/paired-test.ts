import type { PairedShares } from './power';
import { signFlip } from './sign-flip';

export interface PairedTest {
  readonly name: 'mcnemar_exact' | 'sign_flip';
  /** Two-sided; null when there is nothing to test. */
  readonly pValue: number | null;
}

/** Whether the scenarios of two runs, each with a graded trial in both, fared differently: McNemar's test for one trial each, else sign-flip. */
export function pairedTest(scenarios: readonly PairedShares[]): PairedTest {
  const name = pairedTestOf(scenarios);
  if (scenarios.length === 0) return { name, pValue: null };
  const differences = scenarios.map(differenceOf);
  return { name, pValue: name === 'mcnemar_exact' ? ofSigns(differences) : signFlip(differences) };
}

export function pairedTestOf(scenarios: readonly PairedShares[]): PairedTest['name'] {
  const isSingle = scenarios.every(({ before, after }) => before.graded === 1 && after.graded === 1);
  return isSingle ? 'mcnemar_exact' : 'sign_flip';
}

/** After − before of a scenario's pass share. */
export function differenceOf({ before, after }: PairedShares): number {
  return after.passed / after.graded - before.passed / before.graded;
}

/**
 * Whether a criterion was decided differently over the trials of its scenario: McNemar's test, or sign-flip where some trial met it in part.
 * @param pairs how well it was met in the same trial of both runs, 0 to 1
 */
export function criterionTest(pairs: readonly { readonly before: number; readonly after: number }[]): number {
  const differences = pairs.map(({ before, after }) => after - before);
  const isWhole = pairs.every(({ before, after }) => Number.isInteger(before) && Number.isInteger(after));
  return isWhole ? ofSigns(differences) : signFlip(differences);
}

/** McNemar's test of how many fared better and how many worse. */
export function ofSigns(differences: readonly number[]): number {
  const lost = differences.filter((difference) => difference < 0).length;
  const won = differences.filter((difference) => difference > 0).length;
  return mcnemarExact(lost, won);
}

/**
 * Whether pass and fail changed places more often in one direction than chance explains: the exact two-sided test of McNemar,
 * p = min(1, 2 · Σ C(b + c, i) / 2^(b + c)) over i from 0 to min(b, c).
 *
 * Source: Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
 * Psychometrika 12 (1947) 153–157, in its exact form.
 *
 * Own arithmetic: jStat rounds its binomial distribution to ten decimals, and the libraries that do not are a hundred packages.
 *
 * @param lost scenarios that passed before and fail now
 * @param won scenarios that failed before and pass now
 */
export function mcnemarExact(lost: number, won: number): number {
  const changed = lost + won;
  const fewer = Math.min(lost, won);
  // The largest term first, and those below it by their ratio to the next.
  let sum = 0;
  let term = 1;
  for (let i = fewer; i >= 0; i -= 1) {
    sum += term;
    term *= i / (changed - i + 1);
  }
  return Math.min(1, 2 * sum * shareOfPatterns(changed, fewer));
}

/** With more coins 2⁻ⁿ is smaller than a double can hold. */
const MOST_COINS = 1_000;

/** C(n, k) / 2ⁿ: how likely n coins show k heads. Exact for a few dozen. */
function shareOfPatterns(n: number, k: number): number {
  if (n > MOST_COINS) {
    let log = -n * Math.LN2;
    for (let i = 1; i <= k; i += 1) log += Math.log((n - k + i) / i);
    return Math.exp(log);
  }
  let patterns = 1;
  for (let i = 1; i <= k; i += 1) patterns = (patterns * (n - k + i)) / i;
  return patterns * 2 ** -n;
}

/** The smallest p-value that so many scenarios can give, were all of them to change in one direction. */
export function leastPValue(scenarios: number): number {
  return Math.min(1, 2 ** (1 - scenarios));
}

/**
 * p-values of many tests, adjusted so that one of them is falsely below a level no more often than the level says, however they hang
 * together. In the order given.
 *
 * @param tests how many there were, where those with a p-value of 1 are left out: they change nothing else
 *
 * Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979) 65–70.
 */
export function holm(pValues: readonly number[], tests = pValues.length): number[] {
  const ascending = pValues.map((p, place) => ({ p, place })).sort((one, other) => one.p - other.p);
  const adjusted = new Array<number>(pValues.length).fill(1);
  let least = 0;
  ascending.forEach(({ p, place }, rank) => {
    least = Math.max(least, Math.min(1, (tests - rank) * p));
    adjusted[place] = least;
  });
  return adjusted;
}
