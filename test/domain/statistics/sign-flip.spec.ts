import { countEqual, drawnOfAPart, signFlip, signFlipSteps } from '../../../src/domain/statistics/sign-flip';
import { shareOfPatternsBeyond } from '../../../src/domain/statistics/saddlepoint';

const many = (count: number, of: (place: number) => number): number[] =>
  Array.from({ length: count }, (_, place) => of(place));

/** Of all patterns of signs the share whose sum is at least as far from 0, one by one. */
function shareOfAll(differences: readonly number[]): number {
  const seen = Math.abs(differences.reduce((sum, one) => sum + one, 0)) - 1e-9;
  let sums = [0];
  for (const one of differences) sums = sums.flatMap((sum) => [sum + one, sum - one]);
  return sums.filter((sum) => Math.abs(sum) >= seen).length / sums.length;
}

function inSteps(differences: readonly number[], mostDrawn?: number): { readonly p: number; readonly pauses: number } {
  const steps = signFlipSteps(differences, mostDrawn);
  for (let pauses = 0; ; pauses += 1) {
    const { done, value } = steps.next();
    if (done === true) return { p: value, pauses };
  }
}

/** How many of 20,000 drawn patterns were as far from 0; a p-value that was not drawn is no such number. */
const drawnBeyond = (p: number): number => p * 20_001 - 1;
const isDrawn = (p: number): boolean => Math.abs(drawnBeyond(p) - Math.round(drawnBeyond(p))) < 1e-6;

describe('a sign-flip test of few differences', () => {
  test.each([
    ['one', [0.5]],
    ['two alike', [1, 1]],
    ['two that level out', [2, -2]],
    ['some of many sizes', [0.3, -0.1, 0.7, 0.2, -0.4, 0.9, 0.25]],
    ['shares of thirds', [1 / 3, 2 / 3, -1 / 3, 1 / 3, 1, -2 / 3, 1 / 3, 2 / 3, 1 / 3]],
    ['points', [10, -20, 35, 5, 50, -15, 25, 30, 45, 12, 8]],
    ['most of them down', [-3, -1, -4, -1, 5, -9, -2, -6]],
  ])('is the share of all patterns of signs that are as far from 0: %s', (_what, differences) => {
    expect(signFlip(differences)).toBe(shareOfAll(differences));
    // In another order sums are rounded differently.
    expect(signFlip(differences.toReversed())).toBe(shareOfAll(differences));
    expect(signFlip(differences.map((one) => -one))).toBe(shareOfAll(differences));
  });

  test('does not count scenarios that did not change, or by nothing but rounding', () => {
    expect(signFlip([...many(40, () => 0), 1, 1, 1, 1, 1, 1e-10, -1e-10])).toBe(2 / 2 ** 5);
    expect(signFlip(many(40, () => 0))).toBe(1);
  });

  test('goes through all patterns of 16, and draws some of 17', () => {
    expect(signFlip(many(16, () => 2))).toBe(2 / 2 ** 16);
    // Hardly ever do 17 signs come out alike among 20,000: 0.15 times.
    expect(isDrawn(signFlip(many(17, () => 2)))).toBe(true);
  });
});

