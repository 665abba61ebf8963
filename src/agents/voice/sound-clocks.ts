/** Now, in ms of CLOCK_MONOTONIC: the same in every process of a machine, unlike `performance.now()`. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** When something was said, in ms of CLOCK_MONOTONIC; `to` is its end. */
export interface Heard {
  readonly from: number;
  readonly to: number;
}

/** Samples a second of what we say: what WebRTC sends without converting it. */
export const SPOKEN_RATE = 48_000;
/** Of what we hear: wide enough for speech and what recognisers take. */
export const HEARD_RATE = 16_000;

/** The native side takes and delivers sound in frames of this length. */
export const FRAME_MS = 10;

/**
 * When the first frame of an utterance went out. A native thread takes one frame every 10 ms from a queue that holds `queueMs`; a frame is
 * accepted into the full queue at the moment another is taken. How late this process learns of it varies, but it is never early: the
 * earliest acceptance tells.
 */
export class PlayoutClock {
  private first = Number.POSITIVE_INFINITY;
  private latest = Number.NEGATIVE_INFINITY;
  private readonly queued: number;

  /** @param queueMs a multiple of FRAME_MS */
  constructor(queueMs: number) {
    this.queued = queueMs / FRAME_MS;
  }

  /** Frames that have to be pushed before anything is known. */
  get least(): number {
    return this.queued + 1;
  }

  /** @param frame from 0 @param at machine ms when it was accepted */
  accepted(frame: number, at: number): void {
    if (frame < this.queued) return;
    const first = at - (frame - this.queued) * FRAME_MS;
    this.first = Math.min(this.first, first);
    this.latest = first;
  }

  /** Machine ms; null before any frame told. */
  get firstFrameAt(): number | null {
    return Number.isFinite(this.first) ? this.first : null;
  }

  /** How much later than its place the last frame was taken. Once the thread had nothing to take, all later frames are late. */
  get delayMs(): number {
    return Number.isFinite(this.first) ? this.latest - this.first : 0;
  }
}

/** Samples of a window whose earliest arrival is its origin. */
const WINDOW_MS = 5_000;

/**
 * When the samples of a track that is heard could be heard. Frames come one after the other without times of their own, so their number is
 * the time axis; arrivals, which are late by a varying amount, only fix where it begins. Each window of 5 s has an origin of its own:
 * a machine that stands still loses frames, and everything later is then later.
 */
export class ArrivalClock {
  private readonly origins: number[] = [];
  private heardMs = 0;

  /** @param ms of sound that arrived @param at machine ms */
  arrived(ms: number, at: number): void {
    this.heardMs += ms;
    const window = Math.floor((this.heardMs - ms) / WINDOW_MS);
    const origin = at - this.heardMs;
    this.origins[window] = Math.min(this.origins[window] ?? Number.POSITIVE_INFINITY, origin);
  }

  /** Machine ms of a place in the track, in ms from its beginning; null before anything arrived. */
  timeOf(placeMs: number): number | null {
    const window = Math.min(this.origins.length - 1, Math.max(0, Math.floor(placeMs / WINDOW_MS)));
    // The beginning of a window has few arrivals: the window before knows better, unless frames were lost since.
    const origins = this.origins.slice(Math.max(0, window - 1), window + 1);
    const last = origins.at(-1);
    if (last === undefined) return null;
    const [earlier = last] = origins;
    return placeMs + (Math.abs(last - earlier) < LOST_FRAME_MS ? Math.min(earlier, last) : last);
  }
}

/** More than arrivals of the earliest frames differ by. */
const LOST_FRAME_MS = 15;
