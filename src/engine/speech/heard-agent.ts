import type { AgentSound } from '../../agents';
import { RECORDED_RATE } from './recorded-rate';

/** Sound of the agent at its place on the time axis of the call. */
export interface PlacedSound {
  /** Since the call began, at RECORDED_RATE. */
  readonly firstSample: number;
  readonly samples: Int16Array;
}

/** Sounds follow each other as they were numbered, unless the clock says by so much that they do not. */
const MOST_DRIFT = inSamples(30);
/** Where there is nothing to hear, the clock is followed at once: its first estimate is its worst. */
const QUIET = 64;
/** What a detector is given of what was heard before. */
const CONTEXT = inSamples(2_000);
/** Of a turn; more is not heard any more. Longer than any agent may take for a reply. */
const MOST_HELD = inSamples(5 * 60_000);

/** All that the agent says in a call, turn by turn. */
export class HeardAgent {
  /** What belongs to the turn under way, after a little of what was before. */
  private held: PlacedSound[] = [];
  private heldSamples = 0;
  private turnFrom = 0;
  private end = 0;
  private isFirst = true;

  /** The place in the call up to which the agent was heard. */
  get heardUntil(): number {
    return this.end;
  }

  /** @returns where it was placed, without what was there before; null where nothing of it is new */
  add(sound: AgentSound): PlacedSound | null {
    const told = Math.max(0, inSamples(sound.from));
    const drift = this.isFirst ? 0 : told - this.end;
    const isFollowed =
      this.isFirst || Math.abs(drift) > MOST_DRIFT || isQuiet(sound.samples.subarray(0, Math.abs(drift)));
    this.isFirst = false;
    const place = isFollowed ? told : this.end;
    // What would lie before the end was heard already, as far as the clock can tell.
    const samples = sound.samples.subarray(Math.max(0, this.end - place));
    if (samples.length === 0) return null;
    const placed = { firstSample: Math.max(place, this.end), samples };
    this.end = placed.firstSample + samples.length;
    this.keep(placed);
    return placed;
  }

  /** What was heard since the last turn was taken, without holes. The next turn begins after it. */
  takeTurn(): { readonly firstSample: number; readonly turnFrom: number; readonly samples: Int16Array } {
    const firstSample = Math.max(0, this.turnFrom - CONTEXT, this.end - MOST_HELD);
    const samples = new Int16Array(Math.max(0, this.end - firstSample));
    for (const piece of this.held) {
      const from = piece.firstSample - firstSample;
      samples.set(from < 0 ? piece.samples.subarray(-from) : piece.samples, Math.max(0, from));
    }
    const taken = { firstSample, turnFrom: Math.max(firstSample, this.turnFrom), samples };
    this.turnFrom = this.end;
    this.held = this.held.filter((piece) => piece.firstSample + piece.samples.length > this.end - CONTEXT);
    this.heldSamples = this.held.reduce((sum, piece) => sum + piece.samples.length, 0);
    return taken;
  }

  private keep(placed: PlacedSound): void {
    this.held.push(placed);
    this.heldSamples += placed.samples.length;
    while (this.heldSamples > MOST_HELD) {
      const dropped = this.held.shift();
      if (dropped === undefined) return;
      this.heldSamples -= dropped.samples.length;
      this.turnFrom = Math.max(this.turnFrom, dropped.firstSample + dropped.samples.length);
    }
  }
}

function isQuiet(samples: Int16Array): boolean {
  return samples.every((sample) => sample < QUIET && sample > -QUIET);
}

export function inSamples(ms: number): number {
  return Math.round((ms * RECORDED_RATE) / 1_000);
}
