import { setTimeout as sleep } from 'node:timers/promises';
import type { Upstream } from './plan';

/** Something that was done in a history, from when to when (`Date.now()`). */
export interface Happening {
  readonly what: string;
  /** The process it was done to; null: to a server that all processes use. */
  readonly member: number | null;
  /** What the process could not do meanwhile: run at all, or talk to a server. */
  readonly hurts: 'process' | Upstream;
  readonly from: number;
  to: number | null;
}

const TICK_MS = 100;
/** This machine was so busy that nothing can be said about moments. */
const STALLED_MS = 600;

/** What happened when in a history, and whether this process itself was kept from looking at its watch. */
export class Timeline {
  /** When the history began, once startClock() was called. */
  began = Date.now();
  readonly happenings: Happening[] = [];
  /** The longest time in which this process did not run. */
  longestStallMs = 0;
  private readonly stopped = new AbortController();

  constructor() {
    void this.watch();
  }

  /** The preparations are over. */
  startClock(): void {
    this.began = Date.now();
  }

  get hasStalled(): boolean {
    return this.longestStallMs > STALLED_MS;
  }

  begin(what: string, member: number | null, hurts: Happening['hurts']): Happening {
    const happening: Happening = { what, member, hurts, from: Date.now(), to: null };
    this.happenings.push(happening);
    return happening;
  }

  end(happening: Happening): void {
    happening.to = Date.now();
  }

  /** Waits until so many milliseconds after the beginning of the history. */
  async until(ms: number): Promise<void> {
    await sleep(Math.max(0, this.began + ms - Date.now()));
  }

  stop(): void {
    this.stopped.abort();
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      const began = Date.now();
      await sleep(TICK_MS, undefined, { signal }).catch(() => undefined);
      this.longestStallMs = Math.max(this.longestStallMs, Date.now() - began - TICK_MS);
    }
  }
}
