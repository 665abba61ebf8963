import { HEARD_RATE } from './sound-clocks';

/** A piece of sound. */
export interface HeardPiece {
  /** The place of its first sample: in a track as it comes, in all that is heard of a participant as it is handed on. */
  readonly firstSample: number;
  /** Machine ms of its first sample. */
  readonly at: number;
  /** Mono, of HEARD_RATE. */
  readonly samples: Int16Array;
}

interface Input {
  /** The place of its first sample on the common axis. Later once it stood still: its samples do not count the time in which it did. */
  offset: number;
  /** Its pieces on the common axis that have not been handed on. */
  readonly pieces: HeardPiece[];
  end: number;
  /** Nothing follows what it has. */
  hasEnded: boolean;
}

const SAMPLES_PER_MS = HEARD_RATE / 1_000;
/** A track that is behind the others by so much is not waited for. */
const MOST_BEHIND = 500 * SAMPLES_PER_MS;
/** A track whose pieces come later than its samples count by so much stood still; arrivals differ by less. */
const STOOD_STILL = 250 * SAMPLES_PER_MS;
/** Silence between two tracks is handed on in pieces of this length. */
const SILENCE = HEARD_RATE;

/** The sound of one participant's tracks as it comes to an ear: those that sound at once together, every moment once. */
export class TrackMixer<Track> {
  private readonly inputs = new Map<Track, Input>();
  private next = 0;
  /** Machine ms of `next`, as far as was heard. */
  private nextAt: number | null = null;

  constructor(private readonly hand: (piece: HeardPiece) => void) {}

  push(track: Track, piece: HeardPiece): void {
    const input = this.inputs.get(track) ?? this.begin(piece);
    this.inputs.set(track, input);
    const late = this.placeOf(piece.at) - (input.offset + piece.firstSample);
    if (late > STOOD_STILL) input.offset += late;
    const shifted = { ...piece, firstSample: input.offset + piece.firstSample };
    input.pieces.push(shifted);
    input.end = shifted.firstSample + piece.samples.length;
    this.mix();
  }

  end(track: Track): void {
    const input = this.inputs.get(track);
    if (input === undefined) return;
    // It may be ahead of the others: what it has is handed on with theirs.
    input.hasEnded = true;
    this.mix();
  }

  /** No track is heard now. */
  get isEmpty(): boolean {
    return this.inputs.size === 0;
  }

  private begin({ firstSample, at }: HeardPiece): Input {
    const place = this.placeOf(at);
    return { offset: place - firstSample, pieces: [], end: place, hasEnded: false };
  }

  /** Where a moment stands on the common axis. */
  private placeOf(at: number): number {
    const { next, nextAt } = this;
    return nextAt === null ? next : next + Math.round((at - nextAt) * SAMPLES_PER_MS);
  }

  private mix(): void {
    const inputs = [...this.inputs.values()];
    const furthest = Math.max(...inputs.map(({ end }) => end));
    const awaited = inputs.filter(({ end, hasEnded }) => !hasEnded && furthest - end <= MOST_BEHIND);
    this.mixUntil(Math.min(furthest, ...awaited.map(({ end }) => end)), inputs);
    for (const [track, { hasEnded, pieces }] of this.inputs) {
      if (hasEnded && pieces.length === 0) this.inputs.delete(track);
    }
  }

  private mixUntil(until: number, inputs: readonly Input[]): void {
    const pieces = inputs.flatMap((input) => piecesUntil(input, until));
    const first = Math.min(...pieces.map(({ firstSample }) => firstSample));
    if (!Number.isFinite(until) || !Number.isFinite(first)) return;
    if (first > this.next) this.beSilentUntil(first);
    const from = this.next;
    if (until <= from) return;
    const [only] = pieces;
    const mixed = pieces.length === 1 && only?.firstSample === from ? only.samples : sumOf(pieces, from, until);
    const early = pieces.find(({ firstSample }) => firstSample <= from) ?? only;
    const at = early === undefined ? 0 : early.at + (from - early.firstSample) / SAMPLES_PER_MS;
    this.handOn({ firstSample: from, at, samples: mixed });
  }

  private beSilentUntil(place: number): void {
    while (this.next < place) {
      const samples = new Int16Array(Math.min(SILENCE, place - this.next));
      this.handOn({ firstSample: this.next, at: this.nextAt ?? 0, samples });
    }
  }

  private handOn(piece: HeardPiece): void {
    this.next = piece.firstSample + piece.samples.length;
    this.nextAt = piece.at + piece.samples.length / SAMPLES_PER_MS;
    this.hand(piece);
  }
}

/** Takes what an input has until then; the rest of a piece stays. */
function piecesUntil(input: Input, until: number): HeardPiece[] {
  const taken: HeardPiece[] = [];
  for (let [piece] = input.pieces; piece !== undefined && piece.firstSample < until; [piece] = input.pieces) {
    input.pieces.shift();
    const fitting = until - piece.firstSample;
    if (fitting < piece.samples.length) {
      const rest = {
        firstSample: until,
        at: piece.at + fitting / SAMPLES_PER_MS,
        samples: piece.samples.slice(fitting),
      };
      input.pieces.unshift(rest);
      piece = { ...piece, samples: piece.samples.slice(0, fitting) };
    }
    taken.push(piece);
  }
  return taken;
}

function sumOf(pieces: readonly HeardPiece[], from: number, until: number): Int16Array {
  const sums = new Int32Array(until - from);
  for (const { firstSample, samples } of pieces) {
    for (let at = Math.max(0, from - firstSample); at < samples.length; at += 1) {
      const place = firstSample + at - from;
      sums[place] = (sums[place] ?? 0) + (samples[at] ?? 0);
    }
  }
  const mixed = new Int16Array(sums.length);
  for (let at = 0; at < sums.length; at += 1) mixed[at] = Math.max(-32_768, Math.min(32_767, sums[at] ?? 0));
  return mixed;
}
