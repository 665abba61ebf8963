import type { Clock } from '../../src/agents/outbound/clock';
import { ProviderError } from '../../src/agents/errors';

/** A clock whose waits pass at once: it jumps to their end and notes how long they would have been. */
export interface ManualClock extends Clock {
  /** Waits in milliseconds, in the order they were begun. */
  readonly waits: readonly number[];
}

/** @param random what chance says, always the same */
export function manualClock(random = 0.5): ManualClock {
  let ahead = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => performance.now() + ahead,
    wallTime: () => Date.now() + ahead,
    random: () => random,
    sleep: async (ms, signal) => {
      if (signal.aborted) throw ProviderError.canceled();
      waits.push(ms);
      ahead += ms;
    },
  };
}
