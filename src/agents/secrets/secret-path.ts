import { decoded } from './secret-address';

/** Random ids and tokens in their usual spellings, not words, numbers, dates or versions. The pieces of a UUID are shorter. */
const LONG_PIECE = /[A-Za-z0-9]{16,}/g;

/**
 * Whether a step of an address's path looks like a token: 16 or more letters and digits without anything between them, some of both.
 * That is a guess, and good for a warning at most: an id may look like that too, and a token like a word or a UUID.
 */
export function seemsToHoldSecret(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const pieces = decoded(new URL(address).pathname).match(LONG_PIECE) ?? [];
  return pieces.some((piece) => /[A-Za-z]/.test(piece) && /\d/.test(piece));
}
