/** Something that reads text from outside, by the name of what it does. */
export type TextReader = readonly [name: string, read: (text: string) => unknown];

/** Four times the text may cost eight times as much; what grows with the square of the text costs sixteen times. */
const MOST_GROWTH = 2;
/** Processor time that says nothing: compiling, collecting garbage. What grows with the square is far beyond it soon. */
const FLOOR_MS = 30;
/** What others do on the same cores empties caches, which is paid for in processor time: as much again is let pass. */
const OTHERS_MS = 30;
const MOST_MEASUREMENTS = 10;

/** Two lengths in characters. */
export type Sizes = readonly [short: number, long: number];

/**
 * Runs `read` on two texts, one much longer than the other, and compares its processor time.
 * @param mostMeasurements of the longer text, before its growth counts
 * @returns null when it grows in proportion, else a sentence with the figures
 */
export async function superlinearGrowth(
  read: TextReader[1],
  textOf: (length: number) => string,
  [short, long]: Sizes,
  mostMeasurements = MOST_MEASUREMENTS,
): Promise<string | null> {
  const [shortText, longText] = [textOf(short), textOf(long)];
  let longMs = await processorTime(read, longText);
  if (longMs <= FLOOR_MS) return null;
  const shortMs = await processorTime(read, shortText);
  const mostMs = FLOOR_MS + OTHERS_MS + MOST_GROWTH * shortMs * (long / short);
  // Other work on this machine only ever adds: the least of several measurements is the nearest to the truth.
  for (let count = 1; count < mostMeasurements && longMs > mostMs; count += 1) {
    longMs = Math.min(longMs, await processorTime(read, longText));
  }
  if (longMs <= mostMs) return null;
  return `${short} characters took ${shortMs.toFixed(1)} ms, ${long} took ${longMs.toFixed(1)} ms`;
}

async function processorTime(read: TextReader[1], text: string): Promise<number> {
  const start = process.cpuUsage();
  await read(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
