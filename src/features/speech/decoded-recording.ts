import type { Sound } from '../../engine/audio';
import { RECORDING_RATE } from '../../../contract/recordings';
import { othersTurn } from '../../platform/concurrency';
import type { PiecePlace, Recording, RecordingsStore, Track } from './recordings.store';

/** A piece of a recording that is not what was recorded, or has gone while it was read. */
export class DamagedRecording extends Error {
  override readonly name = 'DamagedRecording';

  constructor({ track, first_sample }: PiecePlace, why: string) {
    super(
      `The recording cannot be played: the piece of the ${track} that begins at ${seconds(first_sample)} s ${why}. Ask for a part without it by from and to.`,
    );
  }
}

/** As many samples of each track are decoded at a time: a second of a large file is ready before the next is asked for. */
const WINDOW = 10 * RECORDING_RATE;

/** Samples of both tracks from the same moment on, equally many. */
export interface Window {
  /** Since the call began. */
  readonly from: number;
  readonly tracks: Readonly<Record<Track, Int16Array>>;
}

/** The pieces of these tracks that lie in a part of the call. */
export function piecesIn({ pieces }: Recording, tracks: readonly Track[], from: number, to: number): PiecePlace[] {
  return pieces.filter(
    ({ track, first_sample: first, samples }) => tracks.includes(track) && first < to && first + samples > from,
  );
}

/**
 * A part of a call, window by window; what lies between pieces is silence, and so is a track that is not asked for. One piece of each
 * track is in memory at a time.
 * @throws DamagedRecording
 */
export async function* windowsOf(
  store: Pick<RecordingsStore, 'bytesOf'>,
  recording: Recording,
  tracks: readonly Track[],
  part: { readonly from: number; readonly to: number },
): AsyncGenerator<Window> {
  const decoders = tracks.map((track) => new TrackDecoder(store, recording, track));
  for (let from = part.from; from < part.to; from += WINDOW) {
    const length = Math.min(WINDOW, part.to - from);
    const decoded = { patient: new Int16Array(length), agent: new Int16Array(length) };
    for (const decoder of decoders) await decoder.fill(decoded[decoder.track], from);
    yield { from, tracks: decoded };
  }
}

/** Reads a track from its beginning to its end. */
class TrackDecoder {
  private latest: { readonly piece: PiecePlace; readonly samples: Int16Array } | null = null;

  constructor(
    private readonly store: Pick<RecordingsStore, 'bytesOf'>,
    private readonly recording: Recording,
    readonly track: Track,
  ) {}

  async fill(window: Int16Array, from: number): Promise<void> {
    for (const piece of piecesIn(this.recording, [this.track], from, from + window.length)) {
      const samples = await this.samplesOf(piece);
      const [start, end] = [
        Math.max(from, piece.first_sample),
        Math.min(from + window.length, piece.first_sample + piece.samples),
      ];
      window.set(samples.subarray(start - piece.first_sample, end - piece.first_sample), start - from);
    }
  }

  private async samplesOf(piece: PiecePlace): Promise<Int16Array> {
    if (this.latest?.piece === piece) return this.latest.samples;
    const bytes = await this.store.bytesOf(this.recording, piece);
    if (bytes === null) throw new DamagedRecording(piece, 'was deleted while it was read');
    const { soundOfPiece } = await import('../../engine/audio/index.js');
    // Some milliseconds for a piece of 10 s.
    await othersTurn();
    const { samples, rate } = decoded(piece, () => soundOfPiece({ bytes, hash: piece.sha256 }));
    if (rate !== RECORDING_RATE || samples.length !== piece.samples) {
      throw new DamagedRecording(piece, 'has another length or rate than was recorded');
    }
    this.latest = { piece, samples };
    return samples;
  }
}

function decoded(piece: PiecePlace, decode: () => Sound): Sound {
  try {
    return decode();
  } catch {
    throw new DamagedRecording(piece, 'is not what was recorded: its hash or its form differs');
  }
}

function seconds(samples: number): string {
  return (samples / RECORDING_RATE).toFixed(1);
}
