import { minimumDetectableDrop } from '../../../src/domain/statistics/power';

/** z₀.₉₇₅ and z₀.₈. */
const [Z_LEVEL, Z_POWER] = [1.959963984540054, 0.8416212335729143];

/** The size that Fleiss, Levin and Paik ask for (formula 4.14) to show the difference of two rates. */
function sizeFor(before: number, after: number): number {
  const mean = (before + after) / 2;
  const spread = Math.sqrt(2 * mean * (1 - mean));
  const spreadOfBoth = Math.sqrt(before * (1 - before) + after * (1 - after));
  return ((Z_LEVEL * spread + Z_POWER * spreadOfBoth) / (before - after)) ** 2;
}

describe('the smallest drop that a second run shows', () => {
  test.each([
    [0.85, 20],
    [0.5, 100],
    [0.97, 60.5],
    [1, 12],
    [0.2, 400],
  ])('from %d is the one that takes a size of %d', (rate, size) => {
    const drop = minimumDetectableDrop(rate, size) ?? NaN;
    expect(drop).toBeGreaterThan(0);
    expect(drop).toBeLessThanOrEqual(rate);
    expect(sizeFor(rate, rate - drop)).toBeCloseTo(size, 5);
  });

  test('is none where not even a drop to nothing is shown, and from nothing', () => {
    const needed = sizeFor(0.3, 0);
    expect(minimumDetectableDrop(0.3, needed * 0.99)).toBeNull();
    expect(minimumDetectableDrop(0.3, needed * 1.01)).toBeCloseTo(0.3, 1);
    expect(minimumDetectableDrop(0, 1_000_000)).toBeNull();
  });
});
