import fc from 'fast-check';
import { createHash } from 'node:crypto';
import type { Disturbance } from '../../../src/domain';
import { cough } from '../../../src/engine/audio/cough';
import { disturbancesOf, PAUSES_MS } from '../../../src/engine/audio/disturbance-plan';
import { babble, hum, mixed, pinkNoise } from '../../../src/engine/audio/noise';
import { lossPattern, withLosses } from '../../../src/engine/audio/packet-loss';
import { bandPassed } from '../../../src/engine/audio/line';
import { dbfsOf, meanSquare, silence, toSamples, UnusableAudio } from '../../../src/domain/sound/pcm';
import { seedOf, valueAt } from '../../../src/engine/audio/seeded-values';
import { amplitudeAt, decibels, tone } from './constructed-sound';

const RATE = 16_000;
const SECONDS = 8;
const loud = (noise: Float64Array) => ({ samples: toSamples(noise.map((value) => value * 3_000)), rate: RATE });

describe('seeded values', () => {
  it('are even, and independent of their neighbours and of neighbouring seeds', () => {
    const values = Array.from({ length: 20_000 }, (_, at) => valueAt(9, at));
    const correlation = (others: readonly number[]) =>
      values.reduce((sum, value, at) => sum + value * (others[at] ?? 0), 0) / values.length / (1 / 3);
    expect(Math.abs(values.reduce((sum, value) => sum + value, 0) / values.length)).toBeLessThan(0.015);
    expect(correlation(values)).toBeCloseTo(1, 1);
    for (const lag of [1, 2, 7]) expect(Math.abs(correlation(values.slice(lag)))).toBeLessThan(0.03);
    for (const seed of [8, 10]) {
      for (const shift of [-1, 0, 1]) {
        const others = values.map((_, at) => valueAt(seed, at + shift));
        expect(Math.abs(correlation(others))).toBeLessThan(0.03);
      }
    }
  });

  it('have seeds that depend on every part and on their order', () => {
    const seeds = [seedOf(1, 'a', 2), seedOf(2, 'a', 1), seedOf(1, 'a2'), seedOf('1', 'a', 2), seedOf(1, 'a', 2, 0)];
    expect(new Set(seeds).size).toBe(seeds.length);
    expect(seedOf(1, 'a', 2)).toBe(seeds[0]);
  });
});

describe('noise', () => {
  it('is pink: every octave has the same power, within 3 dB', () => {
    const sound = loud(pinkNoise(SECONDS * RATE, 3));
    const octaves = [125, 250, 500, 1_000, 2_000].map((low) => {
      const band = bandPassed(sound, low, 2 * low);
      return dbfsOf(meanSquare(band.samples));
    });
    expect(Math.max(...octaves) - Math.min(...octaves)).toBeLessThan(3);
  });

  it('hums at 50 Hz and its multiples, and nowhere else', () => {
    const sound = loud(hum(RATE, RATE, 3));
    const levels = [50, 100, 150].map((frequency) => amplitudeAt(sound, frequency) / 3_000);
    [1, 1 / 2, 1 / 3].forEach((expected, at) => expect(levels[at]).toBeCloseTo(expected, 2));
    expect(amplitudeAt(sound, 75) / 3_000).toBeLessThan(0.001);
  });

  it('of voices has each of them as loud as the others', () => {
    const voices = [tone(300, 700, RATE, 20_000), tone(500, 900, RATE, 500)];
    const sound = loud(babble(voices, 2 * RATE, RATE, 1));
    expect(decibels(amplitudeAt(sound, 300) / amplitudeAt(sound, 500))).toBeCloseTo(0, 0);
    expect(babble(voices, 2 * RATE, RATE, 2)).not.toEqual(babble(voices, 2 * RATE, RATE, 1));
  });

  it('of voices needs voices that can be heard, at its rate', () => {
    expect(() => babble([], 10, RATE, 1)).toThrow('Noise of voices needs at least one voice.');
    expect(() => babble([silence(10, RATE)], 10, RATE, 1)).toThrow('A sound that is to be noise is silent.');
    expect(() => babble([tone(300, 10, 8_000)], 10, RATE, 1)).toThrow(UnusableAudio);
  });

  it.each([20, 10, 0, -5])('stands at the ratio asked for: %d dB', (ratio) => {
    const speech = tone(400, 2_000, RATE, 4_000);
    const level = dbfsOf(meanSquare(speech.samples));
    for (const noise of [
      pinkNoise(2 * RATE, 1),
      hum(2 * RATE, RATE, 1),
      babble([tone(900, 500, RATE)], 2 * RATE, RATE, 1),
    ]) {
      const { sound, clipped } = mixed(speech, noise, level - ratio);
      const added = Float64Array.from(sound.samples, (sample, at) => sample - (speech.samples[at] ?? 0));
      expect(level - dbfsOf(meanSquare(added))).toBeCloseTo(ratio, 2);
      expect(clipped).toBe(0);
    }
  });

  it('says what it clipped', () => {
    const { sound, clipped } = mixed(
      tone(400, 100, RATE, 32_000),
      Float64Array.from({ length: 1_600 }, () => 1),
      -10,
    );
    expect(clipped).toBeGreaterThan(100);
    expect(Math.max(...sound.samples)).toBe(32_767);
  });

  it('is the same for the same seed, on every machine, and longer noise begins with the shorter', () => {
    const digest = createHash('sha256')
      .update(loud(pinkNoise(RATE, 11)).samples)
      .digest('hex');
    expect(digest).toBe('9f50c2c810a9476dcfe3c3cceaf7258c19cc08366f294eb088a83fc3fdf4b265');
    expect(pinkNoise(500, 11)).toEqual(pinkNoise(RATE, 11).slice(0, 500));
    expect(pinkNoise(500, 12)).not.toEqual(pinkNoise(500, 11));
    expect(cough(RATE, 5)).toEqual(cough(RATE, 5));
    expect(cough(RATE, 6)).not.toEqual(cough(RATE, 5));
  });
});

