import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { ownTurn } from '../../platform/concurrency';
import { bodyOf, HttpCall, isSuccess, type RawResponse, type Received } from '../../platform/outbound';
import { ProviderError } from '../errors';
import { isEventStream, LastEvent } from '../last-event';
import { connectionFailure } from './connection-failure';

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

function bodyTooLarge(maxBytes: number): ProviderError {
  return new ProviderError(
    'provider_error',
    `The agent's server sent more than ${maxBytes} bytes, the most the harness reads of one answer.`,
  );
}

function isTooLarge(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One request to an agent and its whole response as text. Ends exactly once, with the response or with a ProviderError. */
export class AgentHttpCall extends HttpCall {
  private ended = false;
  private lastEvent: LastEvent | null = null;

  constructor(
    maxBytes: number,
    /** `isReusable`: the connection is clean, the next request may use it. */
    private readonly onEnd: (outcome: HttpResponse | ProviderError, isReusable: boolean) => void,
  ) {
    super(maxBytes);
  }

  fail(error: ProviderError): void {
    if (this.end(error, false)) this.abort(error);
  }

  protected override began(status: number, headers: IncomingHttpHeaders): void {
    if (isSuccess(status) && isPlain(headers['content-encoding']) && isEventStream(headers)) {
      this.lastEvent = new LastEvent();
    }
  }

  protected override isLast(chunk: Buffer): boolean {
    return this.lastEvent?.isIn(chunk) === true;
  }

  protected received(outcome: Received): void {
    if (outcome.kind === 'broken') this.end(connectionFailure(outcome.error, outcome.began), false);
    else if (outcome.kind === 'whole') void this.answer(outcome.response, outcome.response.headers['content-encoding']);
    else if (isSuccess(outcome.response.status)) this.end(bodyTooLarge(this.maxBytes), false);
    // The status of a refusal says what is wrong, however long its body is. A truncated body cannot be decompressed.
    else void this.answer(outcome.response, null);
  }

  /** @param encoding null when the response was truncated */
  private async answer(response: RawResponse, encoding: string | null | undefined): Promise<void> {
    await ownTurn(response.size);
    if (this.ended) return;
    const { status, headers } = response;
    const body = bodyOf(response);
    try {
      const text = isPlain(encoding) ? utf8(body) : await bodyText(body, encoding, this.maxBytes);
      this.end({ status, headers, text }, encoding !== null && this.lastEvent?.wasSeen !== true);
    } catch (error) {
      this.end(error instanceof ProviderError ? error : connectionFailure(error, true), false);
    }
  }

  private end(outcome: HttpResponse | ProviderError, isReusable: boolean): boolean {
    if (this.ended) return false;
    this.ended = true;
    this.onEnd(outcome, isReusable);
    return true;
  }
}

function isPlain(encoding: string | null | undefined): encoding is '' | 'identity' | null | undefined {
  return encoding === null || encoding === undefined || encoding === '' || encoding === 'identity';
}
