/** How often it ticks, in ms. */
const TICK_MS = 5;
/** Times are doubled at most so often. */
const TRIES = 5;

/**
 * Tries what holds only of a process that is awake. Where it fails, and the process was kept from running for a quarter of the time that
 * it is about, it is tried again with twice that time; what fails in a process that was awake has failed.
 * @param shortestMs the time of the first try
 */
export async function whileAwake(shortestMs: number, attempt: (ms: number) => Promise<void>): Promise<void> {
  for (let tries = 1, ms = shortestMs; ; tries += 1, ms *= 2) {
    const pauses = watchPauses();
    try {
      await attempt(ms);
      return;
    } catch (error) {
      if (tries === TRIES || pauses.longestMs() < ms / 4) throw error;
    } finally {
      pauses.end();
    }
  }
}

/** How long the event loop has stood still at most since the call. */
function watchPauses(): { longestMs(): number; end(): void } {
  let last = performance.now();
  let longest = 0;
  const note = (): number => {
    const now = performance.now();
    longest = Math.max(longest, now - last - TICK_MS);
    last = now;
    return longest;
  };
  const ticking = setInterval(note, TICK_MS);
  return { longestMs: note, end: () => clearInterval(ticking) };
}
