import { binomial } from './binomial';
import { RandomBits } from './random-bits';
import { MANY_PARTS, shareOfPatternsBeyond, type Counts } from './saddlepoint';

/** All patterns of signs are gone through for so many differences, 65,536 patterns; beyond, patterns are drawn. */
const ALL_PATTERNS_UP_TO = 16;
const MOST_DRAWN = 20_000;

/** Any number, and always the same: a comparison that is computed again gives the same p-value. */
const SEED = 20_261_121;

/** Sums of shares that are equal are equal to this, whatever their order; of longer sums, to this part of all sizes together. */
const ROUNDING = 1e-9;
const ROUNDING_OF_LONG = 1e-11;

/** Draws, of one size's signs or of eight sizes' together, between two pauses: some milliseconds. */
const DRAWS_A_STEP = 200_000;

/**
 * Whether scenarios that were examined several times changed more in one direction than chance explains. Had nothing changed, each
 * difference would be as likely with the other sign: p is the share of sign patterns whose sum is at least as far from 0 as the one seen,
 * of all patterns for up to 16 differences that are not 0, else (r + 1) / (n + 1) of 20,000 drawn by a fixed seed. Of many differences of
 * many sizes r is not drawn: it is what 20,000 draws have on average.
 *
 * Source: R. A. Fisher, "The design of experiments" (1935), section 21; B. Phipson and G. K. Smyth, "Permutation p-values should never be
 * zero", Statistical Applications in Genetics and Molecular Biology 9 (2010), article 39.
 *
 * @param differences after − before of each scenario, in any unit
 */
export function signFlip(differences: readonly number[]): number {
  const steps = signFlipSteps(differences);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * The same in steps of some milliseconds, so that the caller can do other work in between.
 * @param mostDrawn patterns that are drawn at most
 */
export function* signFlipSteps(differences: readonly number[], mostDrawn = MOST_DRAWN): Generator<void, number> {
  const sizes = differences.map(Math.abs).filter((size) => size > ROUNDING);
  if (sizes.length === 0) return 1;
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const seen = Math.abs(differences.reduce((sum, one) => sum + one, 0)) - Math.max(ROUNDING, ROUNDING_OF_LONG * whole);
  if (sizes.length <= ALL_PATTERNS_UP_TO) return shareOfAll(sizes, seen);
  const counts = countEqual(sizes);
  return isSmooth(counts, sizes.length)
    ? (mostDrawn * shareOfPatternsBeyond(counts, seen) + 1) / (mostDrawn + 1)
    : yield* shareOfDrawn(sizes, seen, mostDrawn);
}

/** Fewer sizes are drawn size by size, in no time. */
const MANY_SIZES = 64;

/**
 * Whether sums of random signs lie as close together as if they could be any number. They do not where one size outweighs all others
 * together: sums of equal sizes have gaps of twice the size, which the others have to fill.
 */
function isSmooth(counts: Counts, differences: number): boolean {
  if (differences < MANY_PARTS || counts.size < MANY_SIZES) return false;
  const squares = [...counts].map(([size, count]) => size * size * count);
  const whole = squares.reduce((sum, square) => sum + square, 0);
  return [...counts.keys()].every((size, place) => whole - (squares[place] ?? 0) >= (2 * size) ** 2);
}

function shareOfAll(sizes: readonly number[], seen: number): number {
  // Half of them: the other half are their mirror images, equally far from 0.
  const patterns = 2 ** (sizes.length - 1);
  const sums = new Float64Array(patterns);
  sums[0] = sizes[0] ?? 0;
  let known = 1;
  for (const size of sizes.slice(1)) {
    for (let place = 0; place < known; place += 1) {
      const sum = sums[place] ?? 0;
      sums[known + place] = sum - size;
      sums[place] = sum + size;
    }
    known *= 2;
  }
  let atLeast = 0;
  for (const sum of sums) if (Math.abs(sum) >= seen) atLeast += 1;
  return atLeast / patterns;
}

function* shareOfDrawn(sizes: readonly number[], seen: number, draws: number): Generator<void, number> {
  const random = new RandomBits(SEED);
  const groups = [...countEqual(sizes)];
  const many = groups.filter(([, count]) => count > BITS_OF_A_BYTE);
  const few = groups.filter(([, count]) => count <= BITS_OF_A_BYTE);
  const subsets = new SubsetSums(few.flatMap(([size, count]) => Array.from({ length: count }, () => size)));
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const aStep = Math.max(1, Math.floor(DRAWS_A_STEP / (many.length + subsets.steps)));
  let atLeast = 0;
  for (let drawn = 0; drawn < draws; drawn += 1) {
    let positive = subsets.drawn(random);
    for (const [size, count] of many) positive += size * heads(random, count);
    if (Math.abs(2 * positive - whole) >= seen) atLeast += 1;
    if ((drawn + 1) % aStep === 0) yield;
  }
  return (atLeast + 1) / (draws + 1);
}

/** Each value of more differences than that is drawn by itself: how many of them are positive. */
const BITS_OF_A_BYTE = 8;

/** Sums of random subsets of values, eight of them at a time: the sums of each eight are listed once, by the bits of a byte. */
class SubsetSums {
  private readonly sums: Float64Array;
  /** Random bytes of a draw. */
  readonly steps: number;

  constructor(values: readonly number[]) {
    this.steps = Math.ceil(values.length / BITS_OF_A_BYTE);
    this.sums = new Float64Array(this.steps * 256);
    for (let place = 0; place < this.sums.length; place += 1) {
      const bits = place % 256;
      const lowest = 31 - Math.clz32(bits & -bits);
      if (bits === 0) continue;
      const others = this.sums[place - (1 << lowest)] ?? 0;
      this.sums[place] = others + (values[Math.floor(place / 256) * BITS_OF_A_BYTE + lowest] ?? 0);
    }
  }

  drawn(random: RandomBits): number {
    let sum = 0;
    let word = 0;
    for (let step = 0; step < this.steps; step += 1) {
      word = step % 4 === 0 ? random.next() : word >>> 8;
      sum += this.sums[step * 256 + (word & 255)] ?? 0;
    }
    return sum;
  }
}

/** So many coins are counted bit by bit in about the time of one draw from their distribution. */
const COINS_COUNTED = 512;

function heads(random: RandomBits, coins: number): number {
  return coins <= COINS_COUNTED ? random.heads(coins) : binomial(random, coins, 0.5);
}

/** How often each value occurs, but for rounding. Shares of a few trials have few different ones. */
export function countEqual(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) {
    const key = Math.round(value / ROUNDING) * ROUNDING;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Signs that a part of a comparison may draw, so that many parts cost no more than some tenths of a second each. */
const MOST_COINS_OF_A_PART = 10_000_000;
const LEAST_DRAWN_OF_A_PART = 1_000;

/** How many patterns are drawn for one of many tests over so many scenarios. */
export function drawnOfAPart(scenarios: number): number {
  const affordable = Math.floor(MOST_COINS_OF_A_PART / Math.max(1, scenarios));
  return Math.max(LEAST_DRAWN_OF_A_PART, Math.min(MOST_DRAWN, affordable));
}
