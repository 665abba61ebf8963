import { resampled, resampledPart } from '../../../src/domain/sound/resample';

/** The sums of a power series of the order 0: of this window's shape no term after the fiftieth counts. */
function bessel(x: number): number {
  let term = 1;
  let sum = 1;
  for (let order = 1; order <= 50; order += 1) {
    term *= (x / 2 / order) ** 2;
    sum += term;
  }
  return sum;
}

/** One sample by the formula: a sinc of 94 % of the lower band with 48 zero crossings on either side, under a Kaiser window of shape 9. */
function byFormula(samples: readonly number[], place: number, ratio: number): number {
  const cutoff = 0.94 * Math.min(1, ratio);
  const half = Math.ceil(48 / cutoff);
  let [sum, weights] = [0, 0];
  for (let at = Math.floor(place) - half + 1; at <= Math.floor(place) + half; at += 1) {
    const distance = place - at;
    const angle = Math.PI * cutoff * distance;
    const ideal = distance === 0 ? 1 : Math.sin(angle) / angle;
    const weight = ideal * bessel(9 * Math.sqrt(Math.max(0, 1 - (distance / half) ** 2)));
    sum += weight * (samples[at] ?? 0);
    weights += weight;
  }
  return sum / weights;
}

const SAMPLES = Array.from({ length: 60 }, (_, at) => Math.round(20_000 * Math.sin(at * at)));

describe.each([
  [8_000, 16_000],
  [16_000, 8_000],
  [24_000, 16_000],
  [16_000, 24_000],
])('sound of %d Hz at %d Hz', (from, to) => {
  const sound = { samples: Int16Array.from(SAMPLES), rate: from };
  const expected = Array.from({ length: Math.ceil((60 * to) / from) }, (_, at) =>
    byFormula(SAMPLES, (at * from) / to, to / from),
  );

  it('has the samples that the formula has', () => {
    const { samples, rate } = resampled(sound, to);
    expect([samples.length, rate]).toEqual([expected.length, to]);
    expect(expected.filter((value, at) => Math.abs(value - (samples[at] ?? 0)) > 0.51)).toEqual([]);
  });

  it('has them in each of its parts, and silence before and after it', () => {
    const whole = resampled(sound, to).samples;
    expect(resampledPart(sound, to, 5, 11)).toEqual(whole.slice(5, 11));
    expect(resampledPart(sound, to, 5, 5)).toHaveLength(0);
    expect(resampledPart(sound, to, 11, 5)).toHaveLength(0);
    const beyond = resampledPart(sound, to, 2_000, 2_003);
    expect([...beyond]).toEqual([0, 0, 0]);
    expect([...resampledPart({ ...sound, samples: new Int16Array(60) }, to, 3, 5)]).toEqual([0, 0]);
  });
});

test('a part longer than a frame of a line is made as others are', () => {
  const samples = Int16Array.from({ length: 4_500 }, (_, at) => (at * 7_919) % 20_000);
  const sound = { samples, rate: 16_000 };
  const whole = resampledPart(sound, 8_000, 0, 2_250);
  expect(whole.slice(2_200)).toEqual(resampledPart(sound, 8_000, 2_200, 2_250));
});

test('the same rate is the same sound', () => {
  const sound = { samples: Int16Array.of(1, 2, 3), rate: 8_000 };
  expect(resampled(sound, 8_000)).toBe(sound);
  expect([...resampledPart(sound, 8_000, 1, 2)]).toEqual([2]);
});

test.each([7_999, 192_001, 8_000.5, Number.NaN])('neither rate may be %d Hz', (rate) => {
  const refusal = `A rate of ${rate} Hz is not usable: it must be a whole number from 8000 to 192000.`;
  const samples = new Int16Array(1);
  expect(() => resampled({ samples, rate }, 8_000)).toThrow(refusal);
  expect(() => resampled({ samples, rate: 8_000 }, rate)).toThrow(refusal);
  expect(() => resampledPart({ samples, rate }, 8_000, 0, 1)).toThrow(refusal);
  expect(() => resampledPart({ samples, rate: 8_000 }, rate, 0, 1)).toThrow(refusal);
});

test('rates from 8,000 to 192,000 Hz may be used whose common divisor is large enough', () => {
  const sound = { samples: new Int16Array(1), rate: 8_000 };
  expect(resampled(sound, 192_000).samples).toHaveLength(24);
  // 4,800 filters at most: 16,000 and 8,001 have a divisor of 1 Hz, which makes 16,000.
  expect(() => resampled({ ...sound, rate: 8_001 }, 16_000)).toThrow(
    'Sound of 8001 Hz cannot be converted to 16000 Hz: use 16,000, 24,000 or 48,000 Hz.',
  );
});
