import { expandedPercentiles, percentilesOfAll, resampledMeans } from '../../../src/domain/statistics/paired-bootstrap';
import { RandomBits } from '../../../src/domain/statistics/random-bits';
import { quantilesOfResampledMeans, shareOfPatternsBeyond } from '../../../src/domain/statistics/saddlepoint';
import { countEqual, signFlip } from '../../../src/domain/statistics/sign-flip';

/** Differences of scores in whole points, as lopsided as real ones: most move a little, some by much. */
function lopsided(scenarios: number, drift: number): number[] {
  const random = new RandomBits(29);
  return Array.from({ length: scenarios }, () => {
    const size = 1 + random.integer(20) + (random.integer(3) === 0 ? random.integer(80) : 0);
    return random.fraction() < 0.5 + drift ? size : -size;
  });
}

/** The share of all patterns of signs, by adding up how many of them lead to each sum: exact for whole numbers. */
function shareOfAll(sizes: readonly number[], seen: number): number {
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  let shares = new Float64Array(2 * whole + 1);
  shares[whole] = 1;
  let reach = 0;
  for (const size of sizes) {
    const next = new Float64Array(shares.length);
    for (let sum = whole - reach; sum <= whole + reach; sum += 1) {
      const half = (shares[sum] ?? 0) / 2;
      next[sum - size] = (next[sum - size] ?? 0) + half;
      next[sum + size] = (next[sum + size] ?? 0) + half;
    }
    shares = next;
    reach += size;
  }
  return shares.reduce((sum, share, place) => (Math.abs(place - whole) >= seen ? sum + share : sum), 0);
}

describe('the share of sign patterns beyond what was seen', () => {
  test.each([0.002, 0.02, 0.04, 0.07, 0.1])('is that of all patterns, with a drift of %d', (drift) => {
    const differences = lopsided(600, drift);
    const sizes = differences.map(Math.abs);
    const seen = Math.abs(differences.reduce((sum, one) => sum + one, 0));
    const exact = shareOfAll(sizes, seen);
    // Sums are even or odd all together, two apart: half of that stands for the gap.
    const found = shareOfPatternsBeyond(countEqual(sizes), seen - 1);
    expect(Math.abs(found / exact - 1)).toBeLessThan(0.001);
    // As drawn, which was (r + 1) / (n + 1).
    const drawn = (20_000 * exact + 1) / 20_001;
    expect(Math.abs(signFlip(differences) / drawn - 1)).toBeLessThan(0.02);
  });

  test('is 1 where nothing was seen, and nothing where all moved one way', () => {
    const sizes = countEqual(lopsided(600, 0).map(Math.abs));
    const whole = [...sizes].reduce((sum, [size, count]) => sum + size * count, 0);
    expect(shareOfPatternsBeyond(sizes, 0)).toBe(1);
    expect(shareOfPatternsBeyond(sizes, whole)).toBe(0);
  });
});

test('sums with gaps that the other sizes do not fill are drawn: the share is that of the patterns of the equal ones', () => {
  // Of 400 equal sizes 230 moved up: 100 others are too small to matter, whatever their signs.
  const differences = [
    ...Array.from({ length: 400 }, (_, place) => (place < 230 ? 100 : -100)),
    ...Array.from({ length: 120 }, (_, place) => (place + 1) / 10_000),
  ];
  let exact = 0;
  let share = 2 ** -400;
  for (let up = 0; up <= 400; up += 1) {
    // The small ones decide at the edge itself, where half of their patterns are beyond.
    if (Math.abs(2 * up - 400) > 60) exact += share;
    share *= (400 - up) / (up + 1);
  }
  const found = signFlip(differences);
  expect(found).toBeGreaterThan(exact - 0.0008);
  expect(found).toBeLessThan(exact * 1.6);
});

/**
 * How likely a resampled mean is to lie below a point, as the score of a normal variable: by halving instead of the secant method, and
 * with derivatives by their definition.
 */
function scoreOf(values: readonly number[], point: number): number {
  const size = values.length;
  const generating = (t: number) => Math.log(values.reduce((sum, value) => sum + Math.exp(t * value), 0) / size);
  const slope = (t: number) => {
    const weights = values.map((value) => Math.exp(t * value));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return values.reduce((total, value, place) => total + value * (weights[place] ?? 0), 0) / sum;
  };
  let [low, high] = [-1, 1];
  for (let halving = 0; halving < 100; halving += 1) {
    const middle = (low + high) / 2;
    if (slope(middle) < point) low = middle;
    else high = middle;
  }
  const step = 1e-5;
  const curvature = (slope(low + step) - slope(low - step)) / (2 * step);
  const root = Math.sign(low) * Math.sqrt(2 * size * (low * point - generating(low)));
  return root + Math.log((low * Math.sqrt(size * curvature)) / root) / root;
}

test.each([
  ['skewed', (random: RandomBits) => -Math.log(random.fraction()) - 0.7],
  ['of few values, most of them 0', (random: RandomBits) => [0, 0, 0, 0, -1, 0.5, 2][random.integer(7)] ?? 0],
])('quantiles of resampled means lie where the approximation puts them: %s', (_what, draw) => {
  const random = new RandomBits(31);
  const values = Array.from({ length: 40 }, () => draw(random));
  const scores = [-2.5, -1, 0.5, 1.96];
  quantilesOfResampledMeans(countEqual(values), scores).forEach((quantile, place) => {
    expect(scoreOf(values, quantile)).toBeCloseTo(scores[place] ?? NaN, 5);
  });
});

describe('an interval of all resamples', () => {
  // Skewed, and no two alike.
  const random = new RandomBits(7);
  const differences = Array.from({ length: 800 }, () => -Math.log(random.fraction()) * 10 - 8);
  let means: readonly number[];
  beforeAll(() => {
    means = [...resampledMeans(differences, 40_000)];
  });

  test.each([0.5, 0.9, 0.95, 0.99])('lies where very many drawn ones put it, at confidence %d', (confidence) => {
    const drawn = expandedPercentiles(means, differences.length, confidence);
    const found = percentilesOfAll(differences, confidence);
    // The error of a drawn quantile of 0.5 %, the widest of these, is some 0.025 standard errors.
    const standardError = 10 / Math.sqrt(differences.length);
    expect(Math.abs((found?.low ?? 0) - drawn.low) / standardError).toBeLessThan(0.08);
    expect(Math.abs((found?.high ?? 0) - drawn.high) / standardError).toBeLessThan(0.08);
  });

  test('is not asked of few scenarios, nor of few different differences', () => {
    expect(percentilesOfAll(lopsided(499, 0), 0.95)).toBeNull();
    expect(
      percentilesOfAll(
        Array.from({ length: 5_000 }, (_, place) => place % 3),
        0.95,
      ),
    ).toBeNull();
  });
});
