import type { Sound } from '../../src/domain/sound';

/** Of ITU-T Q.23, written once more than in the source: a detector that took them from there would find whatever is sent. */
const ROWS = [697, 770, 852, 941];
const COLUMNS = [1_209, 1_336, 1_477, 1_633];
const KEYS = ['123A', '456B', '789C', '*0#D'];
/** ITU-T Q.24, annex A: a tone of 40 ms is a key, and so much silence parts two of them. */
const LEAST_TONE_MS = 40;
const WINDOW_MS = 20;
const STEP_MS = 5;
/** The two sines of a key hold most of the power of a window, and one is at most 8 dB louder than the other. */
const LEAST_SHARE = 0.7;
const MOST_TWIST = 10 ** 0.8;
/** About −45 dBFS. */
const LEAST_POWER = 180 ** 2;

/** The keys that are heard in a sound, in order, by the algorithm of G. Goertzel. */
export function keysHeardIn({ samples, rate }: Sound): string {
  const size = (WINDOW_MS * rate) / 1_000;
  const step = (STEP_MS * rate) / 1_000;
  let heard = '';
  let current = '';
  let windows = 0;
  for (let from = 0; from + size <= samples.length; from += step) {
    const key = keyIn(samples.subarray(from, from + size), rate);
    windows = key === current ? windows + 1 : 1;
    current = key;
    if (key !== '' && windows === (LEAST_TONE_MS - WINDOW_MS) / STEP_MS + 1) heard += key;
  }
  return heard;
}

function keyIn(window: Int16Array, rate: number): string {
  const total = window.reduce((sum, sample) => sum + sample * sample, 0) / window.length;
  if (total < LEAST_POWER) return '';
  const [row, low] = strongest(window, ROWS, rate);
  const [column, high] = strongest(window, COLUMNS, rate);
  const twist = Math.max(low / high, high / low);
  return (low + high) / total < LEAST_SHARE || twist > MOST_TWIST ? '' : (KEYS[row]?.[column] ?? '');
}

function strongest(window: Int16Array, frequencies: readonly number[], rate: number): readonly [number, number] {
  const powers = frequencies.map((frequency) => powerAt(window, frequency, rate));
  const most = Math.max(...powers);
  return [powers.indexOf(most), most];
}

/** The mean power of a sine of this frequency. */
function powerAt(window: Int16Array, frequency: number, rate: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * frequency) / rate);
  let [last, before] = [0, 0];
  for (const sample of window) [last, before] = [sample + factor * last - before, last];
  return (2 * (last * last + before * before - factor * last * before)) / window.length ** 2;
}
