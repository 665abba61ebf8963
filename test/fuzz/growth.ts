/** Something that reads text from outside, by the name of what it does. */
export type TextReader = readonly [name: string, read: (text: string) => unknown];

/** Four times the text may cost eight times as much; what grows with the square of the text costs sixteen times. */
const MOST_GROWTH = 2;
/** Processor time that says nothing: compiling, collecting garbage. What grows with the square is far beyond it soon. */
const FLOOR_MS = 150;
const MOST_MEASUREMENTS = 6;

/**
 * Runs `read` on a text of growing length and compares its processor time with that of the text before.
 * @returns null when it grows in proportion, else a sentence with the figures
 */
export async function superlinearGrowth(
  read: TextReader[1],
  textOf: (length: number) => string,
  sizes: readonly number[],
): Promise<string | null> {
  let before: { readonly length: number; readonly ms: number } | null = null;
  for (const length of sizes) {
    const text = textOf(length);
    const bound: number = before === null ? Infinity : FLOOR_MS + MOST_GROWTH * before.ms * (length / before.length);
    let ms = await processorTime(read, text);
    // Other work on this machine only ever adds: the least of several measurements is the nearest to the truth.
    for (let count = 1; count < MOST_MEASUREMENTS && ms > bound; count += 1) {
      ms = Math.min(ms, await processorTime(read, text));
    }
    if (before !== null && ms > bound) {
      return `${before.length} characters took ${before.ms.toFixed(1)} ms, ${length} took ${ms.toFixed(1)} ms`;
    }
    before = { length, ms };
  }
  return null;
}

async function processorTime(read: TextReader[1], text: string): Promise<number> {
  const start = process.cpuUsage();
  await read(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
