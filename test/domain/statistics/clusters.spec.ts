import {
  effectiveSize,
  passHat,
  rateOf,
  scenariosIn,
  sumOf,
  without,
  type Cluster,
} from '../../../src/domain/statistics/clusters';
import { wilsonInterval } from '../../../src/domain/statistics/wilson';

const cluster = (graded: number, passed: number, scenarios?: number): Cluster =>
  scenarios === undefined ? { graded, passed } : { graded, passed, scenarios };

/** Each scenario by itself. */
const apart = (clusters: readonly Cluster[]): Cluster[] =>
  clusters.flatMap(({ graded, passed, scenarios = 1 }) =>
    Array.from({ length: scenarios }, () => ({ graded, passed })),
  );

const ALIKE = [cluster(4, 4, 3), cluster(4, 1, 2), cluster(3, 0), cluster(2, 1, 4)];

describe('scenarios that fared alike', () => {
  test('count as many as they are', () => {
    expect(scenariosIn(ALIKE)).toBe(10);
    expect(sumOf(ALIKE)).toEqual({ graded: 31, passed: 18 });
    expect(sumOf([])).toEqual({ graded: 0, passed: 0 });
  });

  test('have the rate that they have one by one', () => {
    const [together, single] = [rateOf(ALIKE, 0.95), rateOf(apart(ALIKE), 0.95)];
    expect(together?.value).toBe(18 / 31);
    for (const figure of ['value', 'low', 'high', 'effectiveSize'] as const) {
      expect(together?.[figure]).toBeCloseTo(single?.[figure] ?? NaN, 12);
    }
  });

  test.each([1, 2, 3, 4])('pass %i trials as often as they do one by one', (k) => {
    const [together, single] = [passHat(ALIKE, k), passHat(apart(ALIKE), k)];
    expect(together).toMatchObject({ k, scenarios: single.scenarios });
    expect(together.value).toBeCloseTo(single.value ?? NaN, 12);
  });
});

describe('the rate of scenarios', () => {
  test('is not known where nothing was graded, and of no scenario', () => {
    expect(rateOf([cluster(0, 0), cluster(0, 0, 5)], 0.95)).toBeNull();
    expect(rateOf([], 0.95)).toBeNull();
  });

  test('has Wilson’s interval, where each has one trial of their number', () => {
    const single = [cluster(1, 1, 17), cluster(1, 0, 3), cluster(0, 0, 2)];
    expect(rateOf(single, 0.9)).toEqual({
      value: 0.85,
      ...wilsonInterval(0.85, 20, 0.9),
      method: 'wilson',
      effectiveSize: 20,
    });
  });

  test('has that of their effective size, where any has several', () => {
    const several = [cluster(1, 1, 10), cluster(2, 1), cluster(0, 0)];
    const size = effectiveSize(several.slice(0, 2));
    expect(rateOf(several, 0.95)).toEqual({
      value: 11 / 12,
      ...wilsonInterval(11 / 12, size, 0.95),
      method: 'wilson_clustered',
      effectiveSize: size,
    });
  });
});

describe('the effective size of trials', () => {
  test.each([
    ['all passed', [cluster(5, 5, 3), cluster(2, 2)], 4],
    ['none passed', [cluster(5, 0, 3), cluster(2, 0)], 4],
    ['there is one scenario', [cluster(5, 2)], 1],
    ['all fared alike', [cluster(5, 2), cluster(5, 2), cluster(5, 2)], 3],
    ['all fared alike, but for rounding', [cluster(10, 1, 2), cluster(30, 3), cluster(70, 7)], 4],
  ])('is the number of scenarios where %s', (_when, clusters, size) => {
    expect(effectiveSize(clusters)).toBe(size);
  });

  test('is p(1 − p) by the variance between scenarios', () => {
    // p = 1/2; v = 4/3 · (2² + 2² + 0 + 0) / 16² = 1/24.
    expect(effectiveSize([cluster(4, 4), cluster(4, 0), cluster(4, 2, 2)])).toBeCloseTo(6, 12);
  });

  test('is no more than the trials, however even the scenarios are', () => {
    expect(effectiveSize([cluster(10, 5, 20), cluster(10, 6), cluster(10, 4)])).toBe(220);
  });
});

describe('scenarios without some of their trials', () => {
  test('are as if those had not been graded', () => {
    const leftOut = [
      { from: cluster(4, 4), graded: 1, passed: 1 },
      { from: cluster(2, 1), graded: 2, passed: 1 },
    ];
    const found = without(ALIKE, leftOut);
    expect(found).toHaveLength(6);
    expect(found).toEqual(
      expect.arrayContaining([
        cluster(4, 4, 2),
        cluster(3, 3, 1),
        cluster(4, 1, 2),
        cluster(3, 0, 1),
        cluster(2, 1, 3),
        cluster(0, 0, 1),
      ]),
    );
    expect(scenariosIn(found)).toBe(10);
  });

  test('fared as another scenario does then', () => {
    expect(without([cluster(2, 1), cluster(1, 1)], [{ from: cluster(2, 1), graded: 1, passed: 0 }])).toEqual([
      cluster(1, 1, 2),
    ]);
  });
});

describe('pass^k', () => {
  test('is the mean share of draws of k trials that all passed, over the scenarios with so many', () => {
    // C(3, 2) / C(4, 2) = 1/2, none of one passed, and C(3, 2) / C(3, 2).
    expect(passHat([cluster(4, 3), cluster(5, 1), cluster(3, 3), cluster(1, 1)], 2)).toEqual({
      k: 2,
      value: 0.5,
      scenarios: 3,
    });
  });

  test('is not known where no scenario has so many trials', () => {
    expect(passHat([cluster(2, 2), cluster(1, 1)], 3)).toEqual({ k: 3, value: null, scenarios: 0 });
  });
});
