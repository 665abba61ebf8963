import { jStat } from 'jstat';

/**
 * Sums of hundreds of random parts and more, without drawing them. How likely such a sum is to lie beyond a point follows from its
 * cumulant generating function, with an error far below what thousands of draws leave to chance.
 *
 * Source: H. E. Daniels, "Tail probability approximations", International Statistical Review 55 (1987) 37–48, in the form of
 * O. E. Barndorff-Nielsen, "Inference on full or partial parameters based on the standardized signed log likelihood ratio", Biometrika 73
 * (1986) 307–322.
 */

/** Parts that a sum has at least to be taken for one of these. */
export const MANY_PARTS = 500;

/** How often each value occurs. */
export type Counts = ReadonlyMap<number, number>;

/** A tail below e⁻⁴⁰ is none: e to minus this is an upper bound of it. */
const NO_TAIL = 40;
const MOST_STEPS = 50;
const CLOSE_ENOUGH = 1e-9;

/**
 * The share of sign patterns whose sum is at least so far from 0.
 *
 * Source: J. Robinson, "Saddlepoint approximations for permutation tests and confidence intervals", Journal of the Royal Statistical
 * Society B 44 (1982) 91–101.
 *
 * @param sizes above 0, and how many differences have each
 * @param seen in the unit of the sizes
 */
export function shareOfPatternsBeyond(sizes: Counts, seen: number): number {
  if (seen <= 0) return 1;
  const parts = columnsOf(sizes);
  let t = seen / varianceOf(parts);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { value, slope, curvature } = ofSigns(parts, t);
    const exponent = t * seen - value;
    if (exponent > NO_TAIL) return 0;
    const missing = seen - slope;
    if (missing < CLOSE_ENOUGH * seen) return 2 * jStat.normal.cdf(-signedRoot(t, exponent, curvature), 0, 1);
    // The slope rises ever more slowly, so that no step goes beyond the point that is looked for.
    t += missing / curvature;
  }
  return 0;
}

/**
 * The points of which resampled means of so many differences fall below, as often as a normal variable below each of the scores.
 *
 * Source: A. C. Davison and D. V. Hinkley, "Saddlepoint approximations in resampling methods", Biometrika 75 (1988) 417–431.
 *
 * @param counts of the differences that are drawn from, with replacement, as many as there are
 * @param scores in standard deviations, none of them 0
 */
export function quantilesOfResampledMeans(counts: Counts, scores: readonly number[]): number[] {
  const { values, counts: times } = columnsOf(counts);
  let [size, sum] = [0, 0];
  for (const [value, count] of counts) {
    size += count;
    sum += count * value;
  }
  const mean = sum / size;
  const centred = { values: values.map((value) => value - mean), counts: times };
  const deviation = Math.sqrt(varianceOf(centred) / size);
  const shares = {
    values: centred.values.map((value) => value / deviation),
    counts: times.map((count) => count / size),
  };
  return scores.map((score) => mean + deviation * quantileOf(shares, size, score));
}

/** By the secant method: the root is nearly the score in units of the standard error. */
function quantileOf(shares: Columns, size: number, score: number): number {
  const at = (t: number): { readonly miss: number; readonly mean: number } => {
    const { value, slope, curvature } = ofDraw(shares, t);
    const root = signedRoot(t, size * (t * slope - value), size * curvature);
    return { miss: root - score, mean: slope };
  };
  let [t, next] = [score / Math.sqrt(size), (score / Math.sqrt(size)) * 1.02];
  let [last, found] = [at(t), at(next)];
  for (let step = 0; step < MOST_STEPS && Math.abs(found.miss) > CLOSE_ENOUGH; step += 1) {
    const change = found.miss - last.miss;
    if (change === 0) break;
    [t, next] = [next, next - (found.miss * (next - t)) / change];
    [last, found] = [found, at(next)];
  }
  return found.mean;
}

/** Where a normal variable would lie that has the same tail. @param exponent of the tail, at least 0 */
function signedRoot(t: number, exponent: number, curvature: number): number {
  const root = Math.sign(t) * Math.sqrt(2 * Math.max(0, exponent));
  if (Math.abs(root) < 1e-4) return root;
  return root + Math.log((t * Math.sqrt(curvature)) / root) / root;
}

/** The same in two columns, value by value: they are summed up dozens of times. */
interface Columns {
  readonly values: Float64Array;
  readonly counts: Float64Array;
}

function columnsOf(counts: Counts): Columns {
  return { values: Float64Array.from(counts.keys()), counts: Float64Array.from(counts.values()) };
}

/** A cumulant generating function and its first two derivatives. */
interface Cumulants {
  readonly value: number;
  readonly slope: number;
  readonly curvature: number;
}

/** Of the sum of all sizes, each with a random sign. */
function ofSigns({ values: sizes, counts }: Columns, t: number): Cumulants {
  let [value, slope, curvature] = [0, 0, 0];
  for (let place = 0; place < sizes.length; place += 1) {
    const [size, count] = [sizes[place] ?? 0, counts[place] ?? 0];
    const tilt = t * size;
    const tanh = Math.tanh(tilt);
    value += count * (tilt + Math.log1p(Math.exp(-2 * tilt)) - Math.LN2);
    slope += count * size * tanh;
    curvature += count * size * size * (1 - tanh * tanh);
  }
  return { value, slope, curvature };
}

/** Of one draw. */
function ofDraw({ values, counts: shares }: Columns, t: number): Cumulants {
  let [whole, first, second] = [0, 0, 0];
  for (let place = 0; place < values.length; place += 1) {
    const [value, share] = [values[place] ?? 0, shares[place] ?? 0];
    const weight = share * Math.exp(t * value);
    whole += weight;
    first += weight * value;
    second += weight * value * value;
  }
  const slope = first / whole;
  return { value: Math.log(whole), slope, curvature: second / whole - slope * slope };
}

function varianceOf({ values, counts }: Columns): number {
  let sum = 0;
  for (let place = 0; place < values.length; place += 1) {
    const value = values[place] ?? 0;
    sum += (counts[place] ?? 0) * value * value;
  }
  return sum;
}
