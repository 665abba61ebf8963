import fc from 'fast-check';
import {
  DECISIONS,
  decisionLetters,
  decisionsOf,
  gravityOf,
  MUST_PASS_TAG,
  pointsEarned,
  SEVERITIES,
  scoreRubric,
  type Decision,
} from '../../src/domain/rubric';

interface Marked {
  readonly maxPoints: number;
  readonly decision: Decision;
  readonly tags: readonly string[];
}

function marked(maxPoints: number, decision: Decision, ...tags: string[]): Marked {
  return { maxPoints, decision, tags };
}

const MET = 'MET';
const HALF = 'PARTIALLY MET';
const NOT = 'NOT MET';

test('decisions are kept as letters, and read as what they were', () => {
  expect(decisionLetters([MET, HALF, NOT])).toBe('MPN');
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...DECISIONS)), (decisions) => {
      expect(decisionsOf(decisionLetters(decisions))).toEqual(decisions);
    }),
  );
});

describe('the points of a criterion', () => {
  it.each([
    [10, MET, 10],
    [10, HALF, 5],
    [10, NOT, 0],
    [5, HALF, 2.5],
    [0.1, HALF, 0.05],
    [-5, MET, -5],
    [-5, HALF, -2.5],
    [-5, NOT, 0],
    [0, MET, 0],
  ] as const)('%d points, %s: %d', (points, decision, earned) => {
    expect(pointsEarned(points, decision)).toBe(earned);
  });
});

describe('the score of a rubric', () => {
  it.each([
    ['all criteria MET', [marked(3, MET), marked(7, MET)], 100, 10, 10],
    ['none MET', [marked(3, NOT), marked(7, NOT)], 0, 0, 10],
    ['a third', [marked(1, MET), marked(2, NOT)], 33.3, 1, 3],
    ['two thirds', [marked(2, MET), marked(1, NOT)], 66.7, 2, 3],
    ['a half of one criterion', [marked(4, HALF), marked(4, NOT)], 25, 2, 8],
    ['a half of an odd number of points', [marked(3, HALF)], 50, 1.5, 3],
    ['something forbidden that was done', [marked(10, MET), marked(-4, MET)], 60, 6, 10],
    ['something forbidden that was half done', [marked(10, MET), marked(-4, HALF)], 80, 8, 10],
    ['something forbidden that was not done', [marked(10, MET), marked(-4, NOT)], 100, 10, 10],
    ['more harm than care', [marked(2, MET), marked(-5, MET)], 0, -3, 2],
    ['prohibitions only, all kept', [marked(-1, NOT), marked(-2, NOT)], 100, 0, 0],
    ['prohibitions only, one broken', [marked(-1, NOT), marked(-2, MET)], 0, -2, 0],
    ['prohibitions only, one half broken', [marked(-1, HALF)], 0, -0.5, 0],
    ['criteria without points', [marked(0, NOT), marked(0, MET)], 100, 0, 0],
    ['decimal points', [marked(0.1, MET), marked(0.2, MET), marked(0.7, NOT)], 30, 0.3, 1],
    ['points far apart', [marked(1e21, MET), marked(1e-7, NOT)], 100, 1e21, 1e21],
    ['one half of a tenth of a percent, rounded up', [marked(0.5, MET), marked(999.5, NOT)], 0.1, 0.5, 1000],
    ['just less than that', [marked(0.49, MET), marked(999.51, NOT)], 0, 0.49, 1000],
  ] as const)('%s', (_, results, scorePercent, totalPoints, maxPoints) => {
    expect(scoreRubric(results, 50)).toMatchObject({ scorePercent, totalPoints, maxPoints });
  });

  it('has no meaning for points that are not numbers', () => {
    expect(() => scoreRubric([marked(Number.NaN, MET)], 50)).toThrow(RangeError);
    expect(() => scoreRubric([marked(1, MET)], Number.POSITIVE_INFINITY)).toThrow(RangeError);
  });
});

describe('a scenario passes', () => {
  it.each([
    ['at the threshold', [marked(1, MET), marked(1, NOT)], 50, true],
    ['not below it', [marked(49, MET), marked(51, NOT)], 50, false],
    ['not just below it, though the score shown is rounded up', [marked(49.96, MET), marked(50.04, NOT)], 50, false],
    ['at a threshold with decimals', [marked(333, MET), marked(667, NOT)], 33.3, true],
    ['not a third at a threshold above a third', [marked(1, MET), marked(2, NOT)], 33.34, false],
    ['always at threshold 0', [marked(1, NOT), marked(-1, MET)], 0, true],
    ['at threshold 100 only with everything', [marked(99, MET), marked(1, HALF)], 100, false],
    ['with everything at threshold 100', [marked(99, MET), marked(1, MET)], 100, true],
    // Added in binary, 0.2 + 0.7 of 0.1 + 0.2 + 0.7 is a little less than 90 %.
    ['at the threshold, decimals added exactly', [marked(0.1, NOT), marked(0.2, MET), marked(0.7, MET)], 90, true],
    ['at the threshold, a half of a decimal', [marked(0.1, HALF), marked(0.05, NOT)], 33.3, true],
  ] as const)('%s', (_, results, threshold, passed) => {
    expect(scoreRubric(results, threshold).passed).toBe(passed);
  });

  describe('whatever its score, only when no must_pass criterion is violated', () => {
    const rest = marked(99, MET);
    it.each([
      ['must be done, and was', marked(1, MET, MUST_PASS_TAG), true],
      ['must be done, and was in part', marked(1, HALF, MUST_PASS_TAG), true],
      ['must be done, and was not', marked(1, NOT, MUST_PASS_TAG), false],
      ['must be done, carries no points, and was not', marked(0, NOT, MUST_PASS_TAG), false],
      ['must not be done, and was not', marked(-1, NOT, MUST_PASS_TAG), true],
      ['must not be done, and was in part', marked(-1, HALF, MUST_PASS_TAG), false],
      ['must not be done, and was', marked(-1, MET, MUST_PASS_TAG), false],
      ['is not must_pass, and was not done', marked(1, NOT, 'safety'), true],
      ['is must_pass among other tags, and was not done', marked(1, NOT, 'safety', MUST_PASS_TAG), false],
    ])('%s', (_, criterion, passed) => {
      expect(scoreRubric([rest, criterion], 50).passed).toBe(passed);
      expect(scoreRubric([criterion, rest], 50).passed).toBe(passed);
    });
  });
});