describe('a sign-flip test of many differences', () => {
  test('is never 0: the pattern that was seen counts among those that were drawn', () => {
    expect(signFlip(many(60, () => 1))).toBe(1 / 20_001);
    expect(
      inSteps(
        many(60, () => 1),
        999,
      ).p,
    ).toBe(1 / 1_000);
  });

  test('is 1 where they level out, which every pattern does as well', () => {
    expect(signFlip(many(40, (place) => (place % 2 === 0 ? 1 + place : -place)).map((one) => Math.sign(one)))).toBe(1);
    expect(inSteps([...many(20, (place) => place + 1), ...many(20, (place) => -place - 1)], 50).p).toBe(1);
  });

  test.each([
    ['one size', many(40, (place) => (place < 26 ? 1 : -1))],
    ['eight of each size', many(40, (place) => (1 + (place % 5)) * (place < 24 ? 1 : -1))],
    [
      'nine of some and fewer of others',
      many(40, (place) => (place < 9 ? 7 : 1 + (place % 6)) * (place % 3 === 0 ? -1 : 1)),
    ],
    ['no two alike', many(40, (place) => (1 + place) * (place % 3 === 0 ? -1 : 1))],
    ['a thousand of one size', many(1_000, (place) => (place < 530 ? 1 : -1))],
  ])('comes near the share of all patterns, which is counted: %s', (_what, differences) => {
    const whole = differences.reduce((sum, one) => sum + Math.abs(one), 0);
    let shares = new Map([[0, 1]]);
    for (const one of differences) {
      const next = new Map<number, number>();
      for (const [sum, share] of shares)
        for (const end of [sum + one, sum - one]) next.set(end, (next.get(end) ?? 0) + share / 2);
      shares = next;
    }
    const seen = Math.abs(differences.reduce((sum, one) => sum + one, 0));
    let exact = 0;
    for (const [sum, share] of shares) if (Math.abs(sum) >= seen) exact += share;
    expect(seen).toBeLessThan(whole);
    expect(exact).toBeGreaterThan(0.01);
    const p = signFlip(differences);
    expect(isDrawn(p)).toBe(true);
    expect(Math.abs(p - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / 20_000));
  });

  test('lets its caller do other work after so many draws, of sizes or of eight differences together', () => {
    // 50 bytes a pattern: 4,000 patterns of 200,000 draws.
    expect(inSteps(many(400, (place) => place + 1)).pauses).toBe(5);
    // And one more draw for the 9 that are alike.
    expect(inSteps([...many(392, (place) => place + 1), ...many(9, () => 1_000)]).pauses).toBe(5);
    expect(
      inSteps([...many(376, (place) => place + 1), ...many(9, () => 1_000), ...many(9, () => 2_000)], 8_000),
    ).toMatchObject({
      pauses: 1,
    });
    expect(inSteps(many(400, () => 1)).pauses).toBe(0);
  });
});

describe('a sign-flip test of many differences of many sizes', () => {
  /** As many differences, of as many sizes; most of them up. */
  const spread = (count: number, sizes: number) =>
    many(count, (place) => (1 + (place % sizes)) * (place % 7 < 3 ? -1 : 1));

  test('is computed from 500 on that have 64 sizes', () => {
    expect(isDrawn(signFlip(spread(499, 100)))).toBe(true);
    expect(isDrawn(signFlip(spread(500, 63)))).toBe(true);
    expect(isDrawn(signFlip(spread(500, 64)))).toBe(false);
  });

  test('is what as many drawn patterns come to on average', () => {
    const differences = spread(600, 80);
    const seen = Math.abs(differences.reduce((sum, one) => sum + one, 0));
    const share = shareOfPatternsBeyond(countEqual(differences.map(Math.abs)), seen);
    expect(signFlip(differences)).toBeCloseTo((20_000 * share + 1) / 20_001, 6);
    expect(inSteps(differences, 1_000)).toEqual({ p: expect.closeTo((1_000 * share + 1) / 1_001, 6), pauses: 0 });
  });

  test('is drawn where one size outweighs all others together: its sums have gaps', () => {
    const small = spread(500, 64);
    const squares = small.reduce((sum, one) => sum + one * one, 0);
    // One difference that twice the size of which the others fill, and one that they do not.
    const filled = Math.floor(Math.sqrt(squares) / 2);
    expect(isDrawn(signFlip([...small, filled]))).toBe(false);
    expect(isDrawn(signFlip([...small, filled + 1]))).toBe(true);
  });
});

test('equal values are counted together, but for rounding', () => {
  const counts = countEqual([0.1 + 0.2, 0.3, 0.5, 0.3 - 1e-12, 0.5 + 1e-8]);
  expect([...counts.values()]).toEqual([3, 1, 1]);
  const [first = NaN, second = NaN] = counts.keys();
  expect(first).toBeCloseTo(0.3, 9);
  expect(second).toBeCloseTo(0.5, 9);
});

test('one of many tests draws fewer patterns, the more scenarios there are', () => {
  expect([0, 1, 500, 501, 1_000, 9_999, 10_000, 20_000].map(drawnOfAPart)).toEqual([
    20_000, 20_000, 20_000, 19_960, 10_000, 1_000, 1_000, 1_000,
  ]);
});
