/** Loud from its first sample to its last: where it begins and ends is known without any detection of speech. */
const AMPLITUDE = 12_000;
/** A click would ring in the codec. */
const RAMP_MS = 2;
const PITCH_HZ = 150;
const HARMONICS = 12;
/** A divisor of the pitch, and of each rate that is used here. */
const REPEATS_HZ = 50;

/** A buzz with the pitch of a voice, as long as asked for and without a pause. @param rate samples a second, a multiple of 50 */
export function constructedVoice(milliseconds: number, rate: number): Int16Array {
  const samples = new Int16Array(Math.round((milliseconds * rate) / 1_000));
  const ramp = (RAMP_MS * rate) / 1_000;
  const cycle = cycleAt(rate);
  for (let at = 0; at < samples.length; at += 1) {
    const edge = Math.min(1, at / ramp, (samples.length - 1 - at) / ramp);
    samples[at] = Math.round(AMPLITUDE * edge * (cycle[at % cycle.length] ?? 0));
  }
  return samples;
}

/** What the buzz repeats. Many agents share a thread: one that worked out each sample of its words would deafen the others meanwhile. */
function cycleAt(rate: number): Float64Array {
  const cycle = new Float64Array(rate / REPEATS_HZ);
  for (let at = 0; at < cycle.length; at += 1) {
    let value = 0;
    for (let harmonic = 1; harmonic <= HARMONICS; harmonic += 1) {
      value += Math.sin((2 * Math.PI * PITCH_HZ * harmonic * at) / rate + harmonic ** 2) / harmonic;
    }
    cycle[at] = value / 2;
  }
  return cycle;
}

/** Far above what codecs leave in silence, and below the peaks of every period. */
const LOUD = 1_500;

/** The places of the first and the last loud sample; null when there is none. */
export function loudIn(samples: Int16Array): { readonly first: number; readonly last: number } | null {
  let first = -1;
  let last = -1;
  for (let at = 0; at < samples.length; at += 1) {
    if (Math.abs(samples[at] ?? 0) < LOUD) continue;
    if (first === -1) first = at;
    last = at;
  }
  return first === -1 ? null : { first, last };
}
