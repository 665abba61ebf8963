import {
  agreementAtOnce,
  agreementOf,
  type RatedPair,
  type RatedTranscript,
} from '../../../src/domain/statistics/agreement';
import { boundOfUnvaried, expandedPercentiles, resampledMeans } from '../../../src/domain/statistics/paired-bootstrap';

const [MET, PARTLY, NOT_MET] = [0, 1, 2];
const pair = (one: number, other: number, isFault = false): RatedPair => ({ one, other, isFault });

const many = <Value>(count: number, of: (place: number) => Value): Value[] =>
  Array.from({ length: count }, (_, place) => of(place));

describe('an agreement', () => {
  const RATED: readonly RatedTranscript[] = [
    [pair(MET, MET), pair(MET, NOT_MET), pair(PARTLY, MET, true)],
    [pair(NOT_MET, NOT_MET, true), pair(MET, NOT_MET), pair(NOT_MET, PARTLY, true)],
  ];

  test('counts conversations, pairs and faults, and decisions of the one by those of the other', () => {
    expect(agreementAtOnce(RATED, 0.95)).toMatchObject({
      transcripts: 2,
      pairs: 6,
      faults: 3,
      confusion: [
        [1, 0, 2],
        [1, 0, 0],
        [0, 1, 1],
      ],
      raw: { value: 2 / 6 },
      // Of the one fault that was committed the other found it; of the two that were not, it called one committed in part.
      sensitivity: { value: 1 },
      specificity: { value: 1 / 2 },
    });
  });

  test('is not concerned with conversations of which nothing was rated', () => {
    expect(agreementAtOnce([[], ...RATED, []], 0.95)).toEqual(agreementAtOnce(RATED, 0.95));
  });

  test('lets its caller do other work once a resample, of which a single conversation has none', () => {
    const pauses = (rated: readonly RatedTranscript[]) => [...agreementOf(rated, 0.95)].length;
    expect(pauses(RATED)).toBe(2_000);
    expect(pauses(RATED.slice(1))).toBe(0);
  });
});

describe('the interval of a share', () => {
  /** As resampled means of the conversations have it, which is the same where all of them are equally long. */
  const intervalOf = (shares: readonly number[], confidence: number) =>
    expandedPercentiles([...resampledMeans(shares)], shares.length, confidence);

  test.each([0.8, 0.95])('is that of conversations drawn again, at confidence %d', (confidence) => {
    // Of four decisions none, one, two … differ.
    const rated = many(40, (place) => many(4, (index) => pair(MET, index < place % 3 ? NOT_MET : MET)));
    const { raw } = agreementAtOnce(rated, confidence);
    const wanted = intervalOf(
      many(40, (place) => 1 - (place % 3) / 4),
      confidence,
    );
    expect(Math.abs((raw.low ?? NaN) - wanted.low)).toBeLessThan(0.015);
    expect(Math.abs((raw.high ?? NaN) - wanted.high)).toBeLessThan(0.015);
    expect(raw.reason).toBeNull();
  });

  test('of faults rests on the conversations that may have one', () => {
    // Of 60 conversations 30 have a fault, half of which the other found.
    const rated = many(60, (place) => [pair(MET, MET), pair(MET, place % 4 === 0 ? MET : NOT_MET, place % 2 === 0)]);
    const { sensitivity, specificity } = agreementAtOnce(rated, 0.95);
    const wanted = intervalOf(
      many(30, (place) => (place + 1) % 2),
      0.95,
    );
    expect(sensitivity.value).toBe(0.5);
    expect(Math.abs((sensitivity.low ?? NaN) - wanted.low)).toBeLessThan(0.03);
    expect(Math.abs((sensitivity.high ?? NaN) - wanted.high)).toBeLessThan(0.03);
    expect(specificity).toMatchObject({ value: null, low: null, high: null });
  });

  test('has the bound of so many conversations with a fault, where all of them agree', () => {
    const rated = many(20, (place) => [pair(MET, MET, place < 8), pair(MET, place === 9 ? NOT_MET : MET)]);
    const { sensitivity, raw } = agreementAtOnce(rated, 0.9);
    expect(sensitivity).toEqual({ value: 1, low: boundOfUnvaried(1, 8, 0.9).low, high: 1, reason: null });
    expect(raw.low).toBeGreaterThan(sensitivity.low ?? NaN);
    const none = many(20, (place) => [pair(NOT_MET, NOT_MET, place < 8)]);
    expect(agreementAtOnce(none, 0.9).specificity).toEqual(sensitivity);
  });

  test('lies within 0 and 1 where none agree', () => {
    const { raw } = agreementAtOnce(
      many(10, () => [pair(MET, NOT_MET)]),
      0.95,
    );
    expect(raw).toEqual({ value: 0, low: 0, high: boundOfUnvaried(0, 10, 0.95).high, reason: null });
  });

  test('is not known of a single conversation with a fault, though there are others', () => {
    const rated = many(10, (place) => [pair(MET, MET, place === 0), pair(MET, place === 3 ? NOT_MET : MET)]);
    const { sensitivity, raw } = agreementAtOnce(rated, 0.95);
    expect(sensitivity).toMatchObject({ value: 1, low: null, high: null });
    expect(sensitivity.reason).toBe('A single conversation says nothing about how far another would differ.');
    expect(raw.low).not.toBeNull();
  });

  test('is not known where it rests on so few that resamples often have none', () => {
    // Two of 20 conversations have a fault, one of which was found: of every eight resamples one has neither of them.
    const rated = many(20, (place) => [pair(MET, place === 0 ? NOT_MET : MET, place < 2)]);
    const { sensitivity, raw } = agreementAtOnce(rated, 0.95);
    expect(sensitivity).toMatchObject({ value: 0.5, low: null, high: null });
    expect(sensitivity.reason).toMatch(/often undefined when they are drawn again/);
    expect(raw.low).not.toBeNull();
    // Of four one resample in a hundred lacks: that is few enough.
    const more = many(20, (place) => [pair(MET, place === 0 ? NOT_MET : MET, place < 4)]);
    expect(agreementAtOnce(more, 0.95).sensitivity.low).not.toBeNull();
  });
});

test('a coefficient beyond chance has an interval, and none where every conversation was rated alike', () => {
  const rated = many(30, (place) => [pair(MET, MET), pair(NOT_MET, place % 3 === 0 ? MET : NOT_MET)]);
  for (const measure of ['kappa', 'ac1', 'macroF1'] as const) {
    const { value, low, high, reason } = agreementAtOnce(rated, 0.95)[measure];
    expect(reason).toBeNull();
    expect(low ?? NaN).toBeLessThan(value ?? NaN);
    expect(high ?? NaN).toBeGreaterThan(value ?? NaN);
    const alike = agreementAtOnce(
      many(30, () => [pair(MET, MET), pair(NOT_MET, NOT_MET)]),
      0.95,
    )[measure];
    expect(alike).toMatchObject({ value: 1, low: null, high: null });
    expect(alike.reason).toMatch(/nothing to vary/);
  }
});
