import { LevelMeter, STEPS_A_SECOND, type StepEnergy } from './level-meter';
import { dbfsOf, type Sound, type Span } from '../../domain/sound';

/** A frame of 10 ms. */
const STEPS_A_FRAME = 5;
/** Below this nothing is speech, however quiet the line: an agent's frames of "silence" have −90 dBFS and less. */
const LEAST_DBFS = -50;
/**
 * How far above the noise a frame must be to begin speech, and to continue it. With 10 and 6 dB a voice in noise 10 dB below it is found
 * later by 10 ms at the 95th percentile; with 6 and 3 dB earlier by 5 ms, but noises of rooms begin speech.
 */
const BEGIN_DB = 8;
const CONTINUE_DB = 4;
/** Frames in a row that begin speech: a click is shorter. */
const FRAMES_TO_BEGIN = 3;
/** Frames in a row that end it: the closure of a "t" or "k" is shorter. */
const FRAMES_TO_END = 12;
/** How far before the first loud frame a soft beginning is looked for. */
const MOST_FRAMES_BEFORE = 12;
/**
 * The noise is the least of the smoothed levels within 1.5 s on either side: the minimum statistics of R. Martin, "Noise power spectral
 * density estimation based on optimal smoothing and minimum statistics", IEEE Trans. Speech and Audio Processing 9 (2001) 504–512, without
 * its optimal smoothing. Nobody speaks for 3 s without a gap of 70 ms.
 */
const FLOOR_FRAMES = 150;
const SMOOTHED_FRAMES = 7;
/** The least of many smoothed levels is below their mean by about this much in noise. */
const BIAS_DB = 2;

/** Where a sound holds speech, in samples, in order and apart. Gaps below 0.12 s are part of it. */
export function speechIn({ samples, rate }: Sound): Span[] {
  const meter = new LevelMeter(rate);
  meter.push(samples);
  const toSample = (step: number) => Math.round((step * rate) / STEPS_A_SECOND);
  return speechSpans(meter.steps).map(({ from, to }) => ({ from: toSample(from), to: toSample(to) }));
}

/**
 * Where there is speech, in steps of 2 ms: at least three frames well above the noise begin it, and it lasts until none is above it any
 * more. It begins before the frame that was loud enough, at the first step that rises out of the noise. The last span may go on in steps
 * that are not there yet.
 *
 * A sound that does not change, as a tone, is noise. Other people's voices are speech: a track of one speaker is expected.
 */
export function speechSpans(steps: readonly StepEnergy[]): Span[] {
  const bands = (['low', 'high'] as const).map((band) => new Band(steps.map((step) => step[band])));
  const frames = Math.floor(steps.length / STEPS_A_FRAME);
  const exceeds = (frame: number, margin: number) => bands.some((band) => band.frameExceeds(frame, margin));
  const spans: Span[] = [];
  let end = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    const isBeginning = countWhile(frame, frames, (at) => exceeds(at, BEGIN_DB), FRAMES_TO_BEGIN) === FRAMES_TO_BEGIN;
    if (!isBeginning) continue;
    const from = beginning(bands, frame, end);
    let last = frame;
    for (let at = frame; at < frames && at - last <= FRAMES_TO_END; at += 1) {
      if (exceeds(at, CONTINUE_DB)) last = at;
    }
    const to = ending(bands, last);
    spans.push({ from, to });
    end = to;
    frame = last;
  }
  return spans;
}

/** The levels of one band and of its noise. */
class Band {
  private readonly frames: Float64Array;
  private readonly floor: Float64Array;

  constructor(private readonly steps: readonly number[]) {
    this.frames = means(steps, STEPS_A_FRAME);
    this.floor = floorOf(this.frames);
  }

  frameExceeds(frame: number, margin: number): boolean {
    return dbfsOf(this.frames[frame] ?? 0) > this.threshold(frame, margin);
  }

  stepExceeds(step: number, margin: number): boolean {
    return dbfsOf(this.steps[step] ?? 0) > this.threshold(Math.floor(step / STEPS_A_FRAME), margin);
  }

  private threshold(frame: number, margin: number): number {
    return Math.max(LEAST_DBFS - (BEGIN_DB - margin), dbfsOf(this.floor[frame] ?? 0) + BIAS_DB + margin);
  }
}

/** From the first loud frame back over frames above the noise, then on to the first two steps in a row that are. */
function beginning(bands: readonly Band[], loud: number, end: number): number {
  const starts = bands.map((band) => {
    let frame = loud;
    const least = Math.max(0, loud - MOST_FRAMES_BEFORE);
    while (frame > least && band.frameExceeds(frame - 1, CONTINUE_DB)) frame -= 1;
    const first = Math.max(0, (frame - 1) * STEPS_A_FRAME);
    for (let step = first; step < (loud + 1) * STEPS_A_FRAME; step += 1) {
      if (band.stepExceeds(step, BEGIN_DB) && band.stepExceeds(step + 1, CONTINUE_DB)) return step;
    }
    return loud * STEPS_A_FRAME;
  });
  return Math.max(end, Math.min(...starts));
}

/** After the last step above the noise in the last frame that is, or in the one after it. */
function ending(bands: readonly Band[], last: number): number {
  for (let step = (last + 2) * STEPS_A_FRAME - 1; step > last * STEPS_A_FRAME; step -= 1) {
    if (bands.some((band) => band.stepExceeds(step, BEGIN_DB) && band.stepExceeds(step - 1, CONTINUE_DB)))
      return step + 1;
  }
  return (last + 1) * STEPS_A_FRAME;
}

function countWhile(from: number, below: number, holds: (at: number) => boolean, most: number): number {
  let count = 0;
  while (count < most && from + count < below && holds(from + count)) count += 1;
  return count;
}

function means(steps: readonly number[], size: number): Float64Array {
  return Float64Array.from({ length: Math.floor(steps.length / size) }, (_, frame) => {
    let sum = 0;
    for (let at = frame * size; at < (frame + 1) * size; at += 1) sum += steps[at] ?? 0;
    return sum / size;
  });
}

/** For each frame the least of the smoothed energies around it. */
function floorOf(frames: Float64Array): Float64Array {
  const smoothed = slidingMean(frames, SMOOTHED_FRAMES);
  const floor = new Float64Array(frames.length);
  // Places whose energies rise: the first is the least of the window, and each may be the least once those before it have left.
  const rising: number[] = [];
  let first = 0;
  for (let entering = 0; entering < frames.length + FLOOR_FRAMES; entering += 1) {
    if (entering < smoothed.length) {
      while (rising.length > first && (smoothed[rising.at(-1) ?? 0] ?? 0) >= (smoothed[entering] ?? 0)) rising.pop();
      rising.push(entering);
    }
    const center = entering - FLOOR_FRAMES;
    if (center < 0 || center >= frames.length) continue;
    while ((rising[first] ?? 0) < center - FLOOR_FRAMES) first += 1;
    floor[center] = smoothed[rising[first] ?? 0] ?? 0;
  }
  return floor;
}

/** Means of an odd number of neighbours; at the edges of those that are there. */
function slidingMean(values: Float64Array, size: number): Float64Array {
  const reach = (size - 1) / 2;
  return values.map((_, at) => {
    const from = Math.max(0, at - reach);
    const to = Math.min(values.length, at + reach + 1);
    let sum = 0;
    for (let place = from; place < to; place += 1) sum += values[place] ?? 0;
    return sum / (to - from);
  });
}
