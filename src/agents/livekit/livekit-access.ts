import { AgentEndpoint, type EndpointParts } from '../outbound/agent-endpoint';
import type { LiveKitConfig } from '../config';
import { ProviderError } from '../errors';
import { patientIdentity, patientToken, speakingPatientToken, roomOfToken, type KeyPair } from './room-token';
import { RoomAdministration, type RoomRemoval } from './room-administration';
import type { ConnectRequest, TraceHeaders } from '../provider';
import type { Secrets } from '../secrets/secrets';
import { calleeIdentity, dial, telephoneOf, type TelephoneNumber } from './telephone-call';

/** How to enter a room. */
export interface Access {
  readonly token: string;
  /** null when the token does not name it. */
  readonly room: string | null;
}

type AccessRequest = Pick<ConnectRequest, 'scenarioRunId' | 'attempt' | 'traceHeaders' | 'spoken'>;

/** Names under which token servers return the token; the first is LiveKit's own endpoint convention. */
const TOKEN_FIELDS = ['participant_token', 'participantToken', 'token', 'accessToken', 'access_token', 'jwt'];

/** A token server only signs, which is quick. */
const TOKEN_TIMEOUT_MS = 15_000;

/** Gets us into a room, in one of the two auth modes, and cleans up afterwards. */
export class LiveKitAccess {
  private readonly keys: KeyPair | null;
  private readonly identity: string;
  /** Names the scenario run and its attempt: no two executions share a room or an identity. */
  private readonly execution: string;
  private readonly traceHeaders: TraceHeaders | undefined;
  private readonly tokenOf: typeof patientToken;
  private readonly telephone: TelephoneNumber | null;
  /** The telephone may be ringing, or have been answered. */
  private hasDialed = false;

  constructor(
    private readonly parts: EndpointParts,
    private readonly config: LiveKitConfig,
    private readonly secrets: Secrets,
    { scenarioRunId, attempt, traceHeaders, spoken }: AccessRequest,
  ) {
    this.tokenOf = spoken === undefined ? patientToken : speakingPatientToken;
    this.execution = `${scenarioRunId}-${attempt}`;
    this.traceHeaders = traceHeaders;
    const { api_key: apiKey, api_secret: apiSecret } = config;
    this.telephone = telephoneOf(config);
    this.keys = apiKey === undefined || apiSecret === undefined ? null : { apiKey, apiSecret };
    this.identity = patientIdentity(this.execution);
  }

  /** @throws ProviderError */
  async open(signal: AbortSignal): Promise<Access> {
    const { config, keys } = this;
    const room = config.room_name ?? `${config.room_prefix ?? 'osce'}-${this.execution}`;
    if (config.auth_mode === 'api' && keys !== null) {
      const token = await this.tokenOf(keys, room, this.identity);
      await this.secrets.learn(token);
      return { room, token };
    }
    const token = config.token ?? (await this.askForToken(room, signal));
    await this.secrets.learn(token);
    return { room: roomOfToken(token), token };
  }

  /**
   * Creates the room, for servers that do not create one when a participant joins.
   * @returns false without the keys for it
   * @throws ProviderError
   */
  async create(room: string, signal: AbortSignal): Promise<boolean> {
    if (this.config.auth_mode !== 'api' || this.keys === null) return false;
    await this.administration(this.keys).create(room, null, signal);
    return true;
  }

  /**
   * Dispatches or rings up the agent, when that is up to us. We are in the room by then: an agent that finds it empty may greet no one.
   * @param withinMs how long a telephone may ring
   * @throws ProviderError
   */
  async callAgent(room: string, withinMs: number, signal: AbortSignal): Promise<void> {
    if (this.telephone !== null && this.keys !== null) {
      const { base } = this.administration(this.keys);
      const call = { ...this.telephone, room, identity: calleeIdentity(this.execution) };
      this.hasDialed = true;
      return dial(this.parts, base, this.keys, this.secrets, call, withinMs, signal);
    }
    const { auth_mode, dispatch_mode, agent_name } = this.config;
    if (auth_mode !== 'api' || dispatch_mode !== 'explicit' || agent_name === undefined || this.keys === null) return;
    await this.administration(this.keys).dispatch(room, agent_name, signal);
  }

