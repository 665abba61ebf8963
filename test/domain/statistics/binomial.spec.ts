import { binomial } from '../../../src/domain/statistics/binomial';
import { resampledMeans } from '../../../src/domain/statistics/paired-bootstrap';
import { RandomBits } from '../../../src/domain/statistics/random-bits';
import { signFlip } from '../../../src/domain/statistics/sign-flip';

const DRAWS = 40_000;

/** P(X = k), by the recurrence of the distribution from the mode outwards, in logarithms. */
function likelihoods(attempts: number, share: number): Float64Array {
  const logs = new Float64Array(attempts + 1);
  for (let k = 1; k <= attempts; k += 1) {
    logs[k] = (logs[k - 1] ?? 0) + Math.log((attempts - k + 1) / k) + Math.log(share / (1 - share));
  }
  const highest = logs.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY);
  const sum = logs.reduce((total, one) => total + Math.exp(one - highest), 0);
  return logs.map((one) => Math.exp(one - highest) / sum);
}

/** Pearson's χ² over outcomes that are expected at least ten times, the others together, in standard deviations above its mean. */
function misfit(attempts: number, share: number, seed: number): number {
  const random = new RandomBits(seed);
  const seen = new Float64Array(attempts + 1);
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const outcome = binomial(random, attempts, share);
    seen[outcome] = (seen[outcome] ?? 0) + 1;
  }
  let [statistic, cells, restSeen, restExpected] = [0, 0, 0, 0];
  likelihoods(attempts, share).forEach((likelihood, outcome) => {
    const expected = likelihood * DRAWS;
    if (expected < 10) {
      restSeen += seen[outcome] ?? 0;
      restExpected += expected;
      return;
    }
    statistic += ((seen[outcome] ?? 0) - expected) ** 2 / expected;
    cells += 1;
  });
  if (restExpected >= 10) {
    statistic += (restSeen - restExpected) ** 2 / restExpected;
    cells += 1;
  } else expect(restSeen).toBeLessThan(40);
  return cells < 2 ? 0 : (statistic - (cells - 1)) / Math.sqrt(2 * (cells - 1));
}

test.each([
  [1, 0.5],
  [3, 0.2],
  [12, 0.9],
  [19, 0.5],
  [20, 0.5],
  [40, 0.25],
  [500, 0.01],
  [1_000, 0.03],
  [1_000, 0.97],
  [20_000, 0.0004],
  [20_000, 0.3],
])('of %i attempts at %d as many succeed as the distribution says', (attempts, share) => {
  // Four standard deviations: one seed in some ten thousand would miss it, and the seed is fixed.
  expect(misfit(attempts, share, attempts)).toBeLessThan(4);
});

test('what cannot vary is not drawn', () => {
  const random = new RandomBits(1);
  expect([
    binomial(random, 0, 0.5),
    binomial(random, 9, 0),
    binomial(random, 9, 1),
    binomial(random, 9, 1.0000001),
  ]).toEqual([0, 0, 9, 9]);
  // No bits were asked for.
  expect(random.next()).toBe(new RandomBits(1).next());
});

test('means drawn by counts scatter as those of scenarios drawn one by one', () => {
  const few = Array.from({ length: 3_000 }, (_, n) => [-1, -0.5, 0, 0, 0.25, 1][n % 6] ?? 0);
  // A thousandth of a hair apart: no two are counted together, so each is drawn by itself.
  const apart = few.map((difference, n) => difference + n * 1e-8);
  const spread = (differences: readonly number[]): readonly [number, number] => {
    const means = [...resampledMeans(differences, 4_000)];
    const mean = means.reduce((sum, one) => sum + one, 0) / means.length;
    return [mean, Math.sqrt(means.reduce((sum, one) => sum + (one - mean) ** 2, 0) / means.length)];
  };
  const [[mean, deviation], [meanApart, deviationApart]] = [spread(few), spread(apart)];
  const standardError = deviationApart / Math.sqrt(4_000);
  expect(Math.abs(mean - meanApart)).toBeLessThan(5 * standardError);
  expect(Math.abs(deviation / deviationApart - 1)).toBeLessThan(0.06);
  expect([...resampledMeans(few, 50)]).toEqual([...resampledMeans(few, 50)]);
});

test('values drawn together are those that are drawn one after the other', () => {
  const [one, many] = [new RandomBits(3), new RandomBits(3)];
  const values = Float64Array.from({ length: 50 }, (_, place) => 2 ** -place);
  for (let time = 0; time < 3; time += 1) {
    let sum = 0;
    for (let drawn = 0; drawn < values.length; drawn += 1) sum += values[one.integer(values.length)] ?? 0;
    expect(many.sumOfDrawn(values)).toBe(sum);
  }
  expect(many.next()).toBe(one.next());
});

test.each([
  ['all different', Array.from({ length: 18 }, (_, n) => (n % 3 === 0 ? -1 : 1) * (1 + n / 7))],
  ['a few alike', Array.from({ length: 19 }, (_, n) => (n % 4 === 0 ? -1 : 1) * (1 + (n % 5) / 3))],
  ['many alike', Array.from({ length: 18 }, (_, n) => (n % 3 === 0 ? -1 : 1) * (n < 10 ? 2 : 1 + n / 9))],
])('drawn signs say what all patterns of signs say: %s', (_what, differences) => {
  const seen = Math.abs(differences.reduce((sum, one) => sum + one, 0)) - 1e-9;
  let sums = [0];
  for (const one of differences) sums = sums.flatMap((sum) => [sum + one, sum - one]);
  const exact = sums.filter((sum) => Math.abs(sum) >= seen).length / sums.length;
  expect(Math.abs(signFlip(differences) - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / 20_000));
});
