import { printable } from '../outbound/http-refusal';
import type { Secrets } from '../secrets/secrets';

const MOST_NAMES = 12;
const LONGEST_NAME = 40;

/** What an answer looks like from outside: names of fields, never what they hold. */
export function shapeOf(value: unknown, secrets: Secrets): string {
  if (value === undefined) return 'no JSON';
  if (value === null) return 'null';
  if (typeof value === 'string') return value.trim() === '' ? 'an empty text' : 'a text';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (Array.isArray(value)) {
    if (value.length === 0) return 'an empty list';
    const [first] = value as unknown[];
    return `a list of ${value.length}, the first of them ${Array.isArray(first) ? 'a list' : shapeOf(first, secrets)}`;
  }
  const names = Object.keys(value);
  if (names.length === 0) return 'an empty object';
  const shown = names
    .slice(0, MOST_NAMES)
    .map((name) => printable(secrets.remove(name.slice(0, 1_000))).slice(0, LONGEST_NAME));
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `an object with ${shown.join(', ')}${more}`;
}
