import { z } from 'zod';
import { AgentEndpoint, below, type EndpointParts } from '../outbound/agent-endpoint';
import { ProviderError } from '../errors';
import type { Secrets } from '../secrets/secrets';
import { adminToken, type KeyPair } from './room-token';

/** A room whose creator died is closed by the server: after no one joined for this long, or all left this long ago. In seconds. */
const EMPTY_TIMEOUT_S = 300;
const DEPARTURE_TIMEOUT_S = 30;

/** Creating and deleting a room are short calls; they are retried when the server is busy or unreachable. */
const CALL_TIMEOUT_MS = 10_000;
const MAX_RETRIES = 2;
/** No one should wait long for a room to be deleted: the run has ended. */
const DELETE_TIMEOUT_MS = 3_000;

/** Answers leave out empty fields. */
const Dispatches = z.object({ agent_dispatches: z.array(z.object({ id: z.string() })).catch([]) });

/** Rooms of a LiveKit server, managed over its HTTP API: https://docs.livekit.io/reference/other/roomservice-api/ */
export class RoomAdministration {
  private readonly base: URL;

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
