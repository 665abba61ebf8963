import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

/** Resolves after so many milliseconds, or rejects with the signal. */
type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;

/**
 * Repeats work while what it needs is unavailable, for as long as it takes: what an actor decided must reach the database. Ends
 * with the signal, after which nothing begins, or with an error that waiting cannot fix.
 */
export async function untilAvailable<Result>(
  work: () => Promise<Result>,
  isAway: (error: unknown) => boolean,
  signal: AbortSignal,
  pause: Pause = (ms, during) => sleep(ms, undefined, { signal: during }),
): Promise<Result> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isAway(error) || signal.aborted) throw error;
    }
    await pause(waitMs * (0.5 + Math.random() / 2), signal);
  }
}
