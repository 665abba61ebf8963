import { bandPassed, overLine } from '../../../src/engine/audio/line';
import { meanSquare } from '../../../src/domain/sound/pcm';
import { amplitudeAt, decibels, tone } from './constructed-sound';

const RATE = 16_000;
const MIDDLE = { from: 0.2 * RATE, to: 0.4 * RATE };
const levelOf = (samples: Int16Array) => decibels(Math.sqrt(2 * meanSquare(samples, [MIDDLE])) / 10_000);

it.each([400, 1_000, 2_000, 3_300])('the band of a telephone keeps %d Hz', (frequency) => {
  const result = bandPassed(tone(frequency, 600, RATE), 300, 3_400);
  expect(Math.abs(decibels(amplitudeAt(result, frequency, MIDDLE.from, MIDDLE.to) / 10_000))).toBeLessThan(0.1);
});

it.each([50, 100, 200, 3_500, 4_000, 6_000])('the band of a telephone removes %d Hz', (frequency) => {
  expect(levelOf(bandPassed(tone(frequency, 600, RATE), 300, 3_400).samples)).toBeLessThan(-55);
});

it('edges are halved', () => {
  for (const edge of [300, 3_400]) {
    expect(levelOf(bandPassed(tone(edge, 600, RATE), 300, 3_400).samples)).toBeCloseTo(-6.02, 1);
  }
});

describe('a phone', () => {
  it('passes a voice with the noise of 8-bit codes and nothing beyond its band', () => {
    const result = overLine(tone(1_000, 600, RATE), 'phone', 1);
    expect(result.samples).toHaveLength(0.6 * RATE);
    expect(Math.abs(decibels(amplitudeAt(result, 1_000, MIDDLE.from, MIDDLE.to) / 10_000))).toBeLessThan(0.2);
    const sine = tone(1_000, 600, RATE, amplitudeAt(result, 1_000, MIDDLE.from, MIDDLE.to));
    const noise = result.samples.map((sample, at) => sample - (sine.samples[at] ?? 0));
    const ratio = levelOf(result.samples) - levelOf(noise);
    // ITU-T G.712 asks for 33 dB of signal to quantising distortion in the middle of the range.
    expect(ratio).toBeGreaterThan(33);
    expect(levelOf(overLine(tone(5_000, 600, RATE), 'phone', 1).samples)).toBeLessThan(-55);
  });

  it('adds no delay', () => {
    const click = new Int16Array(RATE);
    click[7_777] = 30_000;
    const { samples } = overLine({ samples: click, rate: RATE }, 'phone', 1);
    const loudest = samples.reduce(
      (best, value, at) => (Math.abs(value) > Math.abs(samples[best] ?? 0) ? at : best),
      0,
    );
    expect(Math.abs(loudest - 7_777)).toBeLessThanOrEqual(1);
  });
});

it('a wideband line changes nothing', () => {
  const sound = tone(5_000, 100, RATE);
  expect(overLine(sound, 'wideband', 1)).toBe(sound);
});

it('a bad mobile line is a phone with packets missing, the same for the same seed', () => {
  const sound = tone(1_000, 4_000, RATE);
  const bad = overLine(sound, 'mobile_bad', 7);
  expect(overLine(sound, 'mobile_bad', 7)).toEqual(bad);
  expect(overLine(sound, 'mobile_bad', 8)).not.toEqual(bad);
  const phone = overLine(sound, 'phone', 7);
  const silentPackets = Array.from({ length: 200 }, (_, packet) => {
    // The edges of a packet ring a little at the higher rate.
    const inside = bad.samples.subarray(packet * 320 + 120, packet * 320 + 200);
    return inside.every((sample) => Math.abs(sample) < 40);
  });
  const lost = silentPackets.filter(Boolean).length;
  expect(lost).toBeGreaterThan(0);
  expect(lost).toBeLessThan(60);
  silentPackets.forEach((isLost, packet) => {
    const around = silentPackets.slice(Math.max(0, packet - 1), packet + 2);
    if (around.includes(true) || isLost) return;
    const place = packet * 320;
    expect(bad.samples.subarray(place, place + 320)).toEqual(phone.samples.subarray(place, place + 320));
  });
});
