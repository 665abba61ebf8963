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
