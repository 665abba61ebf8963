import { ProviderError } from './errors';

/** Keeps a session's promise: one message in flight, none after the close, and the close ends the one in flight. */
export class MessageGate {
  private inFlight: AbortController | null = null;
  private closed = false;

  /** @throws ProviderError canceled when the session is closed; `internal` when another message is in flight */
  async pass<T>(signal: AbortSignal, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.closed || signal.aborted) throw ProviderError.canceled();
    if (this.inFlight !== null) {
      throw new ProviderError('internal', 'A message was sent while the one before it was still in flight.');
    }
    const ending = new AbortController();
    const onAbort = (): void => ending.abort();
    this.inFlight = ending;
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await send(ending.signal);
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.inFlight = null;
    }
  }

  close(): void {
    this.closed = true;
    this.inFlight?.abort();
  }
}