it('a cough is two bursts of half a second or more, at the level of a voice', () => {
  for (const seed of [1, 2, 3, 4]) {
    const { samples } = cough(RATE, seed);
    expect(samples.length / RATE).toBeGreaterThan(0.6);
    expect(samples.length / RATE).toBeLessThan(0.8);
    const level = dbfsOf(meanSquare(samples));
    expect(level).toBeGreaterThan(-35);
    expect(level).toBeLessThan(-15);
  }
});

describe('lost packets', () => {
  it('are as many, and as many in a row, as asked for', () => {
    for (const [share, meanBurst] of [
      [0.03, 1.5],
      [0.05, 3],
      [0.2, 2],
    ] as const) {
      const pattern = lossPattern(60_000, { share, meanBurst }, 4);
      const lost = pattern.filter(Boolean).length;
      const bursts = pattern.filter((isLost, at) => isLost && pattern[at - 1] !== true).length;
      expect(lost / pattern.length / share).toBeGreaterThan(0.93);
      expect(lost / pattern.length / share).toBeLessThan(1.07);
      expect(lost / bursts / meanBurst).toBeGreaterThan(0.95);
      expect(lost / bursts / meanBurst).toBeLessThan(1.05);
    }
    expect(lossPattern(1_000, { share: 0, meanBurst: 1 }, 4)).not.toContain(true);
  });

  it('are silent, and every other sample stays where it is', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: 5_000 }), (seed, length) => {
        const samples = Int16Array.from({ length }, (_, at) => (at % 1_000) + 1);
        let pattern: readonly boolean[] = [];
        const received = withLosses({ samples, rate: RATE }, (packets) => {
          pattern = lossPattern(packets, { share: 0.3, meanBurst: 2 }, seed);
          return pattern;
        });
        expect(received.samples).toHaveLength(length);
        const wrong = received.samples.findIndex(
          (sample, at) => sample !== (pattern[Math.floor(at / 320)] ? 0 : samples[at]),
        );
        expect(wrong).toBe(-1);
      }),
    );
  });
});

describe('the plan of a turn', () => {
  const ALL = new Set<Disturbance>(['interruptions', 'backchannels', 'pauses', 'coughs', 'asides']);
  const plans = Array.from({ length: 3_000 }, (_, turn) => disturbancesOf(ALL, 3, seedOf(1, 'chest-pain', 0, turn)));

  it('has each kind in a third of the turns, and pauses of every length', () => {
    const shareOf = (matches: (plan: (typeof plans)[number]) => boolean) => plans.filter(matches).length / plans.length;
    expect(shareOf(({ pause }) => pause !== null)).toBeCloseTo(1 / 3, 1);
    expect(shareOf(({ sound }) => sound?.name === 'cough')).toBeCloseTo(1 / 3, 1);
    // What is left to asides and backchannels, which give way.
    expect(shareOf(({ sound }) => sound?.name === 'aside')).toBeCloseTo(2 / 9, 1);
    expect(shareOf(({ whileAgentSpeaks }) => whileAgentSpeaks?.kind === 'interruption')).toBeCloseTo(1 / 3, 1);
    for (const ms of PAUSES_MS) expect(shareOf(({ pause }) => pause?.ms === ms)).toBeGreaterThan(0.05);
  });

  it('stays within the turn, and interrupts when an agent can be interrupted', () => {
    for (const { pause, sound, whileAgentSpeaks } of plans) {
      expect([0, 1, 2]).toContain(pause?.sentence ?? 0);
      expect([0, 1, 2]).toContain(sound?.beforeSentence ?? 0);
      if (whileAgentSpeaks?.kind === 'interruption') expect(whileAgentSpeaks.afterMs).toBeGreaterThan(3_000);
    }
  });

  it('has only what was asked for, which other kinds do not change', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: 5 }), (seed, sentences) => {
        const none = { pause: null, sound: null, whileAgentSpeaks: null };
        expect(disturbancesOf(new Set(), sentences, seed)).toEqual(none);
        const all = disturbancesOf(ALL, sentences, seed);
        expect(disturbancesOf(new Set(['pauses']), sentences, seed)).toEqual({ ...none, pause: all.pause });
        if (sentences === 0) expect(all).toMatchObject({ pause: null, sound: null });
      }),
    );
  });
});
