import fc from 'fast-check';
import { inPortions } from '../../../src/features/runs/runs.service';

const portions = (weights: readonly number[], most: number) => inPortions(weights, (weight) => weight, most);

test.each<[string, number[], number[][]]>([
  ['nothing', [], []],
  ['what fits', [3, 3, 4], [[3, 3, 4]]],
  ['what does not fit', [3, 8, 2, 9], [[3], [8, 2], [9]]],
  ['what weighs too much by itself', [1, 50, 60, 1], [[1], [50], [60], [1]]],
  ['what weighs nothing', [0, 0, 10, 0], [[0, 0, 10, 0]]],
])('%s', (_, given, expected) => {
  expect(portions(given, 10)).toEqual(expected);
});

test('every item stands in one portion, in order, and only a lone item weighs more than the most', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100)), fc.nat(150), (given, most) => {
      const found = portions(given, most);
      expect(found.flat()).toEqual(given);
      for (const portion of found) {
        expect(portion.length).toBeGreaterThan(0);
        if (portion.length > 1) expect(portion.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(most);
      }
    }),
  );
});
