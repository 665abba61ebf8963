import { agreementAtOnce, type RatedPair, type RatedTranscript } from '../../../src/domain/statistics/agreement';
import { RandomBits } from '../../../src/domain/statistics/random-bits';
import { correctedRate, type AuditedVerdict } from '../../../src/domain/statistics/rogan-gladen';

const [MET, NOT_MET] = [0, 2];
const pair = (one: number, other: number, isFault = false): RatedPair => ({ one, other, isFault });

/** Conversations of `criteria` decisions each; in every `every`-th conversation all decisions differ. */
function conversations(count: number, criteria: number, every: number): RatedTranscript[] {
  return Array.from({ length: count }, (_, place) =>
    Array.from({ length: criteria }, (__, index) => {
      const one = index % 2 === 0 ? MET : NOT_MET;
      const differs = place % every === 0;
      return pair(one, differs ? 2 - one : one, index % 3 === 0);
    }),
  );
}

describe('the intervals of an agreement', () => {
  test('are the same whenever they are computed', () => {
    const rated = conversations(30, 8, 5);
    expect(agreementAtOnce(rated, 0.95)).toEqual(agreementAtOnce(rated, 0.95));
  });

  test('draw conversations, not criteria: ten times as many criteria in the same conversations say no more', () => {
    const few = agreementAtOnce(conversations(30, 4, 5), 0.95);
    const many = agreementAtOnce(conversations(30, 40, 5), 0.95);
    expect(few.raw).toMatchObject({ value: 0.8 });
    expect(many.raw).toEqual(few.raw);
    const width = (few.raw.high ?? 0) - (few.raw.low ?? 0);
    // Independent criteria would give an interval of 2 · 1.96 · √(0.16 / 1200), 0.045 wide.
    expect(width).toBeGreaterThan(0.25);
  });

  test('hold the true agreement about as often as they say', () => {
    const random = new RandomBits(7);
    let held = 0;
    const SAMPLES = 60;
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const rated = Array.from({ length: 40 }, (): RatedTranscript => {
        // Some conversations are harder to mark than others; 85 % of decisions agree on average.
        const agrees = [70, 85, 100][random.integer(3)] ?? 0;
        return Array.from({ length: 6 }, () => pair(MET, random.integer(100) < agrees ? MET : NOT_MET));
      });
      const { raw } = agreementAtOnce(rated, 0.9);
      if (raw.low !== null && raw.high !== null && raw.low <= 0.85 && raw.high >= 0.85) held += 1;
    }
    expect(held / SAMPLES).toBeGreaterThan(0.8);
    expect(held / SAMPLES).toBeLessThan(0.99);
  });

  test('where all agree the share has the bound of what may have gone unseen, and the others have no interval', () => {
    const rated = Array.from({ length: 10 }, () => [pair(MET, MET), pair(NOT_MET, NOT_MET, true)]);
    const { raw, kappa, specificity, sensitivity } = agreementAtOnce(rated, 0.95);
    // 1 − 0.05^(1/10) of such conversations may differ, each by all of it.
    expect(raw.value).toBe(1);
    expect(raw.high).toBe(1);
    expect(raw.low).toBeLessThan(0.75);
    expect(specificity.low).toBeLessThan(0.75);
    expect(kappa).toMatchObject({ value: 1, low: null, high: null, reason: expect.stringContaining('rated alike') });
    expect(sensitivity).toEqual({
      value: null,
      low: null,
      high: null,
      reason: 'There is no fault among what was rated.',
    });
  });

  test('a single conversation has none, and no conversation has nothing', () => {
    const one = agreementAtOnce([[pair(MET, MET), pair(NOT_MET, MET)]], 0.95);
    expect(one.raw).toMatchObject({ value: 0.5, low: null, high: null, reason: expect.stringContaining('single') });
    const nothing = agreementAtOnce([], 0.95);
    expect(nothing).toMatchObject({ transcripts: 0, pairs: 0, raw: { value: null }, kappa: { value: null } });
    expect(JSON.stringify(nothing)).not.toMatch(/NaN|Infinity/);
  });
});

