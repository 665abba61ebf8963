import { ECHO_RATE, EchoSearch, forComparison, LATEST_ECHO_MS, type ComparedSound } from './echo';
import { HEARD_RATE, SPOKEN_RATE, type Heard } from './sound-clocks';
import type { HeardPiece } from './track-mixer';

/** A stretch of what was heard that is the patient's own voice. */
export interface Echo extends Heard {
  readonly delayMs: number;
}

const SAMPLES_PER_MS = ECHO_RATE / 1_000;
/** Of a participant in a turn; longer turns are not watched to their end. */
const MOST_PIECES = 1_200;

interface Participant {
  readonly at: number;
  readonly pieces: Int16Array[];
  readonly stretches: Heard[];
  speaksSince: number | null;
}

/** Looks for the patient's own voice in what is heard in a turn: what comes back is not said by the agent. */
export class EchoWatch {
  private readonly said: ComparedSound[] = [];
  private readonly participants = new Map<string, Participant>();

  /** @param at machine ms of its beginning @param samples of SPOKEN_RATE */
  uttered(at: number, samples: Int16Array): void {
    this.said.push({ at, samples: forComparison(samples, SPOKEN_RATE) });
  }

  heard(sender: string, { at, samples }: HeardPiece): void {
    const known = this.participants.get(sender) ?? { at, pieces: [], stretches: [], speaksSince: null };
    this.participants.set(sender, known);
    if (known.pieces.length < MOST_PIECES) known.pieces.push(forComparison(samples, HEARD_RATE));
  }

  voice(sender: string, isSpeaking: boolean, at: number): void {
    const known = this.participants.get(sender);
    if (known === undefined) return;
    if (!isSpeaking && known.speaksSince !== null) known.stretches.push({ from: known.speaksSince, to: at });
    known.speaksSince = isSpeaking ? at : null;
  }

  /** The echoes of what was said so far. */
  echoes(): Echo[] {
    return this.said.flatMap((said) => {
      const search = new EchoSearch(said);
      const until = said.at + said.samples.length / SAMPLES_PER_MS + LATEST_ECHO_MS;
      return [...this.participants.values()].flatMap(({ at, pieces, stretches }) => {
        const near = stretches.filter(({ from, to }) => from >= said.at && to <= until);
        if (near.length === 0) return [];
        const heard = { at, samples: joined(pieces) };
        return near.flatMap((stretch) => {
          const delayMs = search.delayOf(stretch, heard);
          return delayMs === null ? [] : [{ ...stretch, delayMs }];
        });
      });
    });
  }
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  const samples = new Int16Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    samples.set(piece, at);
    at += piece.length;
  }
  return samples;
}
