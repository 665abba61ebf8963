import { resampled, type Sound } from '../src/engine/audio';

/** A sentence that may be said, with its sound. */
export interface KnownSentence {
  readonly text: string;
  readonly sound: Sound;
}

const STEPS_A_SECOND = 100;
const RATE = 8_000;
const STEP = RATE / STEPS_A_SECOND;
/** How alike the course of loudness is where a sentence is said; another sentence is far below, and the same one over a telephone line above. */
const LEAST_ALIKE = 0.9;
/** Loudness as it is heard: a louder vowel does not outweigh all else. */
const HEARD_POWER = 0.3;

/**
 * Finds sentences by the course of their loudness: it knows what may be said, and understands nothing else. What does not sound, or sounds
 * otherwise, is not found.
 */
export class KnownSentences {
  private readonly courses: { readonly text: string; readonly course: Float64Array }[];

  constructor(sentences: readonly KnownSentence[]) {
    this.courses = sentences.map(({ text, sound }) => ({ text, course: courseOf(sound) }));
  }

  /** The sentences in a sound, in the order in which they are said. */
  in(sound: Sound): string[] {
    const heard = courseOf(sound);
    const found = this.courses
      .map(({ text, course }) => ({ text, length: course.length, ...bestPlace(course, heard) }))
      .filter(({ alike }) => alike >= LEAST_ALIKE)
      .toSorted((one, other) => other.alike - one.alike);
    const kept: typeof found = [];
    for (const one of found) {
      // Of two for the same stretch, the one that is more alike.
      const isTaken = kept.some((other) => overlap(one, other) > Math.min(one.length, other.length) / 2);
      if (!isTaken) kept.push(one);
    }
    return kept.toSorted((one, other) => one.at - other.at).map(({ text }) => text);
  }
}

interface Stretch {
  readonly at: number;
  readonly length: number;
}

function overlap(one: Stretch, other: Stretch): number {
  return Math.min(one.at + one.length, other.at + other.length) - Math.max(one.at, other.at);
}

/** The loudness of each step of 10 ms. */
function courseOf(sound: Sound): Float64Array {
  const { samples } = sound.rate === RATE ? sound : resampled(sound, RATE);
  return Float64Array.from({ length: Math.floor(samples.length / STEP) }, (_, step) => {
    let energy = 0;
    for (const sample of samples.subarray(step * STEP, (step + 1) * STEP)) energy += sample * sample;
    return (energy / STEP) ** (HEARD_POWER / 2);
  });
}

/** Where a course fits best into another, and how alike both are there: their correlation, -1 to 1. */
function bestPlace(course: Float64Array, heard: Float64Array): { readonly at: number; readonly alike: number } {
  let best = { at: 0, alike: -1 };
  for (let at = 0; at + course.length <= heard.length; at += 1) {
    const alike = correlation(course, heard.subarray(at, at + course.length));
    if (alike > best.alike) best = { at, alike };
  }
  return best;
}

function correlation(one: Float64Array, other: Float64Array): number {
  const [meanOne, meanOther] = [mean(one), mean(other)];
  let [product, squareOne, squareOther] = [0, 0, 0];
  for (let at = 0; at < one.length; at += 1) {
    const [left, right] = [(one[at] ?? 0) - meanOne, (other[at] ?? 0) - meanOther];
    product += left * right;
    squareOne += left * left;
    squareOther += right * right;
  }
  return squareOne === 0 || squareOther === 0 ? -1 : product / Math.sqrt(squareOne * squareOther);
}

function mean(values: Float64Array): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
