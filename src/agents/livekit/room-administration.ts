import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Log } from '../../platform/config';
import { ProviderError } from '../errors';
import { AgentEndpoint, below, type EndpointParts } from '../outbound/agent-endpoint';
import type { Secrets } from '../secrets/secrets';
import { adminToken, type KeyPair } from './room-token';

/** The server closes a room whose creator died: after the first time if no participant joined, after the second if all have left. In seconds. */
const EMPTY_TIMEOUT_S = 300;
const DEPARTURE_TIMEOUT_S = 30;

/** Creating and deleting a room are short calls; they are retried when the server is busy or unreachable. */
const CALL_TIMEOUT_MS = 10_000;
const MAX_RETRIES = 2;
/** No caller should wait long for a room to be deleted: the run has ended. */
const DELETE_TIMEOUT_MS = 3_000;

/** Answers leave out empty fields. */
const Dispatches = z.object({ agent_dispatches: z.array(z.object({ id: z.string() })).catch([]) });

/** Rooms of a LiveKit server, managed over its HTTP API: https://docs.livekit.io/reference/other/roomservice-api/ */
export class RoomAdministration {
  /** The HTTP address of the server. */
  readonly base: URL;

  /** @param url of the server, as participants join it (ws, wss, http or https) */
  constructor(
    private readonly parts: EndpointParts,
    url: string,
    private readonly keys: KeyPair,
    private readonly secrets: Secrets,
  ) {
    // A URL's protocol cannot be set from ws to http.
    this.base = new URL(url.replace(/^ws/i, 'http'));
  }

  /** Host and port of the server. */
  get server(): string {
    return this.base.host;
  }

  /**
   * Creates a room, or finds the one of that name.
   * @param agentName the agent to dispatch to the room when it is new
   * @throws ProviderError
   */
  async create(room: string, agentName: string | null, signal: AbortSignal): Promise<void> {
    await this.call(
      'RoomService/CreateRoom',
      room,
      {
        name: room,
        empty_timeout: EMPTY_TIMEOUT_S,
        departure_timeout: DEPARTURE_TIMEOUT_S,
        ...(agentName === null ? {} : { agents: [{ agent_name: agentName }] }),
      },
      signal,
    );
  }

  /**
   * Dispatches an agent to an existing room. Succeeds even for names that no agent has: only waiting for the agent shows.
   * @throws ProviderError
   */
  async dispatch(room: string, agentName: string, signal: AbortSignal): Promise<void> {
    await this.call('AgentDispatchService/CreateDispatch', room, { room, agent_name: agentName }, signal);
  }

  /**
   * Deletes the agent dispatches of a room, so that an agent on its way does not create it anew.
   * @throws ProviderError
   */
  async recallAgents(room: string, signal: AbortSignal): Promise<void> {
    const list = await this.call('AgentDispatchService/ListDispatch', room, { room }, signal, DELETE_TIMEOUT_MS);
    const { agent_dispatches: dispatches } = Dispatches.parse(list);
    const recall = ({ id }: { readonly id: string }): Promise<unknown> =>
      this.call('AgentDispatchService/DeleteDispatch', room, { room, dispatch_id: id }, signal, DELETE_TIMEOUT_MS);
    await Promise.all(dispatches.map(recall));
  }

  /**
   * Deletes a room.
   * @returns false when there was none
   * @throws ProviderError
   */
  async delete(room: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.call('RoomService/DeleteRoom', room, { room }, signal, DELETE_TIMEOUT_MS);
      return true;
    } catch (error) {
      if (error instanceof ProviderError && error.code === 'not_found') return false;
      throw error;
    }
  }

  /**
   * Removes a participant from a room: one on the telephone is hung up on.
   * @throws ProviderError
   */
  async removeParticipant(room: string, identity: string, signal: AbortSignal): Promise<void> {
    try {
      await this.call('RoomService/RemoveParticipant', room, { room, identity }, signal, DELETE_TIMEOUT_MS);
    } catch (error) {
      if (!(error instanceof ProviderError && error.code === 'not_found')) throw error;
    }
  }

  private async call(
    method: string,
    room: string,
    body: object,
    signal: AbortSignal,
    timeoutMs = CALL_TIMEOUT_MS,
  ): Promise<object> {
    const token = await adminToken(this.keys, room);
    // A server quotes a token that it refuses.
    await this.secrets.learn(token);
    const endpoint = new AgentEndpoint(this.parts, {
      url: below(this.base, `twirp/livekit.${method}`),
      headers: { authorization: `Bearer ${token}` },
      credential: this.keys.apiKey,
      pace: { turn_timeout_ms: timeoutMs, max_retries: MAX_RETRIES, requests_per_minute: null },
      secrets: this.secrets,
      terminalCode: () => null,
    });
    const { value } = await endpoint.post(
      () => JSON.stringify(body),
      (json) => (typeof json === 'object' && json !== null ? json : null),
      signal,
    );
    return value;
  }
}

/**
 * The participants that may join a room after its deletion. LiveKit servers create a room when a participant joins it
 * (`auto_create`), and a deletion does not stop one that is already joining.
 * - `others`: the room's name is not ours alone; those who join may have good reason to.
 * - `nobody`: all that were expected had joined. A client that misses the deletion may still reconnect.
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
    const deletion = new RoomDeletion(room, administration, expected === 'agent', this.log);
    await this.tryOnce(deletion);
    // A room that could not be deleted at once is worth as many tries as one that may come back.
    void this.goOn(deletion, this.againAfterMs[expected === 'nobody' && !deletion.isDone ? 'agent' : expected]);
  }

  /** Hangs up, if the telephone is still in the room. A failure is logged; never throws. */
  async hangUp(room: string, identity: string, administration: RoomAdministration): Promise<void> {
    // The run may have been canceled: that is no reason to stay on the telephone.
    const { signal } = new AbortController();
    const hangingUp = administration.removeParticipant(room, identity, signal).catch((error: unknown) => {
      this.log.warn('A telephone call could not be ended', { room, server: administration.server, error });
    });
    this.begun.add(hangingUp);
    await hangingUp;
    this.begun.delete(hangingUp);
  }

  /** Gives up further tries, and waits for those in progress; rooms that could not be deleted by then are logged. Idempotent. */
  async close(): Promise<void> {
    this.over.abort();
    await Promise.all(this.begun);
  }

  private async goOn(deletion: RoomDeletion, waits: readonly number[]): Promise<void> {
    for (const wait of waits) {
      if (deletion.isHopeless) break;
      const waited = await sleep(wait, true, { signal: this.over.signal, ref: false }).catch(() => false);
      if (!waited || this.over.signal.aborted) break;
      await this.tryOnce(deletion);
    }
    deletion.conclude();
  }

  private async tryOnce(deletion: RoomDeletion): Promise<void> {
    const trying = deletion.tryOnce();
    this.begun.add(trying);
    await trying;
    this.begun.delete(trying);
  }
}

class RoomDeletion {
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
