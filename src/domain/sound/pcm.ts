/** Mono sound as WAV files, rooms and recordings have it: signed samples of 16 bits, `rate` of them a second. */
export interface Sound {
  readonly samples: Int16Array;
  /** Samples a second, an integer. */
  readonly rate: number;
}

/** A stretch of a sound in samples; `to` is the first sample after it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Audio that cannot be used; the message is a sentence for the user who supplied it. */
export class UnusableAudio extends Error {
  override readonly name = 'UnusableAudio';
}

/** 0 dBFS here is the power of a square wave between the extremes: a sine of full scale has −3.01 dBFS. */
const FULL_SCALE = 32_768;
/** The level of digital silence, below the −101 dBFS of the least error of rounding to 16 bits. */
const SILENCE_DBFS = -120;

/** A whole number of samples, the nearest to this time. */
export function samplesIn(milliseconds: number, rate: number): number {
  return Math.round((milliseconds * rate) / 1_000);
}

export function silence(milliseconds: number, rate: number): Sound {
  return { samples: new Int16Array(samplesIn(milliseconds, rate)), rate };
}

export function toSamples(values: Float64Array): Int16Array {
  const samples = new Int16Array(values.length);
  for (let at = 0; at < values.length; at += 1) samples[at] = toSample(values[at] ?? 0);
  return samples;
}

/** Rounded to an integer, ties away from zero so that no offset is added; what exceeds 16 bits is clipped. */
export function toSample(value: number): number {
  const rounded = value < 0 ? -Math.round(-value) : Math.round(value);
  return Math.max(-FULL_SCALE, Math.min(FULL_SCALE - 1, rounded));
}

export function amplified({ samples, rate }: Sound, decibels: number): Sound {
  const factor = amplitudeOf(decibels);
  const amplifiedSamples = new Int16Array(samples.length);
  // In a plain loop: a function for each sample takes many times as long.
  for (let at = 0; at < samples.length; at += 1) amplifiedSamples[at] = toSample((samples[at] ?? 0) * factor);
  return { samples: amplifiedSamples, rate };
}

/** The factor by which so many decibels change an amplitude. */
export function amplitudeOf(decibels: number): number {
  return 10 ** (decibels / 20);
}

/** The mean square of the samples in these spans, in squared sample steps; 0 where the spans hold no samples. */
export function meanSquare(samples: ArrayLike<number>, spans: readonly Span[] = [wholeOf(samples)]): number {
  let sum = 0;
  let count = 0;
  for (const { from, to } of spans) {
    const end = Math.min(to, samples.length);
    for (let at = Math.max(0, from); at < end; at += 1) {
      const sample = samples[at] ?? 0;
      sum += sample * sample;
      count += 1;
    }
  }
  return count === 0 ? 0 : sum / count;
}

const wholeOf = (samples: ArrayLike<number>): Span => ({ from: 0, to: samples.length });

/** The level of a mean square, at least that of silence. */
export function dbfsOf(square: number): number {
  return Math.max(SILENCE_DBFS, 10 * Math.log10(square / FULL_SCALE ** 2));
}

/**
 * Sounds one after the other.
 * @throws UnusableAudio where their rates differ
 */
export function joined(sounds: readonly Sound[], rate: number): Sound {
  const samples = new Int16Array(sounds.reduce((sum, sound) => sum + sound.samples.length, 0));
  let at = 0;
  for (const sound of sounds) {
    requireRate(sound, rate);
    samples.set(sound.samples, at);
    at += sound.samples.length;
  }
  return { samples, rate };
}

/** @throws UnusableAudio where the sound has another rate */
export function requireRate(sound: Sound, rate: number): void {
  if (sound.rate === rate) return;
  throw new UnusableAudio(`A sound of ${sound.rate} Hz cannot be placed in a track of ${rate} Hz: resample it first.`);
}
