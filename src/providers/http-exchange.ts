import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { ProviderError } from './errors';
import { bodyText, bodyTooLarge, utf8 } from './http-body';
import { connectionFailure } from './connection-failure';

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * One request and its whole response, as undici reports it. Ends exactly once, with the response or with a ProviderError;
 * whatever is still open on the wire then is closed.
 */
export class HttpExchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | null = null;
  private ended = false;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly maxBytes: number,
    /** `isReusable`: the connection is clean, the next request may use it. */
    private readonly onEnd: (outcome: HttpResponse | ProviderError, isReusable: boolean) => void,
  ) {}

  /** Gives up: the socket is closed at once; a request that still waits for its connection is never sent. */
  fail(error: ProviderError): void {
    if (this.end(error, false)) this.controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.ended) controller.abort(ProviderError.canceled());
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.headers = headers;
    if (isSuccess(status) && Number(headers['content-length'] ?? 0) > this.maxBytes)
      this.fail(bodyTooLarge(this.maxBytes));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size <= this.maxBytes) {
      this.chunks.push(chunk);
    } else if (isSuccess(this.status)) {
      this.fail(bodyTooLarge(this.maxBytes));
    } else {
      // The status of a refusal says what is wrong, however long its body is.
      this.end(this.response(utf8(Buffer.concat(this.chunks))), false);
      controller.abort(bodyTooLarge(this.maxBytes));
    }
  }

  onResponseEnd(): void {
    const [first] = this.chunks;
    const body = first !== undefined && this.chunks.length === 1 ? first : Buffer.concat(this.chunks, this.size);
    const encoding = this.headers['content-encoding'];
    if (encoding === undefined || encoding === '' || encoding === 'identity') {
      this.end(this.response(utf8(body)), true);
      return;
    }
    bodyText(body, encoding, this.maxBytes).then(
      (text) => this.end(this.response(text), true),
      (error: unknown) => this.end(error instanceof ProviderError ? error : connectionFailure(error, true), false),
    );
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.end(connectionFailure(error, this.status !== 0), false);
  }

  private response(text: string): HttpResponse {
    return { status: this.status, headers: this.headers, text };
  }

  private end(outcome: HttpResponse | ProviderError, isReusable: boolean): boolean {
    if (this.ended) return false;
    this.ended = true;
    this.onEnd(outcome, isReusable);
    return true;
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
