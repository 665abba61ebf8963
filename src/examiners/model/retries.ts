import { setTimeout as sleep } from 'node:timers/promises';

/** Attempts after the first one. */
const MOST_RETRIES = 6;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** The longest wait that a server may ask for; every call's own deadline is earlier. */
const LONGEST_WISH_MS = 3_600_000;

/**
 * Repeats an attempt for as long as that may help. Waits double from 0.5 s to 8 s, each a random part between half and all of it, or are
 * at least as long as the server asks. Replaces the SDKs' own retries: OpenAI's cannot be woken from a wait, and both repeat a call
 * whose answer was too long.
 * @param waitFor the least to wait after a failure, 0 if the server asks for nothing; null when the failure is final
 * @throws the last attempt's error; when aborted during a wait, the abort error at once
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  waitFor: (error: unknown) => number | null,
  signal: AbortSignal,
): Promise<Result> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await attempt();
    } catch (error) {
      const wish = retry < MOST_RETRIES && !signal.aborted ? waitFor(error) : null;
      if (wish === null) throw error;
      const half = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** retry) / 2;
      const least = wish > 0 ? Math.min(wish, LONGEST_WISH_MS) : half;
      await sleep(least + Math.random() * Math.min(half, least), undefined, { signal });
    }
  }
}