/** As many verdicts as given, of weight 1. */
const audited = (bothPassed: number, judgeOnly: number, reviewerOnly: number, neither: number, weight = 1) => {
  const of = (count: number, judgePassed: boolean, reviewerPassed: boolean): AuditedVerdict[] =>
    Array.from({ length: count }, () => ({ judgePassed, reviewerPassed, weight }));
  return [
    ...of(bothPassed, true, true),
    ...of(judgeOnly, true, false),
    ...of(reviewerOnly, false, true),
    ...of(neither, false, false),
  ];
};

describe('the pass rate without the judge’s errors', () => {
  test('is Rogan and Gladen’s: (p + sp − 1) / (se + sp − 1)', () => {
    // se = 45/50, sp = 40/50, p = 0.5: (0.5 − 0.2) / 0.7.
    const found = correctedRate({ graded: 1000, passed: 500 }, audited(45, 10, 5, 40), 0.95);
    expect(found).toMatchObject({ sensitivity: 0.9, specificity: 0.8 });
    expect(found).toHaveProperty('value', expect.closeTo(0.3 / 0.7, 12));
  });

  test('is no narrower because no error was seen in a small sample', () => {
    const few = correctedRate({ graded: 1000, passed: 800 }, audited(8, 0, 0, 2), 0.95);
    const many = correctedRate({ graded: 1000, passed: 800 }, audited(800, 0, 0, 200), 0.95);
    expect(few).toMatchObject({ value: 0.8, sensitivity: 1, specificity: 1 });
    const width = (found: object) => ('low' in found && 'high' in found ? Number(found.high) - Number(found.low) : NaN);
    expect(width(many)).toBeLessThan(0.08);
    expect(width(few)).toBeGreaterThan(0.3);
  });

  test('weights that differ count as fewer verdicts', () => {
    const run = { graded: 200, passed: 100 };
    const even = correctedRate(run, audited(30, 6, 6, 30), 0.95);
    const uneven = correctedRate(run, [...audited(15, 3, 3, 15, 9), ...audited(15, 3, 3, 15)], 0.95);
    const low = (found: object) => ('low' in found ? Number(found.low) : NaN);
    expect(uneven).toHaveProperty('value', expect.closeTo(0.5, 12));
    expect(low(uneven)).toBeLessThan(low(even) - 0.01);
  });

  test('holds the true rate about as often as it says', () => {
    const random = new RandomBits(11);
    const chance = (percent: number) => random.integer(100) < percent;
    let held = 0;
    const RUNS = 400;
    for (let run = 0; run < RUNS; run += 1) {
      const verdicts = Array.from({ length: 200 }, () => {
        const reviewerPassed = chance(60);
        return { reviewerPassed, judgePassed: reviewerPassed ? chance(92) : chance(12), weight: 1 };
      });
      const passed = verdicts.filter(({ judgePassed }) => judgePassed).length;
      const found = correctedRate({ graded: 200, passed }, verdicts.slice(0, 60), 0.95);
      if ('low' in found && found.low <= 0.6 && found.high >= 0.6) held += 1;
    }
    expect(held / RUNS).toBeGreaterThan(0.92);
  });

  test.each([
    ['a judge that is no better than chance', audited(10, 10, 10, 10), 'than chance'],
    ['no failed conversation', audited(20, 0, 2, 0), 'failed no conversation'],
    ['no passed conversation', audited(0, 3, 0, 20), 'passed no conversation'],
  ])('is refused in words with %s', (_case, verdicts, words) => {
    expect(correctedRate({ graded: 100, passed: 50 }, verdicts, 0.95)).toEqual({
      reason: expect.stringContaining(words),
    });
  });
});
