const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Before each further attempt, as Standard Webhooks suggest: three days in all. */
const WAITS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** Those who failed together are not tried again together. */
const JITTER = 0.1;

/**
 * Milliseconds after which a failed attempt is followed by another; null after the last one.
 * @param attempt from 1
 * @param random from 0 up to 1
 */
export function waitAfter(attempt: number, random = Math.random()): number | null {
  const wait = WAITS[attempt - 1];
  return wait === undefined ? null : Math.round(wait * (1 - JITTER + 2 * JITTER * random));
}
