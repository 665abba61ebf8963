import { ProviderError } from '../errors';

export interface WaitFor<Found> {
  /** Called whenever something changed; null: not yet. May throw, which ends the wait. */
  readonly look: () => Found | null;
  /** In how many milliseconds to look again even if nothing changes; null: not at all. */
  readonly lookAgainIn?: () => number | null;
  /** In milliseconds of `performance.now()`. */
  readonly deadline: number;
  /** The error of a wait that lasted until the deadline. */
  readonly late: () => ProviderError;
  readonly signal: AbortSignal;
}

/** Callers that wait for something that events cause. */
export class Waiting {
  private readonly waiters = new Set<() => void>();

  /** Something happened: every wait looks again. */
  changed(): void {
    for (const check of [...this.waiters]) check();
  }

  /** @throws ProviderError what `late` or `look` says; canceled, at once, when the signal is or gets aborted */
  for<Found>({ look, lookAgainIn, deadline, late, signal }: WaitFor<Found>): Promise<Found> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const finish = (end: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.waiters.delete(check);
        end();
      };
      const onAbort = (): void => finish(() => reject(ProviderError.canceled()));
      const check = (): void => {
        clearTimeout(timer);
        try {
          const found = look();
          if (found !== null) return finish(() => resolve(found));
          const left = deadline - performance.now();
          if (left <= 0) return finish(() => reject(late()));
          timer = setTimeout(check, Math.min(left, lookAgainIn?.() ?? left) + 1);
        } catch (error) {
          finish(() => reject(asError(error)));
        }
      };
      if (signal.aborted) return reject(ProviderError.canceled());
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiters.add(check);
      check();
    });
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('A wait failed with something that is not an error.');
}

/** A message received in a room. */
export interface Mail {
  readonly payload: Uint8Array;
  /** null when a data packet has none. */
  readonly topic: string | null;
  /** Identity of the sender; empty when the server sent it, or has not announced the sender yet. */
  readonly sender: string;
}

/** The subscribers to one channel of a room. */
export class RoomMail {
  private readonly handlers = new Set<(mail: Mail) => void>();

  /** Receives everything from now on; the returned function unsubscribes. */
  on(handler: (mail: Mail) => void): () => void {
    this.handlers.add(handler);
    return () => this.handlers.delete(handler);
  }

  /** @param payload base64 */
  hand({
    payload,
    topic,
    sender,
  }: {
    readonly payload: string;
    readonly topic: string | null;
    readonly sender: string;
  }): void {
    const mail = { payload: Buffer.from(payload, 'base64'), topic, sender };
    for (const handler of [...this.handlers]) handler(mail);
  }
}
