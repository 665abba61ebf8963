import type { ProviderError } from '../errors';
import { agentLeft, connectionLost, leftForGood } from './room-failure';

/** A connection that broke may come back by itself within so long. */
const RECONNECT_TIMEOUT_MS = 10_000;
/** When our connection breaks everybody seems to leave; within so long we are told that it broke. */
const DEPARTURE_GRACE_MS = 1_000;
/** Once it is back, who is still there is told within so long. */
const RETURN_TIMEOUT_MS = 2_000;

/**
 * Why a conversation in a room cannot go on. The first failure is the reason of all that follow, so an agent that leaves is told
 * from a connection of ours that was lost, which looks the same at first.
 */
export class RoomEnd {
  private failed: ProviderError | null = null;
  private readonly handlers = new Set<(error: ProviderError) => void>();
  private reconnecting: NodeJS.Timeout | undefined;
  private departed: NodeJS.Timeout | undefined;

  /** @param changed called when there is a failure */
  constructor(private readonly changed: () => void) {}

  /** null while the conversation can go on. */
  get failure(): ProviderError | null {
    return this.failed;
  }

  throwIfFailed(): null {
    if (this.failed !== null) throw this.failed;
    return null;
  }

  /** At once when it has happened already; the answer ends it. */
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

  /** Decides about a departure in a while, unless it turns out to be our own connection that was lost. */
  private unlessLost(ms: number, decide: () => void): void {
    clearTimeout(this.departed);
    if (this.failed === null) this.departed = setTimeout(decide, ms);
  }
}
