import type { CallEvent } from '../voice/call-floor';
import { MEDIA_MS } from './stream-messages';

interface Stall {
  readonly from: number;
  readonly to: number;
}

/**
 * When the thread that carries a line stood still, and what that did to the times of a turn. A line counts its own time and catches up, so
 * that a stall displaces nothing but what began or ended while it lasted: a turn in which none of that did has its times.
 */
export class LineStalls {
  private stalls: Stall[] = [];
  /** When a voice began or ended in this turn, ours or another. */
  private moments: number[] = [];

  /** A turn begins. */
  begin(): void {
    [this.stalls, this.moments] = [[], []];
  }

  /** A frame that was due at one time went out at another. In machine ms */
  late(dueAt: number, now: number): void {
    if (now - dueAt >= MEDIA_MS) this.stalls.push({ from: dueAt, to: now });
  }

  /** What is reported of the call. */
  told(event: CallEvent): void {
    if (event.type === 'said') this.moments.push(event.from, event.to);
    if (event.type === 'voice') this.moments.push(event.at);
  }

  /** By how much a time of this turn can be wrong. In ms */
  errorMs(): number {
    const felt = this.stalls.filter(({ from, to }) =>
      this.moments.some((at) => at >= from - MEDIA_MS && at <= to + MEDIA_MS),
    );
    return Math.max(0, ...felt.map(({ from, to }) => to - from));
  }
}
