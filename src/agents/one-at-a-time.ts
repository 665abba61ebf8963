import { ProviderError } from './errors';

/** Enforces a session's contract: one message in flight, none after the close, and the close aborts the one in flight. */
export class OneAtATime {
  /** One controller for many messages, since creating one for each is costly; a new one after a message was aborted. */
  private ending = new AbortController();
  private isBusy = false;
  private closed = false;

  /** @throws ProviderError canceled when the session is closed; `internal` when another message is in flight */
  async pass<T>(signal: AbortSignal, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.closed || signal.aborted) throw ProviderError.canceled();
    if (this.isBusy) {
      throw new ProviderError('internal', 'A message was sent while the one before it was still in flight.');
    }
    if (this.ending.signal.aborted) this.ending = new AbortController();
    const onAbort = (): void => this.ending.abort();
    this.isBusy = true;
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await send(this.ending.signal);
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.isBusy = false;
    }
  }

  close(): void {
    this.closed = true;
    if (this.isBusy) this.ending.abort();
  }
}
