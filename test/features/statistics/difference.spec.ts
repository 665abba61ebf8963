import { differenceIn, meanOf, scaled, signFlipInTurns } from '../../../src/features/statistics/difference';
import { boundOfUnvaried, leastPValue, percentilesOfAll } from '../../../src/domain/statistics';
import { signFlip } from '../../../src/domain/statistics/sign-flip';

const OPTIONS = { confidence: 0.95, most: 1 };

describe('a mean difference of scenarios', () => {
  test('is not known of none', async () => {
    expect(await differenceIn([], OPTIONS)).toBeNull();
  });

  test('has the bound of scenarios that differ alike, where they do', async () => {
    const alike = Array.from({ length: 20 }, () => 0.25);
    expect(await differenceIn(alike, OPTIONS)).toEqual({
      value: 0.25,
      ...boundOfUnvaried(0.25, 20, 0.95, 1),
      method: 'exact_bound',
    });
  });

  test('has that bound also where so few differ that no outcome of them could show a change', async () => {
    const five = [1, 0, -1, 1, 1];
    expect(await differenceIn(five, OPTIONS)).toMatchObject({ method: 'exact_bound' });
    expect(await differenceIn([...five, 1], OPTIONS)).toMatchObject({ method: 'paired_bootstrap' });
    // A level that the most extreme outcome reaches, and does not fall below.
    const atTheLevel = { ...OPTIONS, confidence: 1 - leastPValue(6) };
    expect(await differenceIn([...five, 1], atTheLevel)).toMatchObject({ method: 'exact_bound' });
  });

  test('is resampled by a fixed seed, within the bounds of what was seen', async () => {
    const many = Array.from({ length: 60 }, (_, place) => (place % 3) - 0.5);
    const found = await differenceIn(many, { ...OPTIONS, resamples: 500 });
    expect(found).toMatchObject({ value: 0.5, method: 'paired_bootstrap' });
    // The standard error is 0.105, and the interval reaches about twice as far.
    expect(found?.low).toBeCloseTo(0.29, 1);
    expect(found?.high).toBeCloseTo(0.71, 1);
    expect(await differenceIn(many, { ...OPTIONS, resamples: 500 })).toEqual(found);
  });

  test('has the percentiles of all resamples where scenarios are many and differ in many ways', async () => {
    const many = Array.from({ length: 3_000 }, (_, place) => ((place * 7_919) % 3_001) / 3_001 - 0.4);
    const ends = percentilesOfAll(many, 0.95);
    expect(ends).not.toBeNull();
    expect(await differenceIn(many, OPTIONS)).toEqual({ value: meanOf(many), ...ends, method: 'paired_bootstrap' });
  });

  test('of so many scenarios that every resample takes a turn is the same mean', async () => {
    const many = Array.from({ length: 600_000 }, (_, place) => place % 2);
    expect(await differenceIn(many, { ...OPTIONS, resamples: 3 })).toMatchObject({ value: 0.5 });
  });

  test('is scaled with both its ends', () => {
    const difference = { value: 0.5, low: -0.25, high: 1, method: 'exact_bound' } as const;
    expect(scaled(difference, 100)).toEqual({ value: 50, low: -25, high: 100, method: 'exact_bound' });
  });
});

test('a sign-flip test in turns of the event loop comes to what it comes to at once', async () => {
  const differences = Array.from({ length: 60 }, (_, place) => ((place * 37) % 11) - 4.2);
  expect(await signFlipInTurns(differences)).toBe(signFlip(differences));
  const few = [1, 2, -1, 4, 3, 2, 2];
  expect(await signFlipInTurns(few, true)).toBe(signFlip(few));
});

test('a mean is the sum by the number', () => {
  expect(meanOf([1, 2, 6])).toBe(3);
});
