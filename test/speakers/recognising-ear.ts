import type { Sound } from '../../src/engine/audio';

/** Of a sound, in steps of 10 ms: dB of 20 ms around each. */
type Levels = Float64Array;

const STEP_MS = 10;
/** Below this nothing is told apart: silence is as loud as rounding. */
const FLOOR_DB = 22;
const ONSET_DB = 30;
/** Sounds are compared in blocks of so many steps. */
const BLOCK = 25;
/** The same sound differs by 1 to 2 dB where its steps fall elsewhere, two sentences by 8 and more. */
const MOST_DIFFERENCE_DB = 4.5;
const SHIFTS = [-3, -2, -1, 0, 1, 2, 3];
/** Shorter than any word. */
const LEAST_STEPS = 20;
/** Steps that may be missing at the end of a whole sentence. */
const END_STEPS = 12;

/**
 * Knows a number of sentences by their sound, tells which of them are in a clip, and nothing else. Other than the ear of the demonstration it
 * hears of a sentence that breaks off the words up to there. It says nothing about how a recogniser hears people.
 */
export class RecognisingEar {
  private readonly known = new Map<string, Levels>();

  learn(words: string, samples: Int16Array, rate: number): void {
    const levels = levelsOf(samples, rate);
    const from = levels.findIndex((level) => level > ONSET_DB);
    if (from >= 0) this.known.set(words, levels.subarray(from));
  }

  /** What of the known sentences is in a sound, in order. */
  hear({ samples, rate }: Sound): string {
    const levels = levelsOf(samples, rate);
    const heard: string[] = [];
    for (let at = 0; at < levels.length;) {
      if ((levels[at] ?? 0) <= ONSET_DB) {
        at += 1;
        continue;
      }
      const found = this.best(levels, at);
      if (found === null) {
        at = silenceAfter(levels, at);
        continue;
      }
      if (found.words !== '') heard.push(found.words);
      // Where a sentence breaks off, the next begins after a silence.
      at = found.isWhole ? found.to : silenceAfter(levels, found.to);
    }
    return heard.join(' ');
  }

  private best(
    levels: Levels,
    at: number,
  ): { readonly words: string; readonly to: number; readonly isWhole: boolean } | null {
    let best: { words: string; steps: number; whole: number; from: number } | null = null;
    for (const [words, known] of this.known) {
      for (const shift of SHIFTS) {
        const from = Math.max(0, at + shift);
        const steps = alike(levels, from, known);
        const isBetter = best === null || steps > best.steps || (steps === best.steps && known.length < best.whole);
        if (steps >= Math.min(LEAST_STEPS, known.length - END_STEPS) && isBetter) {
          best = { words, steps, whole: known.length, from };
        }
      }
    }
    if (best === null) return null;
    const { words, steps, whole, from } = best;
    const all = words.split(' ');
    const isWhole = steps >= whole - END_STEPS;
    const said = isWhole ? words : all.slice(0, Math.floor((all.length * steps) / whole)).join(' ');
    return { words: said, to: from + Math.max(1, steps), isWhole };
  }
}

/** For how many steps a sound is the known one. */
function alike(levels: Levels, from: number, known: Levels): number {
  const length = Math.min(known.length, levels.length - from);
  let sum = 0;
  const differences: number[] = [];
  for (let step = 0; step < length; step += 1) {
    const difference = Math.abs((levels[from + step] ?? 0) - (known[step] ?? 0));
    differences.push(difference);
    sum += difference - (step >= BLOCK ? (differences[step - BLOCK] ?? 0) : 0);
    const of = Math.min(BLOCK, step + 1);
    if (of >= LEAST_STEPS / 2 && sum / of > MOST_DIFFERENCE_DB) return Math.max(0, step - Math.ceil(BLOCK / 2));
  }
  return length;
}

function silenceAfter(levels: Levels, at: number): number {
  for (let step = at; step < levels.length; step += 1) {
    if (levels.subarray(step, step + 10).every((level) => level <= ONSET_DB)) return step + 1;
  }
  return levels.length;
}

function levelsOf(samples: Int16Array, rate: number): Levels {
  const step = (rate * STEP_MS) / 1_000;
  return Float64Array.from({ length: Math.floor(samples.length / step) }, (_, at) => {
    const part = samples.subarray(at * step, (at + 2) * step);
    const square = part.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, part.length);
    return Math.max(FLOOR_DB, 10 * Math.log10(square + 1));
  });
}
