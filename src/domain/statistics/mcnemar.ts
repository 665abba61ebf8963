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

/** Of more coins 2⁻ⁿ leaves what a double can hold. */
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
