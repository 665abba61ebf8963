import { Slots } from '../../platform/concurrency/slots';
import { ProviderError } from '../errors';

interface Line {
  readonly slot: Slots;
  /** The number that hold it or wait for it. */
  users: number;
}

/** Conversations of this process that are to use the same room: one after the other, in the order they came. */
export class RoomTurns {
  private readonly lines = new Map<string, Line>();

  /**
   * Resolves, when all earlier turns have ended, with the function that ends this one; call it once.
   * @throws ProviderError canceled
   */
  async take(room: string, signal: AbortSignal): Promise<() => void> {
    const line = this.lines.get(room) ?? { slot: new Slots(1, () => ProviderError.canceled()), users: 0 };
    this.lines.set(room, line);
    line.users += 1;
    const leave = (): void => {
      line.users -= 1;
      if (line.users === 0) this.lines.delete(room);
    };
    try {
      const release = await line.slot.take(signal);
      return () => {
        release();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }
}
