import {
  criterionTest,
  differenceOf,
  holm,
  leastPValue,
  mcnemarExact,
  ofSigns,
  pairedTest,
  pairedTestOf,
} from '../../../src/domain/statistics/paired-test';
import type { PairedShares } from '../../../src/domain/statistics/power';
import { signFlip } from '../../../src/domain/statistics/sign-flip';

type Counts = readonly [graded: number, passed: number];

const shares = (before: Counts, after: Counts): PairedShares => ({
  before: { graded: before[0], passed: before[1] },
  after: { graded: after[0], passed: after[1] },
});

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

describe('the test of two runs', () => {
  test('is McNemar’s where every scenario has one trial in both, else sign-flip', () => {
    const single = shares([1, 1], [1, 0]);
    expect(pairedTestOf([single, single])).toBe('mcnemar_exact');
    expect(pairedTestOf([single, shares([2, 1], [1, 0])])).toBe('sign_flip');
    expect(pairedTestOf([single, shares([1, 1], [2, 0])])).toBe('sign_flip');
  });

  test('has nothing to test without a scenario', () => {
    expect(pairedTest([])).toEqual({ name: 'mcnemar_exact', pValue: null });
  });

  test('is that of the differences of the pass shares', () => {
    expect(differenceOf(shares([4, 1], [5, 4]))).toBeCloseTo(0.8 - 0.25, 12);
    const single = [...times(15, shares([1, 1], [1, 0])), ...times(5, shares([1, 0], [1, 1])), shares([1, 1], [1, 1])];
    // 2 · Σ C(20, i) / 2²⁰ over i from 0 to 5. Drawn signs would only come near it.
    expect(pairedTest(single)).toEqual({ name: 'mcnemar_exact', pValue: (2 * 21_700) / 2 ** 20 });
    const several = [...single, shares([2, 1], [2, 0])];
    expect(pairedTest(several)).toEqual({ name: 'sign_flip', pValue: signFlip(several.map(differenceOf)) });
  });
});

describe('the test of a criterion', () => {
  const pair = (before: number, after: number) => ({ before, after });

  test('is McNemar’s where no trial met it in part', () => {
    expect(criterionTest([...times(15, pair(1, 0)), ...times(5, pair(0, 1)), ...times(9, pair(1, 1))])).toBe(
      mcnemarExact(15, 5),
    );
  });

  test.each([
    ['before', pair(0.5, 1)],
    ['after', pair(0, 0.5)],
  ])('is sign-flip where one did %s', (_when, inPart) => {
    const pairs = [...times(5, pair(1, 0)), inPart];
    // Of 64 patterns of signs as far from 0 as 4.5: all down or all up, and those two with the half turned.
    expect(criterionTest(pairs)).toBe(4 / 64);
  });

  test('counts no trial in which nothing changed', () => {
    expect(ofSigns([-1, 0, -0.5, 0, -2, 3])).toBe(mcnemarExact(3, 1));
    expect(ofSigns([0, 0])).toBe(1);
  });
});

describe('McNemar’s exact test', () => {
  test.each([
    [0, 0, 1],
    [1, 0, 1],
    [6, 0, 2 / 2 ** 6],
    [0, 6, 2 / 2 ** 6],
    [8, 1, (2 * (1 + 9)) / 2 ** 9],
    [3, 3, 1],
  ])('of %i lost and %i won is %d', (lost, won, p) => {
    expect(mcnemarExact(lost, won)).toBeCloseTo(p, 14);
  });

  test('is the same on either side of the number of coins from which it adds up logarithms', () => {
    // The normal approximation with its correction for continuity, whose error is some thousandths of it here.
    for (const changed of [998, 1_000, 1_002, 1_004]) {
      const p = mcnemarExact(changed / 2 - 30, changed / 2 + 30);
      expect(p).toBeGreaterThan(0.06);
      expect(p).toBeLessThan(0.063);
    }
  });

  test('falls to no less than scenarios enough can give', () => {
    expect([0, 1, 2, 6].map(leastPValue)).toEqual([1, 1, 0.5, 2 / 2 ** 6]);
    for (const scenarios of [1, 5, 20]) expect(mcnemarExact(scenarios, 0)).toBeCloseTo(leastPValue(scenarios), 14);
  });
});

describe('p-values adjusted by Holm', () => {
  test('are the least one times the number of tests, the next times one fewer, in the order given', () => {
    expect(holm([0.04, 0.01, 0.03])).toEqual([0.06, 0.03, 0.06]);
  });

  test('are no more than 1, and never less than a smaller one', () => {
    expect(holm([0.5, 0.6, 0.01])).toEqual([1, 1, 0.03]);
    expect(holm([])).toEqual([]);
  });

  test('count those of 1 that were left out', () => {
    const [least, next] = holm([0.01, 0.02], 10);
    expect(least).toBeCloseTo(0.1, 14);
    expect(next).toBeCloseTo(0.18, 14);
    const [whole] = holm([0.01, ...times(9, 1)]);
    expect(whole).toBeCloseTo(0.1, 14);
  });
});
