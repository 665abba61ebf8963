import { samplesIn, type Sound, toSamples } from '../../domain/sound';
import { branchOf, integerAt, valueAt } from './seeded-values';

/** A burst of air, loud at once and gone after some 200 ms. The numbers are chosen, not measured. */
const BURST_MS = 260;
const LEAST_GAP_MS = 120;
const MOST_GAP_MS = 260;
const PEAK = 9_000;

/** Two bursts of noise, which an agent should not take for a turn. Shape and distance depend on the seed. */
export function cough(rate: number, seed: number): Sound {
  const gap = samplesIn(LEAST_GAP_MS + integerAt(seed, 0, MOST_GAP_MS - LEAST_GAP_MS), rate);
  const burst = samplesIn(BURST_MS, rate);
  const values = new Float64Array(2 * burst + gap);
  values.set(burstOf(burst, rate, branchOf(seed, 1), 1), 0);
  values.set(burstOf(burst, rate, branchOf(seed, 2), 0.6), burst + gap);
  return { samples: toSamples(values), rate };
}

function burstOf(length: number, rate: number, seed: number, loudness: number): Float64Array {
  const attack = samplesIn(8, rate);
  let previous = 0;
  return Float64Array.from({ length }, (_, at) => {
    const rise = Math.min(1, at / attack);
    const fall = (1 - at / length) ** 3;
    // A mean of neighbours takes the hiss away: a throat is no whistle.
    previous = 0.6 * previous + 0.4 * valueAt(seed, at);
    return PEAK * 2 * loudness * rise * fall * previous;
  });
}
