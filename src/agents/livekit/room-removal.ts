import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../platform/config/log';
import { ProviderError } from '../errors';
import type { RoomAdministration } from './room-administration';

/**
 * Who may join a room after its deletion. LiveKit servers create a room for whoever joins it (`auto_create`), and a deletion
 * does not stop anyone who is already joining.
 * - `others`: the room's name is not ours alone; whoever joins may have good reason to.
 * - `nobody`: everyone expected had joined. A client that misses the deletion may still reconnect.
 * - `agent`: the agent was dispatched and had not joined; its program may be starting.
 */
export type Expected = 'others' | 'nobody' | 'agent';

/** When a room is deleted again, in milliseconds after the previous deletion; for an agent, as long as it may take to join. */
const AGAIN_AFTER_MS: Readonly<Record<Expected, readonly number[]>> = {
  others: [],
  nobody: [2_000, 15_000],
  agent: [1_000, 4_000, 15_000, 40_000],
};

/** Rooms that must not stay: a failed deletion is retried, and a room that comes back is deleted again. */
export class RoomRemoval {
  private readonly begun = new Set<Promise<unknown>>();
  private readonly over = new AbortController();

  constructor(
    private readonly log: Log,
    private readonly againAfterMs = AGAIN_AFTER_MS,
  ) {
    // One listener per room that waits for its next try; each removes its own.
    setMaxListeners(0, this.over.signal);
  }

  /** Resolves when the first try has ended, within seconds; the rest continues on its own. Never throws. */
  async remove(room: string, administration: RoomAdministration, expected: Expected): Promise<void> {
    const removal = new Removal(room, administration, expected === 'agent', this.log);
    await this.tryOnce(removal);
    // A room that could not be deleted at once is worth as many tries as one that may come back.
    void this.goOn(removal, this.againAfterMs[expected === 'nobody' && !removal.isDone ? 'agent' : expected]);
  }

  /** Gives up further tries, and waits for those in progress; rooms that could not be deleted by then are logged. Idempotent. */
  async close(): Promise<void> {
    this.over.abort();
    await Promise.all(this.begun);
  }

  private async goOn(removal: Removal, waits: readonly number[]): Promise<void> {
    for (const wait of waits) {
      if (removal.isHopeless) break;
      const waited = await sleep(wait, true, { signal: this.over.signal, ref: false }).catch(() => false);
      if (!waited || this.over.signal.aborted) break;
      await this.tryOnce(removal);
    }
    removal.conclude();
  }

  private async tryOnce(removal: Removal): Promise<void> {
    const trying = removal.tryOnce();
    this.begun.add(trying);
    await trying;
    this.begun.delete(trying);
  }
}

class Removal {
  private tries = 0;
  /** It was gone at least once: a later failed check proves nothing. */
  isDone = false;
  private failure: ProviderError | null = null;

  constructor(
    private readonly room: string,
    private readonly administration: RoomAdministration,
    private readonly expectsAgent: boolean,
    private readonly log: Log,
  ) {}

  /** The keys will not be accepted later either. */
  get isHopeless(): boolean {
    return this.failure?.code === 'auth_failed';
  }

  /** Never throws. */
  async tryOnce(): Promise<void> {
    const { room, administration, log } = this;
    // The run may have been canceled: that is no reason to leave a room behind.
    const { signal } = new AbortController();
    this.tries += 1;
    try {
      // An agent that creates the room anew makes the server dispatch another one, which would do the same.
      if (this.expectsAgent) await administration.recallAgents(room, signal).catch(() => undefined);
      const wasThere = await administration.delete(room, signal);
      if (wasThere && this.isDone) {
        log.info('A deleted LiveKit room came back and was deleted again', { room, server: administration.server });
      }
      this.isDone = true;
    } catch (error) {
      this.failure = error instanceof ProviderError ? error : new ProviderError('internal', String(error));
    }
  }

  conclude(): void {
    if (this.isDone) return;
    const { room, tries, failure: error } = this;
    this.log.warn('A LiveKit room could not be deleted', { room, server: this.administration.server, tries, error });
  }
}
