import { setTimeout as sleep } from 'node:timers/promises';

const SHORTEST_MS = 5;
const LONGEST_MS = 100;

/** Shorter where code with a fault is tried (test/mutation): most of what never holds then is the fault's doing. */
const WITHIN_MS = Number(process.env['EVENTUALLY_WITHIN_MS'] ?? 60_000);

/**
 * Waits before one looks again at something that has taken so long already, in ms: at first at once, later seldom. Whoever looks all the
 * time keeps the processor from what is waited for.
 */
export function beforeNextLook(sinceStart: number): Promise<void> {
  return sleep(Math.min(LONGEST_MS, SHORTEST_MS + sinceStart / 8));
}

/**
 * Tries an assertion until it holds; after the time limit its own failure is the test's failure. Each failure is put into words, also
 * one that is tried again: compare the length of a list, not the list, where what it holds is large.
 */
export async function eventually(assertion: () => void | Promise<void>, withinMs = WITHIN_MS): Promise<void> {
  const start = performance.now();
  for (;;) {
    try {
      await assertion();
      return;
    } catch (error) {
      if (performance.now() > start + withinMs) throw error;
    }
    await beforeNextLook(performance.now() - start);
  }
}

/** What it resolves or is rejected with; where it is neither within the time limit, that is the test's failure, at once and not at the end of its time. */
export async function inTime<Settled>(pending: Promise<Settled>, withinMs = WITHIN_MS): Promise<Settled> {
  const settled = new AbortController();
  const late = sleep(withinMs, undefined, { signal: settled.signal }).then(
    () => Promise.reject(new Error(`It is not settled after ${withinMs} ms.`)),
    () => pending,
  );
  try {
    return await Promise.race([pending, late]);
  } finally {
    settled.abort();
  }
}
