import { toSamples, type Sound, type Span } from '../../../src/domain/sound/pcm';
import { branchOf, integerAt, valueAt } from '../../../src/engine/audio/seeded-values';

/** Speech whose utterances are known to the sample, since it was built of them. */
interface ConstructedSpeech {
  readonly sound: Sound;
  /** Each from its first sample that is not zero to the one after its last. */
  readonly utterances: readonly Utterance[];
}

export interface Utterance extends Span {
  readonly begins: 'vowel' | 'hiss';
}

/** The first three formants of vowels in Hz, about those of G. Peterson and H. Barney (1952). */
const VOWELS: readonly (readonly number[])[] = [
  [270, 2_290, 3_010],
  [390, 1_990, 2_550],
  [660, 1_720, 2_410],
  [730, 1_090, 2_440],
  [570, 840, 2_410],
  [300, 870, 2_240],
];

/**
 * Utterances of syllables: a hiss or none, then a vowel of a buzzing source and three resonances. They begin softly (10 to 40 ms) and end
 * softly (30 to 80 ms); gaps inside are up to 60 ms, between utterances 0.6 to 1.4 s. Vowels have −27 to −23 dBFS, hisses 10 to 16 dB less.
 */
export function constructedSpeech(utterances: number, rate: number, seed: number): ConstructedSpeech {
  const pieces: Float64Array[] = [];
  const spans: Utterance[] = [];
  let length = 0;
  const add = (piece: Float64Array) => {
    pieces.push(piece);
    length += piece.length;
  };
  for (let index = 0; index < utterances; index += 1) {
    const own = branchOf(seed, index);
    add(new Float64Array(Math.round((rate * between(own, 0, 600, 1_400)) / 1_000)));
    const from = length;
    const syllables = syllablesOf(rate, own);
    for (const { hiss, vowel, gap } of syllables) for (const piece of [hiss, vowel, gap]) add(piece);
    spans.push({ from, to: length, begins: syllables[0]?.hiss.length === 0 ? 'vowel' : 'hiss' });
  }
  add(new Float64Array(rate));
  const values = new Float64Array(length);
  let at = 0;
  for (const piece of pieces) {
    values.set(piece, at);
    at += piece.length;
  }
  return { sound: { samples: toSamples(values), rate }, utterances: spans };
}

interface Syllable {
  readonly hiss: Float64Array;
  readonly vowel: Float64Array;
  readonly gap: Float64Array;
}

function syllablesOf(rate: number, seed: number): Syllable[] {
  const level = -between(seed, 1, 23, 27);
  const pitch = between(seed, 2, 90, 220);
  const syllables = 1 + integerAt(seed, 3, 6);
  return Array.from({ length: syllables }, (_, syllable) => {
    const own = branchOf(seed, 10 + syllable);
    const gapMs = syllable + 1 < syllables ? between(own, 1, 0, 60) : 0;
    return {
      hiss: integerAt(own, 2, 3) === 0 ? hissOf(rate, level - between(own, 3, 10, 16), own) : new Float64Array(),
      vowel: vowelOf(rate, level, pitch * (1 + 0.1 * valueAt(own, 4)), own),
      gap: new Float64Array(Math.round((rate * gapMs) / 1_000)),
    };
  });
}

function vowelOf(rate: number, level: number, pitch: number, seed: number): Float64Array {
  const length = Math.round((rate * between(seed, 10, 120, 320)) / 1_000);
  const buzz = Float64Array.from({ length }, (_, at) => {
    const [before, now] = [Math.floor(((at - 1) * pitch) / rate), Math.floor((at * pitch) / rate)];
    return (now > before || at === 0 ? 1 : 0) + 0.01 * valueAt(branchOf(seed, 11), at);
  });
  const formants = VOWELS[integerAt(seed, 12, VOWELS.length)] ?? [];
  const sound = formants.reduce<Float64Array>((values, formant) => resonated(values, formant, rate), buzz);
  return shaped(sound, rate, level, between(seed, 13, 10, 40), between(seed, 14, 30, 80));
}

function hissOf(rate: number, level: number, seed: number): Float64Array {
  const length = Math.round((rate * between(seed, 20, 60, 140)) / 1_000);
  // Differences of white noise: the energy is at the upper end, as that of an "s".
  const hiss = Float64Array.from(
    { length },
    (_, at) => valueAt(branchOf(seed, 21), at + 1) - valueAt(branchOf(seed, 21), at),
  );
  return shaped(hiss, rate, level, between(seed, 22, 10, 30), 15);
}

/** A resonance of second order with a bandwidth of 90 Hz. */
function resonated(values: Float64Array, frequency: number, rate: number): Float64Array {
  const radius = Math.exp((-Math.PI * 90) / rate);
  const [one, two] = [2 * radius * Math.cos((2 * Math.PI * frequency) / rate), -radius * radius];
  const result = new Float64Array(values.length);
  for (let at = 0; at < values.length; at += 1) {
    result[at] = (values[at] ?? 0) + one * (result[at - 1] ?? 0) + two * (result[at - 2] ?? 0);
  }
  return result;
}

/** At a level in dBFS before it fades in and out, in ms. The first and last sample are never zero. */
function shaped(values: Float64Array, rate: number, level: number, attack: number, decay: number): Float64Array {
  const square = values.reduce((sum, value) => sum + value * value, 0) / values.length;
  const factor = (32_768 * 10 ** (level / 20)) / Math.sqrt(square);
  const [rise, fall] = [(attack * rate) / 1_000, (decay * rate) / 1_000];
  return values.map((value, at) => {
    const envelope = Math.min(1, (at + 1) / rise, (values.length - at) / fall);
    const shapedValue = value * factor * envelope;
    return at === 0 || at === values.length - 1
      ? Math.sign(shapedValue || 1) * Math.max(1, Math.abs(shapedValue))
      : shapedValue;
  });
}

function between(seed: number, place: number, least: number, most: number): number {
  return least + ((valueAt(seed, place) + 1) / 2) * (most - least);
}
