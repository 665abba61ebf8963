import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { ownTurn } from '../concurrency/own-turn';
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
  /** Everything that will be read of the body is there; what happens on the wire from now on changes nothing. */
  private isRead = false;
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
      void this.answer(false);
      controller.abort(bodyTooLarge(this.maxBytes));
    }
  }

  onResponseEnd(): void {
    void this.answer(true);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.isRead) this.end(connectionFailure(error, this.status !== 0), false);
  }

  /** @param isWhole false when there is more than is read: then only what was sent plainly can be understood */
  private async answer(isWhole: boolean): Promise<void> {
    if (this.isRead) return;
    this.isRead = true;
    const { chunks, headers } = this;
    await ownTurn(this.size);
    if (this.ended) return;
    const [first] = chunks;
    const body = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
    const encoding = headers['content-encoding'];
    const isPlain = !isWhole || encoding === undefined || encoding === '' || encoding === 'identity';
    try {
      this.end(this.response(isPlain ? utf8(body) : await bodyText(body, encoding, this.maxBytes)), isWhole);
    } catch (error) {
      this.end(error instanceof ProviderError ? error : connectionFailure(error, true), false);
    }
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
