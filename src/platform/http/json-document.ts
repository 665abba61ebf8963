import { createHash } from 'node:crypto';
import type { Response } from 'express';

/** JSON text serialized once and sent to many clients: the bytes, and the entity tag that shows whether a client's copy is current. */
export interface JsonDocument {
  readonly bytes: Buffer;
  readonly etag: string;
}

export function jsonDocument(value: unknown): JsonDocument {
  const bytes = Buffer.from(JSON.stringify(value));
  return { bytes, etag: `W/"${createHash('sha1').update(bytes).digest('base64url')}"` };
}

/** The same for text built in pieces; it is sent whole, so that it has a Content-Length and an entity tag. */
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
