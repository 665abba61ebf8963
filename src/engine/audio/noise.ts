import { amplitudeOf, dbfsOf, meanSquare, requireRate, type Sound, toSamples, UnusableAudio } from '../../domain/sound';
import { branchOf, integerAt, valueAt } from './seeded-values';

/** Noise of any level, a value for each sample. `mixed` gives it its level. */
export type Noise = Float64Array;

/** Random values that change every 1, 2, 4 … 512 samples: at 16 kHz the noise is pink from about 30 Hz. */
const PINK_ROWS = 10;
/** The mains of most of the world, and how many multiples of its frequency a bad cable lets one hear. */
const MAINS_HZ = 50;
const HUM_HARMONICS = 6;
/** A voice quieter than this, in squared sample steps, is rounding noise. */
const LEAST_SQUARE = 1;

/**
 * Noise with as much power in each octave, like wind, crowds and ventilation. A sum of random values, each row of which changes half as
 * often as the one before: the algorithm of R. Voss in M. Gardner, "White and brown music, fractal curves and one-over-f fluctuations",
 * Scientific American 238 (1978) 16–32.
 */
export function pinkNoise(length: number, seed: number): Noise {
  const seeds = Array.from({ length: PINK_ROWS }, (_, row) => branchOf(seed, row));
  const rows = new Float64Array(PINK_ROWS);
  const white = branchOf(seed, PINK_ROWS);
  const noise = new Float64Array(length);
  for (let at = 0; at < length; at += 1) {
    // Row r changes where the place is a multiple of 2^r.
    for (let row = 0, every = 1; row < PINK_ROWS && at % every === 0; row += 1, every *= 2) {
      rows[row] = valueAt(seeds[row] ?? 0, at / every);
    }
    let sum = valueAt(white, at);
    for (let row = 0; row < PINK_ROWS; row += 1) sum += rows[row] ?? 0;
    noise[at] = sum;
  }
  return noise;
}

/** The hum of the mains: 50 Hz and its multiples, each weaker in proportion to its number. The seed determines their phases. */
export function hum(length: number, rate: number, seed: number): Noise {
  const phases = Array.from({ length: HUM_HARMONICS }, (_, at) => valueAt(seed, at) * Math.PI);
  const noise = new Float64Array(length);
  for (let at = 0; at < length; at += 1) {
    let sum = 0;
    for (let index = 0; index < HUM_HARMONICS; index += 1) {
      const harmonic = index + 1;
      sum += Math.sin((2 * Math.PI * MAINS_HZ * harmonic * at) / rate + (phases[index] ?? 0)) / harmonic;
    }
    noise[at] = sum;
  }
  return noise;
}

/**
 * Several voices at once, equally loud; each is repeated without end and begins at a place of its own. One voice is a person beside the
 * patient; one recording of a room, given alone, is that room.
 * @throws UnusableAudio without voices, or where one is silent or of another rate
 */
export function babble(voices: readonly Sound[], length: number, rate: number, seed: number): Noise {
  if (voices.length === 0) throw new UnusableAudio('Noise of voices needs at least one voice.');
  const noise = new Float64Array(length);
  voices.forEach((voice, index) => {
    requireRate(voice, rate);
    const { samples } = voice;
    const square = meanSquare(samples);
    if (square < LEAST_SQUARE) throw new UnusableAudio('A sound that is to be noise is silent.');
    const factor = 1 / Math.sqrt(square);
    const start = integerAt(seed, index, samples.length);
    for (let at = 0; at < length; at += 1) {
      noise[at] = (noise[at] ?? 0) + factor * (samples[(start + at) % samples.length] ?? 0);
    }
  });
  return noise;
}

/** A sound with noise, and how many samples exceeded 16 bits and were clipped. */
interface Mixed {
  readonly sound: Sound;
  readonly clipped: number;
}

/**
 * Adds noise at a level in dBFS, which for a signal-to-noise ratio is the level of the speech less the ratio. The level of the speech is
 * taken while there is speech (`speechLevel`), and once for a run, so that the noise of a call does not change with its sentences.
 *
 * @param noise as long as the sound at least
 */
export function mixed({ samples, rate }: Sound, noise: Noise, dbfs: number): Mixed {
  const factor = amplitudeOf(dbfs - dbfsOf(meanSquare(noise)));
  const sum = new Float64Array(samples.length);
  let clipped = 0;
  for (let at = 0; at < samples.length; at += 1) {
    const value = (samples[at] ?? 0) + factor * (noise[at] ?? 0);
    sum[at] = value;
    if (value > 32_767 || value < -32_768) clipped += 1;
  }
  return { sound: { samples: toSamples(sum), rate }, clipped };
}
