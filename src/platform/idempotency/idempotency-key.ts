import { BadRequestException } from '@nestjs/common';
import type { Request } from 'express';

const LONGEST = 255;
/** Visible ASCII but for what would end or escape the quoted form. */
const KEY = /^[!#-[\]-~]+$/;

/**
 * The Idempotency-Key of a request; null when it has none. The header's draft standard (draft-ietf-httpapi-idempotency-key-header)
 * writes it in quotation marks, most clients without.
 * @throws BadRequestException
 */
export function idempotencyKeyOf({ headers }: Request): string | null {
  const header = headers['idempotency-key'];
  if (header === undefined) return null;
  const written = Array.isArray(header) ? header.join(', ') : header.trim();
  const quoted = written.length > 1 && written.startsWith('"') && written.endsWith('"');
  const key = quoted ? written.slice(1, -1) : written;
  if (key.length > LONGEST || !KEY.test(key)) {
    throw new BadRequestException(
      `Idempotency-Key: must be one key of 1 to ${LONGEST} visible ASCII characters without quotation marks, backslashes and spaces, such as a UUID`,
    );
  }
  return key;
}