describe('any rubric', () => {
  /** Points as people write them: with up to two decimals. */
  const points = fc.integer({ min: -10_000, max: 10_000 }).map((hundredths) => hundredths / 100);
  const criteria = fc.array(
    fc.record({
      maxPoints: points,
      decision: fc.constantFrom(...DECISIONS),
      tags: fc.subarray(['safety', MUST_PASS_TAG]),
    }),
    { maxLength: 12 },
  );
  const threshold = fc.integer({ min: 0, max: 1_000 }).map((tenths) => tenths / 10);

  it('scores from 0 to 100 with one decimal', () => {
    fc.assert(
      fc.property(criteria, threshold, (results, passThreshold) => {
        const { scorePercent } = scoreRubric(results, passThreshold);
        expect(scorePercent).toBeGreaterThanOrEqual(0);
        expect(scorePercent).toBeLessThanOrEqual(100);
        expect(Number(scorePercent.toFixed(1))).toBe(scorePercent);
      }),
    );
  });

  it('adds up to the points of its criteria, exactly in decimals', () => {
    fc.assert(
      fc.property(criteria, (results) => {
        const { totalPoints, maxPoints } = scoreRubric(results, 50);
        // Thousandths are whole numbers here, and whole numbers are added without error.
        const thousandths = (value: number) => Math.round(value * 1000);
        const earned = results.map((each) => thousandths(pointsEarned(each.maxPoints, each.decision)));
        const positive = results.map((each) => thousandths(Math.max(0, each.maxPoints)));
        expect(totalPoints).toBe(sum(earned) / 1000);
        expect(maxPoints).toBe(sum(positive) / 1000);
      }),
    );
  });

  it('passes exactly from its own score on', () => {
    fc.assert(
      fc.property(criteria, threshold, (results, passThreshold) => {
        const untagged = results.map((each) => ({ ...each, tags: [] }));
        const earned = sum(untagged.map((each) => Math.round(pointsEarned(each.maxPoints, each.decision) * 1000)));
        const positive = sum(untagged.map((each) => Math.round(Math.max(0, each.maxPoints) * 1000)));
        // Both sides in whole numbers: share ≥ threshold / 100, with thresholds in tenths.
        const clipped = Math.min(Math.max(earned, 0), positive);
        const expected =
          positive > 0
            ? clipped * 1000 >= Math.round(passThreshold * 10) * positive
            : (earned < 0 ? 0 : 100) >= passThreshold;
        expect(scoreRubric(untagged, passThreshold).passed).toBe(expected);
      }),
    );
  });

  it('never loses by a better decision on something wanted, nor gains by a worse one on something forbidden', () => {
    fc.assert(
      fc.property(criteria, threshold, fc.nat(), (results, passThreshold, which) => {
        fc.pre(results.length > 0);
        const at = which % results.length;
        const withDecision = (decision: Decision) =>
          scoreRubric(
            results.map((each, index) => (index === at ? { ...each, decision } : each)),
            passThreshold,
          );
        const rising = [NOT, HALF, MET] as const;
        const scores = rising.map(withDecision);
        if ((results[at]?.maxPoints ?? 0) < 0) scores.reverse();
        for (const [index, score] of scores.entries()) {
          const before = scores[index - 1] ?? score;
          expect(score.scorePercent).toBeGreaterThanOrEqual(before.scorePercent);
          expect(Number(score.passed)).toBeGreaterThanOrEqual(Number(before.passed));
        }
      }),
    );
  });

  it('does not depend on the order of its criteria', () => {
    fc.assert(
      fc.property(criteria, threshold, (results, passThreshold) => {
        expect(scoreRubric([...results].reverse(), passThreshold)).toEqual(scoreRubric(results, passThreshold));
      }),
    );
  });

  it('cannot pass with a violated must_pass criterion', () => {
    fc.assert(
      fc.property(criteria, threshold, points, (results, passThreshold, worth) => {
        const violated = marked(worth, worth < 0 ? MET : NOT, MUST_PASS_TAG);
        expect(scoreRubric([...results, violated], passThreshold).passed).toBe(false);
      }),
    );
  });
});

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

test('the graver a scenario, the higher it sorts; none and an unknown severity come last', () => {
  expect(SEVERITIES.map(gravityOf)).toEqual([0, 1, 2, 3]);
  expect([gravityOf(null), gravityOf('of a newer service')]).toEqual([-1, -1]);
});
