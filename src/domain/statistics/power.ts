import { normalQuantile } from './wilson';

/** What "shows" means: in eight of ten such runs, with a false alarm in one of twenty. */
const POWER = 0.8;
const LEVEL = 0.05;

const Z_LEVEL = normalQuantile(1 - LEVEL / 2);
const Z_POWER = normalQuantile(POWER);

/**
 * The smallest drop from a rate that a second run of the same effective size shows, two-sided at 5 % with power 80 %, the runs taken as
 * unpaired. Null when not even a drop to nothing is shown.
 *
 * Source: J. L. Fleiss, B. Levin and M. C. Paik, "Statistical methods for rates and proportions" (3rd ed., 2003), formula 4.14 without the
 * continuity correction, solved for the second rate.
 *
 * @param rate 0..1
 * @param size the effective size of either run
 * @returns 0..1
 */
export function minimumDetectableDrop(rate: number, size: number): number | null {
  // Convex in the drop and negative at none: it has one root if it is positive at the largest.
  const excess = (drop: number): number => {
    const lower = rate - drop;
    const mean = (rate + lower) / 2;
    const spread = Math.sqrt(2 * mean * (1 - mean)) * Z_LEVEL;
    const spreadOfBoth = Math.sqrt(rate * (1 - rate) + lower * (1 - lower)) * Z_POWER;
    return drop * Math.sqrt(size) - spread - spreadOfBoth;
  };
  if (rate <= 0 || excess(rate) < 0) return null;
  let [low, high] = [0, rate];
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = (low + high) / 2;
    if (excess(middle) < 0) low = middle;
    else high = middle;
  }
  return high;
}

/** As often as doubles can be halved between 0 and 1 with a difference. */
const HALVINGS = 60;

export interface PairedShares {
  readonly before: { readonly graded: number; readonly passed: number };
  readonly after: { readonly graded: number; readonly passed: number };
}

/**
 * How many trials of each of these scenarios, in both runs, would show a difference as large as the one seen (two-sided, power
 * 80 %). Null when there is no difference to show, or when so many trials as may be asked for would not do: then more scenarios would.
 *
 * The variance of a scenario's difference is what differs between scenarios, τ², and what differs between trials of one, w / T. The normal
 * approximation asks for δ ≥ (z₁₋ₐ⸝₂ + z₈₀) · √((τ² + w / T) / m). With one trial each the two cannot be told apart: all of it is then
 * taken as between trials, the better case.
 *
 * Source: E. Miller, "Adding error bars to evals" (2024), arXiv 2411.00640, sections 3 and 5.
 *
 * @param level of significance, two-sided, 0..1
 */
export function trialsNeeded(scenarios: readonly PairedShares[], mostTrials: number, level = LEVEL): number | null {
  const zLevel = normalQuantile(1 - level / 2);
  const m = scenarios.length;
  if (m < 2) return null;
  const differences = scenarios.map(({ before, after }) => shareOf(after) - shareOf(before));
  const mean = differences.reduce((sum, one) => sum + one, 0) / m;
  if (Math.abs(mean) < 1e-9) return null;
  const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (m - 1);
  const repeated = scenarios.filter(({ before, after }) => before.graded > 1 && after.graded > 1);
  const isSplit = repeated.length === m;
  const within = isSplit
    ? repeated.reduce((sum, { before, after }) => sum + varianceOf(before) + varianceOf(after), 0) / m
    : variance;
  const noise = isSplit
    ? repeated.reduce(
        (sum, { before, after }) => sum + varianceOf(before) / before.graded + varianceOf(after) / after.graded,
        0,
      ) / m
    : variance;
  const between = Math.max(0, variance - noise);
  const allowed = (m * mean * mean) / (zLevel + Z_POWER) ** 2;
  if (allowed <= between) return null;
  const trials = Math.max(1, Math.ceil(within / (allowed - between)));
  return trials <= mostTrials ? trials : null;
}

function shareOf({ graded, passed }: PairedShares['before']): number {
  return passed / graded;
}

/** The variance of a single trial, unbiased. */
function varianceOf({ graded, passed }: PairedShares['before']): number {
  const share = passed / graded;
  return (share * (1 - share) * graded) / (graded - 1);
}
