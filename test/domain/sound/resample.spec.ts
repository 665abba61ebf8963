import fc from 'fast-check';
import { meanSquare, UnusableAudio } from '../../../src/domain/sound/pcm';
import { resampled, resampledPart } from '../../../src/domain/sound/resample';
import { amplitudeAt, decibels, tone } from '../../engine/audio/constructed-sound';

const RATES = [8_000, 16_000, 22_050, 24_000, 44_100, 48_000];
const PAIRS = RATES.flatMap((from) => RATES.filter((to) => to !== from).map((to) => ({ from, to })));

describe.each(PAIRS)('from $from Hz to $to Hz', ({ from, to }) => {
  it('keeps what both rates can hold, within 0.1 dB', () => {
    for (const frequency of [100, 1_000, 3_300]) {
      const result = resampled(tone(frequency, 400, from), to);
      const [start, end] = [0.1 * to, 0.3 * to];
      expect(Math.abs(decibels(amplitudeAt(result, frequency, start, end) / 10_000))).toBeLessThan(0.1);
    }
  });

  it('removes what the lower rate cannot hold, by 70 dB', () => {
    const frequency = to / 2 + 300;
    if (frequency >= from / 2) return;
    const result = resampled(tone(frequency, 400, from), to);
    const left = Math.sqrt(2 * meanSquare(result.samples, [{ from: 0.1 * to, to: 0.3 * to }]));
    expect(decibels(left / 10_000)).toBeLessThan(-70);
  });

  it('leaves a click at its instant', () => {
    const samples = new Int16Array(from / 2);
    const at = Math.round(0.2 * from);
    samples[at] = 30_000;
    const result = resampled({ samples, rate: from }, to);
    const loudest = result.samples.reduce(
      (best, value, place) => (value > (result.samples[best] ?? 0) ? place : best),
      0,
    );
    expect(Math.abs(loudest / to - at / from)).toBeLessThanOrEqual(0.5 / to + 1e-9);
  });
});

it('has as many samples as last as long, and a constant stays what it is', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PAIRS), fc.integer({ min: 0, max: 3_000 }), ({ from, to }, length) => {
      const result = resampled({ samples: new Int16Array(length).fill(1_000), rate: from }, to);
      expect(result.samples).toHaveLength(Math.ceil((length * to) / from));
      const middle = result.samples.subarray(0.03 * to, Math.max(0.03 * to, result.samples.length - 0.03 * to));
      expect(middle.every((sample) => sample === 1_000)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

it.each([0, 7_999, 192_001, 8_000.5, Number.NaN])('refuses a rate of %s', (rate) => {
  expect(() => resampled(tone(100, 10, 8_000), rate)).toThrow(UnusableAudio);
});

it('refuses rates that would need a filter for each sample', () => {
  expect(() => resampled(tone(100, 10, 44_101), 48_000)).toThrow(/use 16,000, 24,000 or 48,000 Hz/);
});

it('makes any part of a conversion as the whole one has it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...PAIRS),
      fc.array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength: 400 }),
      fc.nat(600),
      fc.nat(600),
      ({ from, to }, samples, start, count) => {
        const sound = { samples: Int16Array.from(samples), rate: from };
        const whole = resampled(sound, to).samples;
        const end = Math.min(whole.length, start + count);
        expect(resampledPart(sound, to, start, end)).toEqual(whole.slice(start, end));
      },
    ),
    { numRuns: 100 },
  );
});
