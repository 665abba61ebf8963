import { kaiser, sinc } from './kaiser';
import { toSample, UnusableAudio, type Sound } from './pcm';

/**
 * Zero crossings of the kernel on either side: with this window, which removes 90 dB, the band that is neither kept nor removed has 12 %
 * of the width of the lower band, by Kaiser's formula.
 */
const CROSSINGS = 48;
const WINDOW_SHAPE = 9;
/** The cutoff, in the middle of the transition, as a share of half the lower rate, at which the transition ends. */
const CUTOFF = 0.94;
/** Rates that audio hardware and codecs use. */
const LOWEST_RATE = 8_000;
const HIGHEST_RATE = 192_000;
/** Filters of a conversion: 22,050 Hz to 48,000 Hz has 320. Rates without a large common divisor would need one for each sample. */
const MOST_PHASES = 4_800;

/**
 * The same sound at another rate. Sample i of the input and sample i · rate / sound.rate of the result are the same instant: the filter
 * is symmetric, so that no delay is added and times stay exact.
 *
 * A windowed-sinc interpolator in polyphase form. Source: R. E. Crochiere and L. R. Rabiner, "Interpolation and decimation of digital
 * signals: a tutorial review", Proc. IEEE 69 (1981) 300–331. Sound above 88 % of half the lower rate is weakened or lost.
 *
 * @throws UnusableAudio where a rate is no integer from 8,000 to 192,000, or the two have too small a common divisor
 */
export function resampled(sound: Sound, rate: number): Sound {
  checkRate(sound.rate);
  checkRate(rate);
  if (sound.rate === rate) return sound;
  const length = Math.ceil((sound.samples.length * rate) / sound.rate);
  return { samples: resampledPart(sound, rate, 0, length), rate };
}

/**
 * The samples `from` to `to` (not included) of `resampled(sound, rate)`, and nothing else is computed: for sound that is sent or heard piece by
 * piece. Throws as `resampled` does.
 */
export function resampledPart(sound: Sound, rate: number, from: number, to: number): Int16Array {
  checkRate(sound.rate);
  checkRate(rate);
  if (sound.rate === rate) return sound.samples.slice(from, to);
  const divisor = greatestCommonDivisor(sound.rate, rate);
  const [up, down] = [rate / divisor, sound.rate / divisor];
  if (up > MOST_PHASES) {
    throw new UnusableAudio(
      `Sound of ${sound.rate} Hz cannot be converted to ${rate} Hz: use 16,000, 24,000 or 48,000 Hz.`,
    );
  }
  const filters = filtersOf(up, down);
  const half = (filters[0]?.length ?? 0) / 2;
  const made = new Int16Array(Math.max(0, to - from));
  // The input from the first sample that a filter reaches to the last one, with silence where the sound has not begun or has ended.
  const first = Math.floor((from * down) / up) - (half - 1);
  const reached = aroundOf(sound.samples, first, Math.floor(((to - 1) * down) / up) + half + 1);
  if (reached === null) return made;
  for (let at = from; at < to; at += 1) {
    const position = at * down;
    const taps = filters[position % up] ?? NO_TAPS;
    made[at - from] = toSample(weighted(reached, Math.floor(position / up) - (half - 1) - first, taps));
  }
  return made;
}

const NO_TAPS = new Float64Array();
/** Of a line's frame at 48,000 Hz, and smaller ones: lines would otherwise leave megabytes a second to be collected, which holds up their thread. */
const scratch = new Float64Array(4_096);

/** The samples in a span, as numbers to multiply; zero outside the sound. Valid until the next call. Null where all are zero. */
function aroundOf(samples: Int16Array, from: number, to: number): Float64Array | null {
  const length = Math.max(0, to - from);
  const values = length <= scratch.length ? scratch.fill(0, 0, length) : new Float64Array(length);
  const end = Math.min(to, samples.length);
  let isSilent = true;
  for (let at = Math.max(0, from); at < end; at += 1) {
    const sample = samples[at] ?? 0;
    if (sample === 0) continue;
    isSilent = false;
    values[at - from] = sample;
  }
  return isSilent ? null : values;
}

/** @throws UnusableAudio where this is not the rate of a sound */
export function checkRate(rate: number): void {
  if (Number.isInteger(rate) && rate >= LOWEST_RATE && rate <= HIGHEST_RATE) return;
  throw new UnusableAudio(
    `A rate of ${rate} Hz is not usable: it must be a whole number from ${LOWEST_RATE} to ${HIGHEST_RATE}.`,
  );
}

function weighted(samples: Float64Array, first: number, taps: Float64Array): number {
  let sum = 0;
  for (let tap = 0; tap < taps.length; tap += 1) sum += (samples[first + tap] ?? 0) * (taps[tap] ?? 0);
  return sum;
}

/** A process converts between few rates; the filters of 22,050 to 48,000 Hz take 260 KB. */
const MOST_CONVERSIONS = 16;
const known = new Map<string, readonly Float64Array[]>();

/** The filters of a conversion, which take as long to make as a second of sound to convert. */
function filtersOf(up: number, down: number): readonly Float64Array[] {
  const key = `${up}:${down}`;
  const filters = known.get(key) ?? phasesOf(up, down);
  if (known.size < MOST_CONVERSIONS) known.set(key, filters);
  return filters;
}

/** For each place of an output sample between two input samples (in 1/up) the weights of the input samples around it. */
function phasesOf(up: number, down: number): Float64Array[] {
  const cutoff = CUTOFF * Math.min(1, up / down);
  const half = Math.ceil(CROSSINGS / cutoff);
  return Array.from({ length: up }, (_, phase) => {
    const taps = Float64Array.from({ length: 2 * half }, (_, tap) => {
      const distance = phase / up + half - 1 - tap;
      return cutoff * sinc(cutoff * distance) * kaiser(distance / half, WINDOW_SHAPE);
    });
    // Each filter passes a constant unchanged; otherwise the rounding of the phases would be heard as a faint tone.
    const sum = taps.reduce((total, weight) => total + weight, 0);
    return taps.map((weight) => weight / sum);
  });
}

function greatestCommonDivisor(one: number, other: number): number {
  // Euclid: at most some 40 steps for rates.
  let [larger, smaller] = [one, other];
  while (smaller > 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
