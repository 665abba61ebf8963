import { samplesIn, toSamples, type Sound } from '../../domain/sound';

/**
 * The tones of a telephone's keypad: two sines for each key, one of the row and one of the column, in Hz.
 * Source: ITU-T Recommendation Q.23 (11/1988), clause 6.
 */
export const ROW_HZ: readonly number[] = [697, 770, 852, 941];
export const COLUMN_HZ: readonly number[] = [1_209, 1_336, 1_477, 1_633];
const KEYS: readonly string[] = ['123A', '456B', '789C', '*0#D'];

/** Receivers need 40 ms of a tone and as much silence (ITU-T Q.24, annex A); telephones that dial by themselves take about so long. */
const TONE_MS = 100;
const GAP_MS = 100;
/** What `w` stands for. */
const PAUSE = 'w';
const PAUSE_MS = 500;
/** A click is no part of a tone. */
const RAMP_MS = 2;
/** Lines weaken high tones more, so that telephones send them 2 dB louder. Together they are as loud as speech, and far from clipping. */
const ROW_AMPLITUDE = 4_800;
const COLUMN_AMPLITUDE = 6_000;

/** A key that was pressed, in samples of the sound. */
export interface SoundedKey {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Keys one after the other; the sound ends with the last tone.
 * @param press 0-9, *, #, A-D, and `w` for a pause of half a second; anything else has no sound
 */
export function keypadTones(
  press: string,
  rate: number,
): { readonly sound: Sound; readonly keys: readonly SoundedKey[] } {
  const keys: SoundedKey[] = [];
  let at = 0;
  for (const key of press) {
    if (key === PAUSE) at += samplesIn(PAUSE_MS, rate);
    else if (KEYS.some((row) => row.includes(key))) {
      const to = at + samplesIn(TONE_MS, rate);
      keys.push({ key, from: at, to });
      at = to + samplesIn(GAP_MS, rate);
    }
  }
  const values = new Float64Array(keys.at(-1)?.to ?? 0);
  for (const sounded of keys) values.set(toneOf(sounded, rate), sounded.from);
  return { sound: { samples: toSamples(values), rate }, keys };
}

function toneOf({ key, from, to }: SoundedKey, rate: number): Float64Array {
  const row = KEYS.findIndex((inRow) => inRow.includes(key));
  const column = KEYS[row]?.indexOf(key) ?? 0;
  const [low, high] = [ROW_HZ[row] ?? 0, COLUMN_HZ[column] ?? 0];
  const length = to - from;
  const ramp = samplesIn(RAMP_MS, rate);
  return Float64Array.from({ length }, (_, at) => {
    const edge = Math.min(1, at / ramp, (length - at) / ramp);
    const angle = (2 * Math.PI * at) / rate;
    return edge * (ROW_AMPLITUDE * Math.sin(low * angle) + COLUMN_AMPLITUDE * Math.sin(high * angle));
  });
}
