import type { ProviderError } from '../errors';
import { agentLeft, connectionLost, leftForGood } from './room-failure';

/** A broken connection may come back on its own within this time. */
const RECONNECT_TIMEOUT_MS = 10_000;
/** When our connection breaks all participants seem to leave; within this time we learn that it broke. */
const DEPARTURE_GRACE_MS = 1_000;
/** Once it is back, we learn within this time which of them are still there. */
const RETURN_TIMEOUT_MS = 2_000;

/**
 * Why a conversation in a room cannot continue. The first failure causes all that follow, so a departing agent is distinguished
 * from a lost connection of our own, which looks the same at first.
 */
export class RoomEnd {
  private failed: ProviderError | null = null;
  private readonly handlers = new Set<(error: ProviderError) => void>();
  private reconnecting: NodeJS.Timeout | undefined;
  private departed: NodeJS.Timeout | undefined;

  /** @param changed called when there is a failure */
  constructor(private readonly changed: () => void) {}

  /** null while the conversation can continue. */
  get failure(): ProviderError | null {
    return this.failed;
  }

  throwIfFailed(): null {
    if (this.failed !== null) throw this.failed;
    return null;
  }

  /** Calls back at once if it has happened already; the returned function unsubscribes. */
  onFailure(handler: (error: ProviderError) => void): () => void {
    if (this.failed !== null) handler(this.failed);
    else this.handlers.add(handler);
    return () => this.handlers.delete(handler);
  }

  because(error: ProviderError): void {
    clearTimeout(this.reconnecting);
    clearTimeout(this.departed);
    if (this.failed !== null) return;
    this.failed = error;
    for (const handler of [...this.handlers]) handler(error);
    this.handlers.clear();
    this.changed();
  }

  /** @param reason a DisconnectReason of the protocol */
  agentLeft(reason: string): void {
    if (leftForGood(reason)) return this.because(agentLeft(reason));
    if (this.reconnecting === undefined) this.unlessLost(DEPARTURE_GRACE_MS, () => this.because(agentLeft(reason)));
  }

  connectionBroke(): void {
    if (this.failed !== null) return;
    clearTimeout(this.departed);
    this.reconnecting ??= setTimeout(() => this.because(connectionLost()), RECONNECT_TIMEOUT_MS);
  }

  connectionIsBack(isAgentMissing: () => boolean): void {
    clearTimeout(this.reconnecting);
    this.reconnecting = undefined;
    this.unlessLost(RETURN_TIMEOUT_MS, () => {
      if (isAgentMissing()) this.because(agentLeft('UNKNOWN_REASON'));
    });
  }

  /** Decides about a departure after a while, unless it turns out that our own connection was lost. */
  private unlessLost(ms: number, decide: () => void): void {
    clearTimeout(this.departed);
    if (this.failed === null) this.departed = setTimeout(decide, ms);
  }
}
