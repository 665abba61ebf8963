import { encodeMuLaw, resampledPart } from '../../domain/sound';
import { HEARD_RATE, SPOKEN_RATE } from '../voice/sound-clocks';
import { LINE_RATE, MEDIA_MS } from './stream-messages';

const FRAME_SAMPLES = (SPOKEN_RATE * MEDIA_MS) / 1_000;
const LINE_STEP = SPOKEN_RATE / LINE_RATE;
const LINE_FRAME = (LINE_RATE * MEDIA_MS) / 1_000;
/** What the filter of `resampled` needs on either side: 52 samples of the lower rate. */
const AROUND = 64;

/** A frame of silence: µ-law of zeros. */
export const SILENT_FRAME: Uint8Array = new Uint8Array(LINE_FRAME).fill(0xff);

/** Frames that an utterance takes. @param samples of SPOKEN_RATE */
export function framesIn(samples: Int16Array): number {
  return Math.ceil(samples.length / FRAME_SAMPLES);
}

/** One frame of an utterance, as µ-law. Made when it is due: a whole utterance at once would hold up the other lines. */
export function lineFrame(samples: Int16Array, frame: number): Uint8Array {
  const first = frame * LINE_FRAME;
  const end = Math.min(first + LINE_FRAME, Math.ceil(samples.length / LINE_STEP));
  const codes = SILENT_FRAME.slice();
  codes.set(encodeMuLaw(resampledPart({ samples, rate: SPOKEN_RATE }, LINE_RATE, first, end)));
  return codes;
}

/** Sound of the line at HEARD_RATE, piece by piece as one sound: what its filter needs of the next piece waits for it, which is 8 ms. */
export class LineHearing {
  /** Samples of LINE_RATE from `start` on. */
  private held = new Int16Array(0);
  private start = 0;
  private done = 0;

  /** @param samples of LINE_RATE, the next ones @returns samples of HEARD_RATE, and the place of the first */
  push(samples: Int16Array): { readonly firstSample: number; readonly samples: Int16Array } {
    const held = new Int16Array(this.held.length + samples.length);
    held.set(this.held);
    held.set(samples, this.held.length);
    this.held = held;
    const factor = HEARD_RATE / LINE_RATE;
    const firstSample = this.done * factor;
    const until = Math.max(this.done, this.start + held.length - AROUND);
    if (until === this.done) return { firstSample, samples: new Int16Array(0) };
    const sound = { samples: held, rate: LINE_RATE };
    const place = (sample: number): number => (sample - this.start) * factor;
    const piece = resampledPart(sound, HEARD_RATE, place(this.done), place(until));
    const keepFrom = Math.max(this.start, until - AROUND);
    this.held = held.slice(keepFrom - this.start);
    this.start = keepFrom;
    this.done = until;
    return { firstSample, samples: piece };
  }
}
