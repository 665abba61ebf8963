import { z } from 'zod';

const MILLISECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** A setting such as `24h`: a whole number and its unit. */
export const duration = z.string().regex(/^\d{1,6}[smhd]$/, 'a time such as 90s, 30m, 24h or 7d');

/** @param text as `duration` accepts it */
export function millisecondsOf(text: string): number {
  return Number(text.slice(0, -1)) * (MILLISECONDS.get(text.slice(-1)) ?? 0);
}
