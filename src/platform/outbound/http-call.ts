import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** The outcome of a request. */
export type Received =
  | { readonly kind: 'whole'; readonly response: RawResponse }
  /** The body is longer than the limit: only its beginning is here, or none of it. */
  | { readonly kind: 'cut'; readonly response: RawResponse }
  /** @property began whether the response had begun */
  | { readonly kind: 'broken'; readonly error: Error; readonly began: boolean };

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly chunks: readonly Buffer[];
  /** The size of all chunks together, in bytes. */
  readonly size: number;
}

/**
 * One request and its response, as undici's `dispatch` reports it. `received` is called once, unless the call was
 * aborted before; whatever is still open on the wire then is closed.
 */
export abstract class HttpCall implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | null = null;
  private isReported = false;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(protected readonly maxBytes: number) {}

  protected abstract received(outcome: Received): void;

  protected began(_status: number, _headers: IncomingHttpHeaders): void {
    // Most have nothing to prepare.
  }

  /** Whether nothing more is to come after this chunk, although the other side keeps the connection open. */
  protected isLast(_chunk: Buffer): boolean {
    return false;
  }

  /** Gives up: the socket is closed at once; a request that still waits for its connection is never sent. */
  protected abort(reason: Error): void {
    this.isReported = true;
    if (this.controller?.aborted === false) this.controller.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isReported) controller.abort(new Error('The request was aborted before it was sent.'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.headers = headers;
    this.began(status, headers);
    // The beginning of a refusal is read: it says what is wrong.
    if (isSuccess(status) && Number(headers['content-length'] ?? 0) > this.maxBytes) this.cut();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isReported) return;
    if (this.size + chunk.length > this.maxBytes) {
      this.cut();
      return;
    }
    this.size += chunk.length;
    this.chunks.push(chunk);
    if (this.isLast(chunk)) this.complete();
  }

  onResponseEnd(): void {
    this.report({ kind: 'whole', response: this.response() });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.report({ kind: 'broken', error, began: this.status !== 0 });
  }

  private complete(): void {
    this.report({ kind: 'whole', response: this.response() });
    this.abort(new Error('The response is complete.'));
  }

  private cut(): void {
    this.report({ kind: 'cut', response: this.response() });
    this.abort(new Error('The response is longer than the limit.'));
  }

  private response(): RawResponse {
    const { status, headers, chunks, size } = this;
    return { status, headers, chunks, size };
  }

  private report(outcome: Received): void {
    if (this.isReported) return;
    this.isReported = true;
    this.received(outcome);
  }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Without a copy where there is one chunk. */
export function bodyOf({ chunks, size }: RawResponse): Buffer {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size);
}

/** How Node codes the errors of a certificate that it refuses: OpenSSL's names for what is wrong with it, and one for a name that it was not made for. */
const REFUSED = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH)/;

/** Whether the other side was reached and is not believed to be who it says it is. Trying again changes nothing. */
export function isUntrustedCertificate(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && typeof error.code === 'string') return REFUSED.test(error.code);
  // With several addresses behind a name the failures are collected.
  return 'errors' in error && Array.isArray(error.errors) && error.errors.some(isUntrustedCertificate);
}

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
