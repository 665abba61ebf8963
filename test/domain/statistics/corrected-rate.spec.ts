import { type AuditedVerdict, correctedRate } from '../../../src/domain/statistics/rogan-gladen';

/** So many verdicts of each kind, each standing for `weight`. */
function audited(
  { found, missed, refused, let: letThrough }: { found: number; missed: number; refused: number; let: number },
  weight = 1,
): AuditedVerdict[] {
  const many = (count: number, judgePassed: boolean, reviewerPassed: boolean) =>
    Array.from({ length: count }, () => ({ judgePassed, reviewerPassed, weight }));
  return [
    ...many(found, true, true),
    ...many(missed, false, true),
    ...many(refused, false, false),
    ...many(letThrough, true, false),
  ];
}

describe('A rate corrected for the errors of its judge', () => {
  // The formulas of Rogan and Gladen and of Lang and Reiczigel, computed in Python from the papers.
  it.each([
    [{ graded: 200, passed: 120 }, { found: 36, missed: 4, refused: 27, let: 3 }, [0.625, 0.494926588, 0.761143673]],
    [{ graded: 200, passed: 190 }, { found: 39, missed: 1, refused: 9, let: 1 }, [0.971428571, 0.902413924, 1]],
    [{ graded: 200, passed: 5 }, { found: 18, missed: 2, refused: 37, let: 3 }, [0, 0, 0.029674398]],
  ])('of %j by %j is %j', (run, verdicts, [value = NaN, low = NaN, high = NaN]) => {
    const rate = correctedRate(run, audited(verdicts), 0.95);
    if ('reason' in rate) throw new Error(rate.reason);
    expect(rate.value).toBeCloseTo(value, 8);
    expect(rate.low).toBeCloseTo(low, 8);
    expect(rate.high).toBeCloseTo(high, 8);
    expect(rate.sensitivity).toBeCloseTo(verdicts.found / (verdicts.found + verdicts.missed), 12);
    expect(rate.specificity).toBeCloseTo(verdicts.refused / (verdicts.refused + verdicts.let), 12);
  });

  it('is the same whatever the unit of equal weights', () => {
    const verdicts = { found: 36, missed: 4, refused: 27, let: 3 };
    const run = { graded: 200, passed: 120 };
    expect(correctedRate(run, audited(verdicts, 3), 0.95)).toEqual(correctedRate(run, audited(verdicts), 0.95));
  });

  it('is less certain where weights differ: they count as many as their effective number', () => {
    const even = audited({ found: 36, missed: 4, refused: 27, let: 3 });
    const uneven = even.map((verdict, place) => ({ ...verdict, weight: place % 2 === 0 ? 1 : 4 }));
    const width = (verdicts: readonly AuditedVerdict[]): number => {
      const rate = correctedRate({ graded: 200, passed: 120 }, verdicts, 0.95);
      return 'reason' in rate ? NaN : rate.high - rate.low;
    };
    expect(width(uneven)).toBeGreaterThan(width(even));
  });

  it.each([
    ['Nothing was graded.', { graded: 0, passed: 0 }, { found: 5, missed: 1, refused: 5, let: 1 }],
    ['The reviewers passed no conversation', { graded: 9, passed: 3 }, { found: 0, missed: 0, refused: 5, let: 1 }],
    ['The reviewers failed no conversation', { graded: 9, passed: 3 }, { found: 5, missed: 1, refused: 0, let: 0 }],
    [
      'no more to do with the reviewers’ than chance',
      { graded: 9, passed: 3 },
      { found: 3, missed: 3, refused: 2, let: 2 },
    ],
    [
      'no more to do with the reviewers’ than chance',
      { graded: 9, passed: 3 },
      { found: 1, missed: 5, refused: 2, let: 3 },
    ],
  ])('cannot be had: %s', (reason, run, verdicts) => {
    expect(correctedRate(run, audited(verdicts), 0.95)).toEqual({ reason: expect.stringContaining(reason) });
  });
});
