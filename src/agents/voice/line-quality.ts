/** What the way here did to the sound that was heard, over some time; of the worst stream. */
export interface LineQuality {
  /** How long sound waited for sound that was late, on average. */
  readonly bufferMs: number;
  /** Sound that was lost and made up; silence that was lost counts as silence. */
  readonly concealedMs: number;
  /** Sound that was made longer, to wait for what was late. */
  readonly insertedMs: number;
}

/** Above these, the times of a turn say nothing of the agent. */
const MOST_BUFFER_MS = 60;
const MOST_CONCEALED_MS = 20;
const MOST_INSERTED_MS = 20;

/** @param quality null: it is not known */
export function isTimeable(quality: LineQuality | null): boolean {
  if (quality === null) return false;
  const { bufferMs, concealedMs, insertedMs } = quality;
  return bufferMs <= MOST_BUFFER_MS && concealedMs <= MOST_CONCEALED_MS && insertedMs <= MOST_INSERTED_MS;
}

/** What was counted of one stream since it began. Samples are those of the decoder, COUNTED_RATE a second. */
export interface StreamCounts {
  /** Seconds that samples waited, summed over the samples. */
  readonly waited: number;
  readonly emitted: number;
  readonly concealed: number;
  readonly inserted: number;
}

const COUNTED_RATE = 48_000;
const NONE: StreamCounts = { waited: 0, emitted: 0, concealed: 0, inserted: 0 };

/** @param before, after by stream; one that was not there before began in between */
export function qualityBetween(
  before: ReadonlyMap<number, StreamCounts>,
  after: ReadonlyMap<number, StreamCounts>,
): LineQuality {
  const worst = { bufferMs: 0, concealedMs: 0, insertedMs: 0 };
  for (const [stream, counts] of after) {
    const earlier = before.get(stream) ?? NONE;
    const emitted = counts.emitted - earlier.emitted;
    const waitedMs = emitted > 0 ? ((counts.waited - earlier.waited) / emitted) * 1_000 : 0;
    worst.bufferMs = Math.max(worst.bufferMs, waitedMs);
    worst.concealedMs = Math.max(worst.concealedMs, millisecondsOf(counts.concealed - earlier.concealed));
    worst.insertedMs = Math.max(worst.insertedMs, millisecondsOf(counts.inserted - earlier.inserted));
  }
  return worst;
}

const millisecondsOf = (samples: number): number => (samples / COUNTED_RATE) * 1_000;
