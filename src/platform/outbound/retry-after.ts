import type { IncomingHttpHeaders } from 'node:http';

/**
 * How long the other side asks callers to stay away, in milliseconds, null when it does not say: `retry-after-ms` (used by
 * OpenAI-compatible servers, finer than seconds) before `retry-after` in seconds or as a date (RFC 9110 section 10.2.3).
 */
export function retryAfterMs(headers: IncomingHttpHeaders, wallTime: number): number | null {
  const fine = amount(headers['retry-after-ms']);
  if (fine !== null) return fine;
  const value = headers['retry-after'];
  if (value === undefined) return null;
  const seconds = amount(value);
  if (seconds !== null) return seconds * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - wallTime);
}

/** Fractions are not in the RFC, yet servers send them. */
function amount(value: string | string[] | undefined): number | null {
  if (typeof value !== 'string' || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return null;
  return Number(value);
}
