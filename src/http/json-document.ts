import { createHash } from 'node:crypto';
import type { Response } from 'express';

/** JSON text made once and sent to many: the bytes, and the entity tag by which a client's copy is known to be current. */
export interface JsonDocument {
  readonly bytes: Buffer;
  readonly etag: string;
}

export function jsonDocument(value: unknown): JsonDocument {
  const bytes = Buffer.from(JSON.stringify(value));
  return { bytes, etag: `W/"${createHash('sha1').update(bytes).digest('base64url')}"` };
}

/** The same of text that is made in pieces; it is whole, so that its length is told and a client's copy may still be current. */
export async function jsonDocumentOf(pieces: AsyncIterable<string>): Promise<JsonDocument> {
  const hash = createHash('sha1');
  const parts: Buffer[] = [];
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece);
    hash.update(bytes);
    parts.push(bytes);
  }
  return { bytes: Buffer.concat(parts), etag: `W/"${hash.digest('base64url')}"` };
}

/** Answers 200 with the document, or 304 when the client has it already. */
export function sendDocument(response: Response, { bytes, etag }: JsonDocument): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('ETag', etag);
  response.send(bytes);
}
