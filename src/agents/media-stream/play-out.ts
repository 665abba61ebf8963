import { decodeMuLaw } from '../../domain/sound';
import { LINE_RATE } from './stream-messages';

const SAMPLES_PER_MS = LINE_RATE / 1_000;
/** An agent may send far ahead of what is heard: an answer of this length. In samples. */
const MOST_HELD = 10 * 60 * LINE_RATE;
/** Marks that wait for their sound. */
const MOST_MARKS = 1_000;

interface Piece {
  readonly at: number;
  readonly codes: Uint8Array;
}

interface Mark {
  readonly at: number;
  readonly name: string;
}

/**
 * What an agent sent and the patient has not heard yet. Sound is heard from the moment it comes, or after what came before it; one sample
 * after the other, on the axis of time that the line has. What is cleared is never heard.
 */
export class PlayOut {
  private pieces: Piece[] = [];
  private marks: Mark[] = [];
  /** Where what is held ends, and until where was heard; in samples since the line began. */
  private end = 0;
  private heard = 0;

  /** @param beganAt machine ms */
  constructor(private readonly beganAt: number) {}

  /**
   * @param codes µ-law
   * @param since machine ms at which it may have come, where it was not read at once: then it follows what was heard until then
   * @returns false where more is held than an answer can be
   */
  add(codes: Uint8Array, now: number, since = now): boolean {
    const followsOn = this.end >= this.placeOf(since) && this.end >= this.heard;
    const at = followsOn ? this.end : Math.max(this.end, this.placeOf(now));
    if (at + codes.length - this.placeOf(now) > MOST_HELD) return false;
    this.pieces.push({ at, codes });
    this.end = at + codes.length;
    return true;
  }

  /** A mark is answered when what was sent before it has been heard. @returns false where too many wait */
  mark(name: string, now: number): boolean {
    if (this.marks.length >= MOST_MARKS) return false;
    this.marks.push({ at: Math.max(this.end, this.placeOf(now)), name });
    return true;
  }

  /**
   * Nothing of what is held is heard.
   * @returns the names of all marks that wait, which are answered now, and whether words were thrown away: the agent had more to say
   */
  clear(now: number): { readonly marks: readonly string[]; readonly hadWords: boolean } {
    const place = Math.max(this.heard, this.placeOf(now));
    const thrownAway = this.pieces.map(({ at, codes }) => codes.subarray(Math.max(0, place - at)));
    this.pieces = this.pieces.flatMap(({ at, codes }) =>
      at >= place ? [] : [{ at, codes: codes.subarray(0, place - at) }],
    );
    this.end = Math.min(this.end, place);
    const names = this.marks.map(({ name }) => name);
    this.marks = [];
    return { marks: names, hadWords: holdsVoice(thrownAway) };
  }

  /** What was heard since it was asked for last: every sample once. */
  takeUntil(now: number): { readonly samples: Int16Array; readonly marks: readonly string[] } {
    const until = Math.max(this.heard, this.placeOf(now));
    const samples = new Int16Array(until - this.heard);
    const left: Piece[] = [];
    for (const piece of this.pieces) {
      const { at, codes } = piece;
      if (at >= until) {
        left.push(piece);
        continue;
      }
      const fitting = codes.subarray(0, until - at);
      samples.set(decodeMuLaw(fitting), at - this.heard);
      if (fitting.length < codes.length) left.push({ at: until, codes: codes.subarray(fitting.length) });
    }
    this.pieces = left;
    this.heard = until;
    const played = this.marks.filter(({ at }) => at <= until);
    this.marks = this.marks.filter(({ at }) => at > until);
    return { samples, marks: played.map(({ name }) => name) };
  }

  private placeOf(now: number): number {
    return Math.floor((now - this.beganAt) * SAMPLES_PER_MS);
  }
}

/** About −44 dBFS: noise and rounding are below. */
const VOICED = 200;
/** Samples: the end of a sound is no word. */
const LEAST_VOICED = 200 * SAMPLES_PER_MS;

function holdsVoice(pieces: readonly Uint8Array[]): boolean {
  let voiced = 0;
  for (const codes of pieces) {
    for (const sample of decodeMuLaw(codes)) if (Math.abs(sample) > VOICED) voiced += 1;
    if (voiced >= LEAST_VOICED) return true;
  }
  return false;
}
