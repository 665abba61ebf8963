import type { PipecatConfig } from '../config';
import { ProviderError } from '../errors';
import { patientToken, type KeyPair } from '../livekit/room-token';
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
 * @param identity ours in the room, when we sign the token
 * @throws ProviderError `transport_unsupported`, `config_invalid`
 */
export async function meetingPlace(
  config: PipecatConfig,
  started: StartedSession,
  ownRoom: OwnRoom | null,
  identity: string,
): Promise<MeetingPlace> {
  const keys = transportKeys(config);
  if (started.otherTransport !== null) throw unsupported(started.otherTransport);
  if (ownRoom !== null && keys !== null) {
    const room = started.room ?? ownRoom.name;
    return { url: ownRoom.url, room, token: await patientToken(keys, room, identity) };
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