  /**
   * Hangs up, and deletes the room when the config asks for it and holds the keys for it. Bounded in time, never throws.
   * @param hadAgent the agent had joined it
   */
  async cleanUp(room: string, hadAgent: boolean, removal: RoomRemoval): Promise<void> {
    const { auto_cleanup: isWanted, room_name: chosen } = this.config;
    if (this.keys === null || room === '') return;
    if (this.hasDialed) {
      await removal.hangUp(room, calleeIdentity(this.execution), this.administration(this.keys));
    }
    if (!isWanted) return;
    const expected = chosen !== undefined ? 'others' : hadAgent ? 'nobody' : 'agent';
    await removal.remove(room, this.administration(this.keys), expected);
  }

  /** The identity that the agent has in the room; null where the agent chooses it. */
  get agentIdentity(): string | null {
    return this.telephone === null ? null : calleeIdentity(this.execution);
  }

  /** What a user can do when no agent comes. */
  get hint(): string {
    if (this.telephone !== null) {
      return 'The telephone was answered, but nothing of it came into the room: check that livekit-sip can reach the LiveKit server.';
    }
    const { agent_name: agent, dispatch_mode: mode, auth_mode: auth } = this.config;
    if (auth === 'token') {
      return 'Check that the agent runs, and that the token (or its server) puts us into the room that the agent joins.';
    }
    if (mode === 'explicit') {
      return `Check that an agent named "${agent ?? ''}" runs and is registered at this LiveKit server: the server accepts a dispatch to a name that no agent has.`;
    }
    return agent === undefined
      ? 'Check that the agent runs and is registered at this LiveKit server; one that registered with a name joins only with agent_name and dispatch_mode "explicit".'
      : `Check that the agent runs; agent_name is set ("${agent}"), and a named agent joins only with dispatch_mode "explicit".`;
  }

  private administration(keys: KeyPair): RoomAdministration {
    return new RoomAdministration(this.parts, this.config.url, keys, this.secrets);
  }

  private async askForToken(room: string, signal: AbortSignal): Promise<string> {
    const { token_url, token_headers, token_body, token_field, max_retries } = this.config;
    if (token_url === undefined) throw new ProviderError('config_invalid', 'token or token_url is missing.');
    const endpoint = new AgentEndpoint(this.parts, {
      url: token_url,
      headers: token_headers,
      credential: token_headers['authorization'] ?? '',
      pace: { turn_timeout_ms: TOKEN_TIMEOUT_MS, max_retries, requests_per_minute: null },
      secrets: this.secrets,
      terminalCode: () => null,
      traceHeaders: this.traceHeaders,
    });
    const body = { room_name: room, participant_identity: this.identity, ...token_body };
    const { value } = await endpoint.post(
      () => JSON.stringify(body),
      (json) => ({ token: tokenIn(json, token_field) }),
      signal,
    );
    if (value.token !== null) return value.token;
    const looked = token_field ?? TOKEN_FIELDS.join(', ');
    throw new ProviderError(
      'config_invalid',
      `The server at token_url answered without a token (looked for: ${looked}); name its field in token_field.`,
    );
  }
}

/** @param field a name, or names joined by dots for a nested token */
function tokenIn(json: unknown, field: string | undefined): string | null {
  const paths = field === undefined ? TOKEN_FIELDS : [field];
  for (const path of paths) {
    const found = path.split('.').reduce<unknown>(fieldOf, json);
    if (typeof found === 'string' && found.trim() !== '') return found.trim();
  }
  return null;
}

/** Own properties only. */
function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
