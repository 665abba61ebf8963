import type { PipecatConfig } from '../config';
import { ProviderError } from '../errors';
import { RoomAdministration, type Expected, type RoomRemoval } from '../livekit/room-administration';
import { patientToken, speakingPatientToken, type KeyPair, botToken } from '../livekit/room-token';
import type { EndpointParts } from '../outbound/agent-endpoint';
import type { Json } from '../provider';
import type { Secrets } from '../secrets/secrets';
import type { StartedSession } from './start-answer';

/** A room that we created for the session. */
export interface OwnRoom {
  readonly url: string;
  readonly name: string;
}

/** Where the bot is met. */
export interface MeetingPlace {
  readonly url: string;
  readonly token: string;
  /** Known when the token, the answer or we ourselves name it. */
  readonly room: string | null;
}

/** The transport's key pair, when the config has one. */
export function transportKeys({ transport_api_key, transport_api_secret }: PipecatConfig): KeyPair | null {
  if (transport_api_key === undefined || transport_api_secret === undefined) return null;
  return { apiKey: transport_api_key, apiSecret: transport_api_secret };
}

/**
 * Reads from a started session where its bot is. A room of ours is the place unless the session names another one: then the
 * bot was started by something that ignores the room it is given. What our keys sign is for transport_url alone, whatever address the session names.
 * @param us whom the token is for, when we sign it
 * @throws ProviderError `transport_unsupported`, `config_invalid`
 */
export async function meetingPlace(
  config: PipecatConfig,
  started: StartedSession,
  ownRoom: OwnRoom | null,
  us: { readonly identity: string; readonly speaks: boolean },
): Promise<MeetingPlace> {
  const keys = transportKeys(config);
  if (started.otherTransport !== null) throw unsupported(started.otherTransport);
  if (ownRoom !== null && keys !== null) {
    const room = started.room ?? ownRoom.name;
    const sign = us.speaks ? speakingPatientToken : patientToken;
    return { url: ownRoom.url, room, token: await sign(keys, room, us.identity) };
  }
  const url = config.transport_url ?? started.url;
  if (url === null) throw noAddress();
  if (started.token === null) throw noToken();
  return { url, room: started.room, token: started.token };
}

function unsupported(transport: string): ProviderError {
  return new ProviderError(
    'transport_unsupported',
    `The agent's session runs over ${transport}; only the LiveKit transport is supported: let the bot use Pipecat's LiveKitTransport, ` +
      'and set transport_url, transport_api_key and transport_api_secret so that the harness provides the room.',
  );
}

function noAddress(): ProviderError {
  return new ProviderError(
    'config_invalid',
    'The started session names no transport address: set transport_url to the address of the LiveKit server, together with ' +
      'transport_api_key and transport_api_secret, so that the harness provides the room.',
  );
}

function noToken(): ProviderError {
  return new ProviderError(
    'config_invalid',
    'The started session returned no token for its room: set transport_url, transport_api_key and transport_api_secret, so ' +
      'that the harness provides the room.',
  );
}

export interface OwnRoomsParts extends EndpointParts {
  readonly removal: RoomRemoval;
}

/**
 * The rooms that we provide when the config has the transport's address and keys: one for each try of a start. A try whose answer
 * was lost may have started a bot that cannot be ended by its session; it is alone in its room, and is removed with it.
 */
export class OwnRooms {
  private tries = 0;
  private room: OwnRoom | null = null;
  private readonly removals: Promise<void>[] = [];

  constructor(
    private readonly parts: OwnRoomsParts,
    private readonly config: PipecatConfig,
    /** Name of the first room; identifies the execution. */
    private readonly name: string,
    /** Learns the tokens created here. */
    private readonly secrets: Secrets,
  ) {}

  /** The newest; null when the session has to create one. */
  get current(): OwnRoom | null {
    return this.room;
  }

  /**
   * Creates a room and removes the previous one.
   * @returns what a bot needs to join it; empty without address and keys
   * @throws ProviderError
   */
  async provide(signal: AbortSignal): Promise<Readonly<Record<string, Json>>> {
    const { config, secrets } = this;
    const keys = transportKeys(config);
    const url = config.transport_url;
    if (keys === null || url === undefined) return {};
    if (this.room !== null) this.removals.push(this.remove(this.room.url, this.room.name, 'agent'));
    this.tries += 1;
    const name = this.tries === 1 ? this.name : `${this.name}-${this.tries}`;
    this.room = { url, name };
    try {
      await new RoomAdministration(this.parts, url, keys, secrets).create(name, null, signal);
    } catch (error) {
      throw error instanceof ProviderError ? ofTransport(error) : error;
    }
    const token = await botToken(keys, name, `bot-${name}`);
    await secrets.learn(token);
    return { url, room: name, room_name: name, token };
  }

  /**
   * Removes our rooms; one that the session named instead is not ours to remove. Never throws.
   * @param hadBot the bot had joined
   */
  async removeAll(hadBot: boolean): Promise<void> {
    if (this.room !== null) {
      this.removals.push(this.remove(this.room.url, this.room.name, hadBot ? 'nobody' : 'agent'));
    }
    await Promise.all(this.removals);
  }

  private async remove(url: string, room: string, expected: Expected): Promise<void> {
    const keys = transportKeys(this.config);
    if (keys === null || !this.config.auto_cleanup) return;
    await this.parts.removal.remove(room, new RoomAdministration(this.parts, url, keys, this.secrets), expected);
  }
}

/** The same failure, naming the corresponding fields of a pipecat agent. */
function ofTransport(error: ProviderError): ProviderError {
  if (error.code !== 'auth_failed' && error.code !== 'not_found') return error;
  const sentence =
    error.code === 'auth_failed'
      ? "The LiveKit server refused the key pair; check transport_api_key and transport_api_secret in the agent's config."
      : "There is no LiveKit server at transport_url; check it in the agent's config.";
  return new ProviderError(error.code, sentence, error.disposition, { cause: error });
}
