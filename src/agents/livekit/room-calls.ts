import type { RoomEnd } from './room-end';
import { connectionLost, undeliverable } from './room-failure';
import type { RoomCommand } from './room-wire';
import type { Waiting } from './waiting';

/** A send only queues; one that waits for a lost connection is of no use to a turn. */
const CALL_TIMEOUT_MS = 10_000;
/** A message is refused before the library reports why the connection is down. */
const REFUSAL_GRACE_MS = 2_000;

/** Calls to the process that holds a room, and their answers: each call has its own number. */
export class RoomCalls {
  private readonly answers = new Map<number, { readonly error: string | null } | null>();
  private last = 0;

  constructor(
    private readonly send: (command: RoomCommand) => void,
    private readonly end: RoomEnd,
    private readonly waiting: Waiting,
  ) {}

  /**
   * @param command made with the call's number
   * @throws ProviderError why the room ended; `connect_failed` when the message cannot be delivered; canceled
   */
  async call(command: (call: number) => RoomCommand, signal: AbortSignal): Promise<void> {
    this.end.throwIfFailed();
    this.last += 1;
    const call = this.last;
    this.answers.set(call, null);
    try {
      this.send(command(call));
      const { error } = await this.waiting.for({
        look: () => this.end.throwIfFailed() ?? this.answers.get(call) ?? null,
        deadline: performance.now() + CALL_TIMEOUT_MS,
        late: connectionLost,
        signal,
      });
      if (error !== null) await this.refused(signal);
    } finally {
      this.answers.delete(call);
    }
  }

  /** Delivers an answer; the caller then notifies `waiting` of the change. */
  answered(call: number, error: string | null): void {
    if (this.answers.has(call)) this.answers.set(call, { error });
  }

  /** A message was refused: the reason the connection broke is reported just after, and says more than we can. */
  private refused(signal: AbortSignal): Promise<never> {
    return this.waiting.for<never>({
      look: () => this.end.throwIfFailed(),
      deadline: performance.now() + REFUSAL_GRACE_MS,
      late: undeliverable,
      signal,
    });
  }
}
