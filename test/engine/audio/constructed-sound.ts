import type { Sound } from '../../../src/domain/sound/pcm';

/** A sine of this amplitude in 16-bit steps. */
export function tone(frequency: number, milliseconds: number, rate: number, amplitude = 10_000): Sound {
  const samples = Int16Array.from({ length: Math.round((milliseconds * rate) / 1_000) }, (_, at) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * frequency * at) / rate)),
  );
  return { samples, rate };
}

/** The amplitude of one frequency in a stretch of a sound, by correlation with a sine and a cosine. */
export function amplitudeAt({ samples, rate }: Sound, frequency: number, from = 0, to = samples.length): number {
  let [real, imaginary] = [0, 0];
  for (let at = from; at < to; at += 1) {
    const phase = (2 * Math.PI * frequency * at) / rate;
    real += (samples[at] ?? 0) * Math.cos(phase);
    imaginary += (samples[at] ?? 0) * Math.sin(phase);
  }
  return (2 * Math.hypot(real, imaginary)) / (to - from);
}

export const decibels = (ratio: number) => 20 * Math.log10(ratio);
