import type { RecordingPiece, TrackPiece } from '../audio/recording-pieces';
import type { PlacedSound } from './heard-agent';
import { RECORDED_RATE } from './recorded-rate';

export interface RecordingParts {
  /** Packs sound, away from the event loop. */
  readonly pack: (samples: Int16Array) => Promise<readonly RecordingPiece[]>;
  /** Keeps a piece; false: the attempt that recorded it is over. */
  readonly keep: (piece: TrackPiece) => Promise<boolean>;
  /** Called once, with why the recording has a gap. */
  readonly onGap: (error: unknown) => void;
}

/** What is known of a recording at its end. */
export interface RecordingFacts {
  readonly complete: boolean;
  readonly pieces: number;
  /** Of both tracks, in ms. */
  readonly lost_ms: number;
}

/** A crash loses at most so much of a track. */
const PIECE_SAMPLES = 10 * RECORDED_RATE;
/** What may wait to be kept, of both tracks: 4 MB. */
const MOST_WAITING = 120 * RECORDED_RATE;
/** A database that is away may come back. */
const TRIES = 3;
const PAUSE_MS = 1_000;
const END_MS = 10_000;

/** Records both tracks of a call as it goes on. It never holds the conversation up, and what cannot be kept is left out. */
export class CallRecording {
  private agent: PlacedSound[] = [];
  private agentSamples = 0;
  private waiting = 0;
  private pieces = 0;
  private lost = 0;
  private isOver = false;
  private work: Promise<void> = Promise.resolve();

  /** @param endMs how long the end of a conversation waits for its last pieces */
  constructor(
    private readonly parts: RecordingParts,
    private readonly endMs = END_MS,
  ) {}

  /** What the patient says, at its place. */
  addPatient(firstSample: number, samples: Int16Array): void {
    if (samples.length > 0) this.record('patient', { firstSample, samples });
  }

  addAgent(sound: PlacedSound): void {
    const last = this.agent.at(-1);
    if (last !== undefined && last.firstSample + last.samples.length !== sound.firstSample) this.flushAgent();
    this.agent.push(sound);
    this.agentSamples += sound.samples.length;
    if (this.agentSamples >= PIECE_SAMPLES) this.flushAgent();
  }

  /** Resolves when everything is kept that can be, or has taken too long. Idempotent. */
  async finish(): Promise<RecordingFacts> {
    this.flushAgent();
    const late = new Promise<void>((resolve) => void setTimeout(resolve, this.endMs).unref());
    await Promise.race([this.work, late]);
    // What is still waiting is not kept by then.
    this.isOver = true;
    const lost = this.lost + this.waiting;
    return { complete: lost === 0, pieces: this.pieces, lost_ms: Math.round((lost * 1_000) / RECORDED_RATE) };
  }

  private flushAgent(): void {
    const [first] = this.agent;
    if (first === undefined) return;
    const samples = new Int16Array(this.agentSamples);
    let at = 0;
    for (const sound of this.agent) {
      samples.set(sound.samples, at);
      at += sound.samples.length;
    }
    this.agent = [];
    this.agentSamples = 0;
    this.record('agent', { firstSample: first.firstSample, samples });
  }

  private record(track: TrackPiece['track'], sound: PlacedSound): void {
    const { length } = sound.samples;
    if (this.isOver || this.waiting + length > MOST_WAITING) return this.lose(length, null);
    this.waiting += length;
    this.work = this.work.then(() => this.keep(track, sound));
  }

  private async keep(track: TrackPiece['track'], { firstSample, samples }: PlacedSound): Promise<void> {
    let left = samples.length;
    try {
      for (const { firstSample: place, bytes, hash } of await this.parts.pack(samples)) {
        const count = Math.min(PIECE_SAMPLES, samples.length - place);
        const piece = { track, firstSample: firstSample + place, samples: count, bytes, sha256: hash };
        const isKept = !this.isOver && (await this.keptAfterTries(piece));
        left -= count;
        this.waiting -= count;
        if (isKept) this.pieces += 1;
        else this.lose(count, null);
      }
    } catch (error) {
      this.waiting -= left;
      this.lose(left, error);
    }
  }

  private async keptAfterTries(piece: TrackPiece): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.parts.keep(piece);
      } catch (error) {
        if (attempt >= TRIES || this.isOver) {
          this.tell(error);
          return false;
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
      }
    }
  }

  private lose(samples: number, error: unknown): void {
    if (error !== null) this.tell(error);
    this.lost += samples;
  }

  private hasTold = false;

  private tell(error: unknown): void {
    if (this.hasTold) return;
    this.hasTold = true;
    this.parts.onGap(error);
  }
}
