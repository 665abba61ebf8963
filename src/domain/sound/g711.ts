/**
 * G.711, the code of telephone lines: 8 bits a sample at 8 kHz, in steps that grow with the amplitude.
 * Source: ITU-T Recommendation G.711 (11/1988), tables 1 (A-law) and 2 (µ-law), decision values at 14 and 13 bits.
 *
 * Each sample has the code of the interval between two decision values in which its magnitude lies, at all 16 bits. Other coders first
 * shorten a sample to 14 bits and are then off near a decision value: Python's audioop towards minus infinity (381 negative samples have
 * the code of the next larger magnitude), SoX to the nearest (383 samples). For a magnitude that is a decision value the tables name no
 * interval: here it is the larger one on both sides of zero; the ITU's own program (G.191) takes the smaller one for negative samples.
 */

/** Added before the segment is looked up, so that each segment of µ-law begins at a power of two (in 16-bit steps). */
const MU_LAW_BIAS = 132;
const MU_LAW_CLIP = 32_635;
/** Lines invert the even bits of A-law, so that silence is no row of equal bits. */
const A_LAW_INVERTED = 0x55;

const MU_LAW_VALUES = Int16Array.from({ length: 256 }, (_, code) => muLawValue(code));
const A_LAW_VALUES = Int16Array.from({ length: 256 }, (_, code) => aLawValue(code));

/** Samples of 16 bits at 8 kHz as a byte each. */
export function encodeMuLaw(samples: Int16Array): Uint8Array {
  return mapped(samples, new Uint8Array(samples.length), muLawCode);
}

export function decodeMuLaw(codes: Uint8Array): Int16Array {
  return mapped(codes, new Int16Array(codes.length), (code) => MU_LAW_VALUES[code] ?? 0);
}

/** Samples of 16 bits at 8 kHz as a byte each. */
export function encodeALaw(samples: Int16Array): Uint8Array {
  return mapped(samples, new Uint8Array(samples.length), aLawCode);
}

export function decodeALaw(codes: Uint8Array): Int16Array {
  return mapped(codes, new Int16Array(codes.length), (code) => A_LAW_VALUES[code] ?? 0);
}

/** A loop: `from` of typed arrays takes ten times as long, and a line does this 100 times a second. */
function mapped<Target extends Int16Array | Uint8Array>(
  source: Int16Array | Uint8Array,
  target: Target,
  map: (value: number) => number,
): Target {
  for (let at = 0; at < source.length; at += 1) target[at] = map(source[at] ?? 0);
  return target;
}

function muLawCode(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), MU_LAW_CLIP) + MU_LAW_BIAS;
  // The highest bit that is set, of 7..14.
  const segment = 31 - Math.clz32(magnitude) - 7;
  const step = (magnitude >> (segment + 3)) & 0x0f;
  return ~(sign | (segment << 4) | step) & 0xff;
}

function muLawValue(code: number): number {
  const bits = ~code & 0xff;
  const segment = (bits >> 4) & 0x07;
  const magnitude = ((((bits & 0x0f) << 3) + MU_LAW_BIAS) << segment) - MU_LAW_BIAS;
  return (bits & 0x80) === 0 ? magnitude : -magnitude;
}

function aLawCode(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80;
  // 12 bits of magnitude; −1 is the first negative step, as 0 is the first positive one.
  const magnitude = (sample < 0 ? ~sample : sample) >> 4;
  // The first two segments have steps of one size, so that the code of a small magnitude is the magnitude.
  const segment = Math.max(1, 31 - Math.clz32(magnitude) - 3);
  const code = magnitude < 32 ? magnitude : (segment << 4) | ((magnitude >> (segment - 1)) & 0x0f);
  return (sign | code) ^ A_LAW_INVERTED;
}

function aLawValue(code: number): number {
  const bits = code ^ A_LAW_INVERTED;
  const segment = (bits >> 4) & 0x07;
  const step = ((bits & 0x0f) << 4) + 8;
  const magnitude = segment === 0 ? step : (step + 256) << (segment - 1);
  return (bits & 0x80) === 0 ? -magnitude : magnitude;
}
