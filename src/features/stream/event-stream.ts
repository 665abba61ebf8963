import type { ServerResponse } from 'node:http';
import { HEARTBEAT } from './frame';

/**
 * One open response. Nothing is written while the client's socket is full, so what a slow client holds in memory is
 * bounded by one write.
 */
export class EventStream {
  /** Called when the client can take more. */
  onDrain: () => void = () => undefined;
  private fullSince: number | undefined;
  private ended = false;

  /** Sends the headers. `onClose` is called once, however the stream ends; in the next turn of the event loop when the client is gone already. */
  constructor(
    private readonly response: ServerResponse,
    onClose: () => void,
  ) {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache',
      // Asks nginx not to buffer the stream.
      'X-Accel-Buffering': 'no',
    });
    response.on('drain', () => {
      this.fullSince = undefined;
      this.onDrain();
    });
    const closed = (): void => {
      this.ended = true;
      onClose();
    };
    // Not the request's `close`: that comes when its body has been read, which is at once.
    if (response.destroyed) setImmediate(closed);
    else response.on('close', closed);
    // A write to a client that has just gone; `close` follows.
    response.on('error', () => undefined);
  }

  /** Whether a write would be accepted now. */
  get writable(): boolean {
    return !this.ended && this.fullSince === undefined;
  }

  write(bytes: Buffer | string): void {
    if (this.ended) return;
    if (!this.response.write(bytes)) this.fullSince ??= performance.now();
  }

  heartbeat(): void {
    if (this.writable) this.write(HEARTBEAT);
  }

  /** Milliseconds since the client stopped reading what it is sent; 0 while it keeps up. */
  stalledFor(now: number): number {
    return this.fullSince === undefined ? 0 : now - this.fullSince;
  }

  /** Ends after what was written; a client that does not read it is cut off. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    // A client that does not read the rest either is cut off like any that stalls.
    this.fullSince ??= performance.now();
    this.response.end();
  }

  disconnect(): void {
    this.response.destroy();
  }
}
