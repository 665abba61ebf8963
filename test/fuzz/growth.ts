const SIZES = [4_000, 16_000, 64_000, 256_000];
/** Four times the text may cost eight times as much; what grows with the square of the text costs sixteen times. */
const MOST_GROWTH = 2;
/** Processor time that says nothing: compiling, collecting garbage. */
const FLOOR_MS = 40;
const MOST_MEASUREMENTS = 6;

/**
 * Runs `work` on a text of growing length and compares its processor time with that of the text before.
 * @returns null when it grows in proportion, else a sentence with the figures
 */
export async function superlinearGrowth(
  work: (text: string) => unknown,
  textOf: (length: number) => string,
  sizes: readonly number[] = SIZES,
): Promise<string | null> {
  let before: { readonly length: number; readonly ms: number } | null = null;
  for (const length of sizes) {
    const text = textOf(length);
    const bound: number = before === null ? Infinity : FLOOR_MS + MOST_GROWTH * before.ms * (length / before.length);
    let ms = await processorTime(work, text);
    // Other work on this machine only ever adds: the least of several measurements is the nearest to the truth.
    for (let count = 1; count < MOST_MEASUREMENTS && ms > bound; count += 1) {
      ms = Math.min(ms, await processorTime(work, text));
    }
    if (before !== null && ms > bound) {
      return `${before.length} characters took ${before.ms.toFixed(1)} ms, ${length} took ${ms.toFixed(1)} ms`;
    }
    before = { length, ms };
  }
  return null;
}

async function processorTime(work: (text: string) => unknown, text: string): Promise<number> {
  const start = process.cpuUsage();
  await work(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
