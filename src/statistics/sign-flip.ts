import { RandomBits } from './random-bits';

/** All patterns of signs are gone through for so many differences, 65,536 patterns; beyond, patterns are drawn. */
const ALL_PATTERNS_UP_TO = 16;
const DRAWN = 20_000;

/** Any number, and always the same: whoever computes a comparison again gets the same p-value. */
const SEED = 20_261_121;

/** Sums of shares that are equal are equal to this, whatever their order. */
const ROUNDING = 1e-9;

/**
 * Whether scenarios that were examined several times changed more in one direction than chance explains. Had nothing changed, each
 * difference would be as likely with the other sign: p is the share of sign patterns whose sum is at least as far from 0 as the one seen,
 * of all patterns for up to 16 differences that are not 0, else (r + 1) / (n + 1) of 20,000 drawn by a fixed seed.
 *
 * Source: R. A. Fisher, "The design of experiments" (1935), section 21; B. Phipson and G. K. Smyth, "Permutation p-values should never be
 * zero", Statistical Applications in Genetics and Molecular Biology 9 (2010), article 39.
 *
 * @param differences after − before of each scenario's pass share
 */
export function signFlip(differences: readonly number[]): number {
  const sizes = differences.map(Math.abs).filter((size) => size > ROUNDING);
  const seen = Math.abs(differences.reduce((sum, one) => sum + one, 0)) - ROUNDING;
  if (sizes.length === 0) return 1;
  return sizes.length <= ALL_PATTERNS_UP_TO ? shareOfAll(sizes, seen) : shareOfDrawn(sizes, seen);
}

function shareOfAll(sizes: readonly number[], seen: number): number {
  // Half of them: the other half are their mirror images, equally far from 0.
  const [first = 0, ...others] = sizes;
  let sums = [first];
  for (const size of others) sums = sums.flatMap((sum) => [sum + size, sum - size]);
  return sums.filter((sum) => Math.abs(sum) >= seen).length / sums.length;
}

function shareOfDrawn(sizes: readonly number[], seen: number): number {
  const random = new RandomBits(SEED);
  const groups = [...countEqual(sizes)];
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  let atLeast = 0;
  for (let drawn = 0; drawn < DRAWN; drawn += 1) {
    let positive = 0;
    for (const [size, count] of groups) positive += size * random.heads(count);
    if (Math.abs(2 * positive - whole) >= seen) atLeast += 1;
  }
  return (atLeast + 1) / (DRAWN + 1);
}

/** Pass shares of a few trials have few different sizes: the signs of each are drawn together. */
function countEqual(sizes: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const size of sizes) {
    const key = Math.round(size / ROUNDING) * ROUNDING;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
