import { jStat } from 'jstat';
import { binomial } from './binomial';
import { RandomBits } from './random-bits';
import { MANY_PARTS, quantilesOfResampledMeans } from './saddlepoint';
import { countEqual } from './sign-flip';

/** Enough that the ends of an interval of 95 % move by a few hundredths of a standard error when another seed is taken. */
const MOST_RESAMPLES = 10_000;
const LEAST_RESAMPLES = 1_000;
/** What a large comparison may cost: some tenths of a second. */
const MOST_DRAWS = 20_000_000;
const SEED = 20_261_122;

/** How many resamples of so many scenarios are worth their time. */
export function resamplesOf(size: number): number {
  return Math.max(LEAST_RESAMPLES, Math.min(MOST_RESAMPLES, Math.floor(MOST_DRAWS / size)));
}

/** A draw from a binomial distribution takes about as long as so many draws of one scenario. */
const DRAWS_OF_A_COUNT = 24;

/**
 * Means of the differences of as many scenarios as there are, drawn from them with replacement: how the mean would have come out
 * with other scenarios of the same kind. One mean at a time, so that the caller can do other work in between.
 *
 * Scenarios of few trials have few different differences. Then what is drawn is how often each occurs, which is the same distribution:
 * of a resample, the counts are multinomial.
 */
export function resampledMeans(
  differences: readonly number[],
  resamples = resamplesOf(differences.length),
): Generator<number, void> {
  const counts = countEqual(differences);
  return isTallied(counts.size, differences.length)
    ? meansOfCounts(counts, differences.length, resamples)
    : meansOfDrawn(differences, resamples);
}

function isTallied(values: number, scenarios: number): boolean {
  return values * DRAWS_OF_A_COUNT < scenarios;
}

function* meansOfDrawn(differences: readonly number[], resamples: number): Generator<number, void> {
  const size = differences.length;
  const values = Float64Array.from(differences);
  const random = new RandomBits(SEED);
  for (let resample = 0; resample < resamples; resample += 1) yield random.sumOfDrawn(values) / size;
}

function* meansOfCounts(counts: ReadonlyMap<number, number>, size: number, resamples: number): Generator<number, void> {
  const random = new RandomBits(SEED);
  for (let resample = 0; resample < resamples; resample += 1) {
    let [sum, leftToDraw, leftToCount] = [0, size, size];
    for (const [value, count] of counts) {
      const drawn = binomial(random, leftToDraw, count / leftToCount);
      sum += drawn * value;
      leftToDraw -= drawn;
      leftToCount -= count;
    }
    yield sum / size;
  }
}

/**
 * The interval between the quantiles of resampled means that leave out as much on either side as Student's distribution would: plain
 * percentiles are too narrow for few scenarios.
 *
 * Source: B. Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7 (1979) 1–26; the expanded percentiles of
 * T. Hesterberg, "What teachers should know about the bootstrap", The American Statistician 69 (2015) 371–386, section 4.6.
 *
 * @param means of resampledMeans
 * @param size scenarios, at least 2
 * @param confidence 0..1, both excluded
 */
export function expandedPercentiles(
  means: readonly number[],
  size: number,
  confidence: number,
): { readonly low: number; readonly high: number } {
  const tail = jStat.normal.cdf(-expandedScore(size, confidence), 0, 1);
  const values = Float64Array.from(means);
  return { low: quantileOf(values, tail), high: quantileOf(values, 1 - tail) };
}

/**
 * The same of all resamples there could be, for scenarios that are many and have many different differences, so that resampling them
 * would take long; null for others.
 */
export function percentilesOfAll(
  differences: readonly number[],
  confidence: number,
): { readonly low: number; readonly high: number } | null {
  const size = differences.length;
  if (size < MANY_PARTS) return null;
  const counts = countEqual(differences);
  if (isTallied(counts.size, size)) return null;
  const score = expandedScore(size, confidence);
  const [low = 0, high = 0] = quantilesOfResampledMeans(counts, [-score, score]);
  return { low, high };
}

/** How far out the percentiles lie, in standard errors. */
function expandedScore(size: number, confidence: number): number {
  return jStat.studentt.inv((1 + confidence) / 2, size - 1) * Math.sqrt(size / (size - 1));
}

/** Linear between order statistics: the definition 7 of Hyndman and Fan (1996), which R and NumPy take by default. */
function quantileOf(values: Float64Array, probability: number): number {
  const place = (values.length - 1) * probability;
  const below = Math.floor(place);
  const lower = orderStatistic(values, below);
  // What stands behind it is now no smaller.
  const upper = below + 1 < values.length ? smallestFrom(values, below + 1) : lower;
  return lower + (place - below) * (upper - lower);
}

/**
 * The value that would stand in this place were the values in ascending order. Reorders them: none before it is larger, none after it
 * smaller. Two ends of an interval need no more of the order.
 *
 * Source: C. A. R. Hoare, "Algorithm 65: find", Communications of the ACM 4 (1961) 321–322.
 */
function orderStatistic(values: Float64Array, place: number): number {
  let [first, last] = [0, values.length - 1];
  while (first < last) {
    const pivot = values[(first + last) >> 1] ?? 0;
    let [left, right] = [first, last];
    while (left <= right) {
      while ((values[left] ?? 0) < pivot) left += 1;
      while ((values[right] ?? 0) > pivot) right -= 1;
      if (left > right) break;
      const moved = values[left] ?? 0;
      values[left] = values[right] ?? 0;
      values[right] = moved;
      left += 1;
      right -= 1;
    }
    if (place <= right) last = right;
    else if (place >= left) first = left;
    else break;
  }
  return values[place] ?? 0;
}

function smallestFrom(values: Float64Array, place: number): number {
  let smallest = values[place] ?? 0;
  for (let at = place + 1; at < values.length; at += 1) smallest = Math.min(smallest, values[at] ?? 0);
  return smallest;
}

/**
 * The interval of a mean whose scenarios all differ alike, which leaves a bootstrap nothing to resample. By the exact binomial bound a
 * share of up to 1 − (1 − c)^(1/m) of scenarios of the same kind may have gone unseen, and may differ by anything from −most to most.
 *
 * Source: J. A. Hanley and A. Lippman-Hand, "If nothing goes wrong, is everything all right?", JAMA 249 (1983) 1743–1745.
 */
export function boundOfUnvaried(
  difference: number,
  size: number,
  confidence: number,
  most = 1,
): { readonly low: number; readonly high: number } {
  const unseen = (1 - (1 - confidence) ** (1 / size)) * most;
  const seen = difference * (1 - confidence) ** (1 / size);
  return { low: seen - unseen, high: seen + unseen };
}
