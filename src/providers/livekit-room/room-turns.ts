import { ProviderError } from '../errors';

/** Conversations of this process that are to use the same room: one after the other, in the order they came. */
export class RoomTurns {
  private readonly last = new Map<string, Promise<void>>();

  /**
   * Resolves, when everybody before has ended, with what ends this turn.
   * @throws ProviderError canceled
   */
  async take(room: string, signal: AbortSignal): Promise<() => void> {
    const before = this.last.get(room) ?? Promise.resolve();
    let end = (): void => undefined;
    const turn = new Promise<void>((resolve) => (end = resolve));
    const all = before.then(() => turn);
    this.last.set(room, all);
    void all.then(() => {
      if (this.last.get(room) === all) this.last.delete(room);
    });
    try {
      await unlessAborted(before, signal);
      return end;
    } catch (error) {
      end();
      throw error;
    }
  }
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => (abort = () => reject(ProviderError.canceled())));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
