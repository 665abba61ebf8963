import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { ProviderError } from '../errors';

const decompressors = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/**
 * The text of a whole response body. No compression is requested, yet some servers insist on it; `maxBytes` then bounds
 * the decompressed size, so that a small body cannot expand into a huge one.
 * @throws ProviderError `provider_error`
 */
export async function bodyText(body: Buffer, contentEncoding: string, maxBytes: number): Promise<string> {
  const decompress = decompressors.get(contentEncoding.trim().toLowerCase());
  if (decompress === undefined) {
    throw new ProviderError(
      'provider_error',
      "The agent's server sent its answer in an encoding that was not requested and that the harness cannot read.",
    );
  }
  try {
    return utf8(await decompress(body, { maxOutputLength: maxBytes }));
  } catch (error) {
    if (isTooLarge(error)) throw bodyTooLarge(maxBytes);
    throw new ProviderError(
      'provider_error',
      "The agent's server sent a compressed answer that cannot be decompressed.",
    );
  }
}

/** Invalid byte sequences become U+FFFD; a byte order mark is dropped, which JSON.parse would refuse. */
export function utf8(body: Buffer): string {
  const text = body.toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

export function bodyTooLarge(maxBytes: number): ProviderError {
  return new ProviderError(
    'provider_error',
    `The agent's server sent more than ${maxBytes} bytes, the most the harness reads of one answer.`,
  );
}

function isTooLarge(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}
