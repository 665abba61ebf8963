import { setTimeout as sleep } from 'node:timers/promises';

/** Tries an assertion until it holds; after the time limit its own failure is the test's failure. */
export async function eventually(assertion: () => void | Promise<void>, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      await assertion();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await sleep(5);
  }
}
