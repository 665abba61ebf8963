import { jStat } from 'jstat';
import {
  expandedPercentiles,
  percentilesOfAll,
  resampledMeans,
  resamplesOf,
} from '../../../src/domain/statistics/paired-bootstrap';
import { RandomBits } from '../../../src/domain/statistics/random-bits';

/** Linear between the values in ascending order, as NumPy's `quantile` has it. */
function quantile(values: readonly number[], probability: number): number {
  const ascending = [...values].sort((one, other) => one - other);
  const place = (ascending.length - 1) * probability;
  const [lower = NaN, upper = lower] = ascending.slice(Math.floor(place));
  return lower + (place % 1) * (upper - lower);
}

describe('expanded percentiles', () => {
  const random = new RandomBits(5);
  const drawn = (count: number, different: number) =>
    Array.from({ length: count }, () => random.integer(different) - different / 3);

  test.each([
    ['one value', [4]],
    ['two', [3, -2]],
    ['values in order', Array.from({ length: 101 }, (_, place) => place)],
    ['values the other way round', Array.from({ length: 101 }, (_, place) => -place)],
    ['equal values', Array.from({ length: 50 }, () => 7)],
    ['many alike', drawn(500, 4)],
    ['hardly any alike', drawn(997, 100_000)],
  ])('are quantiles of the means, the further out the fewer scenarios there are: %s', (_what, means) => {
    for (const [size, confidence] of [
      [2, 0.5],
      [5, 0.9],
      [40, 0.95],
      [1_000, 0.8],
    ] as const) {
      const score = jStat.studentt.inv((1 + confidence) / 2, size - 1) * Math.sqrt(size / (size - 1));
      const tail = jStat.normal.cdf(-score, 0, 1);
      const { low, high } = expandedPercentiles(means, size, confidence);
      expect(low).toBeCloseTo(quantile(means, tail), 9);
      expect(high).toBeCloseTo(quantile(means, 1 - tail), 9);
    }
  });

  test('leave the means as they were', () => {
    const means = drawn(100, 50);
    const before = [...means];
    expandedPercentiles(means, 20, 0.95);
    expect(means).toEqual(before);
  });
});

describe('resampling', () => {
  test('costs about the same however many scenarios there are, within bounds', () => {
    expect([1, 2_000, 2_001, 5_000, 20_000, 1_000_000].map(resamplesOf)).toEqual([
      10_000, 10_000, 9_995, 4_000, 1_000, 1_000,
    ]);
  });

  test('gives as many means as are worth their time, or as are asked for', () => {
    expect([...resampledMeans([1, 2, 4])]).toHaveLength(10_000);
    expect([...resampledMeans([1, 2, 4], 7)]).toHaveLength(7);
    expect([...resampledMeans(Array.from({ length: 100 }, (_, place) => place % 2))]).toHaveLength(10_000);
  });

  test('of scenarios that differ alike varies nothing', () => {
    expect([...resampledMeans([0.25, 0.25, 0.25], 20)]).toEqual(Array.from({ length: 20 }, () => 0.25));
    // So many that how often each difference is drawn is drawn at once.
    const many = Array.from({ length: 200 }, () => 0.25);
    expect([...resampledMeans(many, 20)]).toEqual(Array.from({ length: 20 }, () => 0.25));
  });

  test('draws as many of few different differences as there are scenarios', () => {
    // Means of whole numbers over 200 scenarios are whole numbers of 1/200, within the least and the most.
    for (const mean of resampledMeans(
      Array.from({ length: 200 }, (_, place) => (place % 4) - 1),
      200,
    )) {
      expect(mean * 200).toBeCloseTo(Math.round(mean * 200), 9);
      expect(mean).toBeGreaterThan(-1);
      expect(mean).toBeLessThan(2);
    }
  });
});

test('the percentiles of all resamples are known of 500 scenarios on, with as many differences that draws take longer', () => {
  const different = (scenarios: number, values: number) =>
    Array.from({ length: scenarios }, (_, place) => (place % values) / values);
  expect(percentilesOfAll(different(499, 499), 0.95)).toBeNull();
  expect(percentilesOfAll(different(500, 500), 0.95)).not.toBeNull();
  // A count of one of the differences is drawn in the time of 24 scenarios: of 1,200 that is worth it for fewer than 50.
  expect(percentilesOfAll(different(1_200, 49), 0.95)).toBeNull();
  expect(percentilesOfAll(different(1_200, 50), 0.95)).not.toBeNull();
});
