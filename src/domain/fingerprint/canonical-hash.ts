import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * SHA-256, in hexadecimal digits, of a document's canonical JSON (RFC 8785): the same for all documents that differ only in the
 * order of their fields, in white space, or in how their numbers are written.
 * @param document finite numbers and well-formed text, as every request and every row holds them
 * @throws Error for anything else
 */
export function canonicalHash(document: object): string {
  const text = canonicalize(document);
  if (text === undefined) throw new Error('Only JSON documents have a canonical form.');
  return createHash('sha256').update(text).digest('hex');
}

/** A UUID (version 8 of RFC 9562) that is the same for the same words, for what has no row of its own to be named after. */
export function namedUuid(...words: readonly string[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(words)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
