/** Voices are compared at this rate, below which their loudest parts are. */
export const ECHO_RATE = 4_000;
/** What comes back later is no echo of a line. */
export const LATEST_ECHO_MS = 1_200;
/** Pieces of a stretch that are looked for in what was said. */
const SNIPPET_MS = 200;
/** Edges of a stretch are uncertain by so much. */
const EDGE_MS = 40;
/** How alike a snippet is to what was said: 1 is the same wave, whatever its loudness. Two voices reach this by chance, but not three times with one delay. */
const ALIKE = 0.5;
/** How far delays of one echo differ, in samples of ECHO_RATE: buffers stretch sound. */
const DELAY_TOLERANCE = 12;

/** Sound of ECHO_RATE, from a moment on (machine ms). */
export interface ComparedSound {
  readonly at: number;
  readonly samples: Int16Array;
}

/** Averages neighbours: what is above half of ECHO_RATE hardly matters in voices. @param rate a multiple of ECHO_RATE */
export function forComparison(samples: Int16Array, rate: number): Int16Array {
  const step = rate / ECHO_RATE;
  const reduced = new Int16Array(Math.floor(samples.length / step));
  for (let place = 0; place < reduced.length; place += 1) {
    let sum = 0;
    for (let at = place * step; at < (place + 1) * step; at += 1) sum += samples[at] ?? 0;
    reduced[place] = Math.round(sum / step);
  }
  return reduced;
}

/** What was said, to look in for what is heard. */
export class EchoSearch {
  /** Sums of the squares of all samples before each. */
  private readonly energies: Float64Array;

  constructor(private readonly said: ComparedSound) {
    const { samples } = said;
    this.energies = new Float64Array(samples.length + 1);
    samples.forEach((sample, at) => (this.energies[at + 1] = (this.energies[at] ?? 0) + sample * sample));
  }

  /**
   * By how much later than it was said a stretch of what is heard repeats it, from its first snippet to its last; null when it is a sound of
   * its own. In ms.
   */
  delayOf(stretch: { readonly from: number; readonly to: number }, heard: ComparedSound): number | null {
    const [middle, ...others] = snippetsOf(stretch, heard);
    if (middle === undefined) return null;
    const latest = Math.round((LATEST_ECHO_MS * ECHO_RATE) / 1_000);
    // A voice is also like itself one period later: the delay at which it is most alike is the echo's.
    let found: { readonly delay: number; readonly likeness: number } | null = null;
    for (let delay = 0; delay <= latest; delay += 1) {
      if (this.likeness(middle, delay) < ALIKE) continue;
      const best = this.bestNear(middle, delay + DELAY_TOLERANCE);
      const likeness = this.likeness(middle, best);
      const isAll = others.every((snippet) => this.likeness(snippet, this.bestNear(snippet, best)) >= ALIKE);
      if (isAll && likeness > (found?.likeness ?? 0)) found = { delay: best, likeness };
      delay += DELAY_TOLERANCE;
    }
    return found === null ? null : (found.delay / ECHO_RATE) * 1_000;
  }

  private bestNear(snippet: ComparedSound, delay: number): number {
    let best = delay;
    for (let near = delay - DELAY_TOLERANCE; near <= delay + DELAY_TOLERANCE; near += 1) {
      if (this.likeness(snippet, near) > this.likeness(snippet, best)) best = near;
    }
    return best;
  }

  /** The correlation of a snippet with what had been said so long before, in samples of ECHO_RATE. */
  private likeness({ at, samples }: ComparedSound, delay: number): number {
    const { said, energies } = this;
    const place = Math.round(((at - said.at) * ECHO_RATE) / 1_000) - delay;
    const end = place + samples.length;
    if (place < 0 || end > said.samples.length) return 0;
    let product = 0;
    let energy = 0;
    for (let index = 0; index < samples.length; index += 1) {
      const sample = samples[index] ?? 0;
      product += sample * (said.samples[place + index] ?? 0);
      energy += sample * sample;
    }
    const scale = Math.sqrt(energy * ((energies[end] ?? 0) - (energies[place] ?? 0)));
    return scale === 0 ? 0 : product / scale;
  }
}

/** The middle first: it is surely part of the stretch. */
function snippetsOf(
  { from, to }: { readonly from: number; readonly to: number },
  heard: ComparedSound,
): ComparedSound[] {
  const last = to - EDGE_MS - SNIPPET_MS;
  const first = from + EDGE_MS;
  if (last < first) return [];
  return [(first + last) / 2, first, last].flatMap((at) => {
    const place = Math.max(0, Math.round(((at - heard.at) * ECHO_RATE) / 1_000));
    const length = (SNIPPET_MS * ECHO_RATE) / 1_000;
    const samples = heard.samples.subarray(place, place + length);
    return samples.length < length ? [] : [{ at: heard.at + (place / ECHO_RATE) * 1_000, samples }];
  });
}
