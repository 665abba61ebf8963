import { ProviderError, AgentHungUp } from '../errors';
import { printable } from '../outbound/http-refusal';
import type { Reply } from '../provider';
import { isReadable, replyText } from '../reply-text';
import type { Secrets } from '../secrets/secrets';
import type { Visit } from './agent-presence';

/** How much of the library's or the server's own words a message quotes. */
const QUOTED_CHARACTERS = 300;

/** Tokens are JWTs; the server quotes a refused one back. The header of one is short. */
const JWT = /\beyJ[\w-]{1,300}\.[\w-]*\.?[\w-]*/g;
/** The rest of a longer reason is not read: this is far more than is quoted, whatever is removed. */
const READ_CHARACTERS = 20_000;

/**
 * Classifies why a room could not be joined. @livekit/rtc-node 1.1 has no code for it: what its native part reports is one
 * string, in which a refusal is `client error: 401` or `server error: 503` and everything else free words. So anything other than a
 * refusal counts as a connection that could not be made.
 */
export function joinFailure(reason: string, secrets: Secrets): ProviderError {
  const status = Number(/\b(?:client|server) error: (\d{3})\b/.exec(reason)?.[1] ?? 0);
  const said = quoted(reason, secrets);
  if (status === 401 || status === 403) {
    return new ProviderError(
      'auth_failed',
      `The LiveKit server refused the token (HTTP ${status}); check api_key and api_secret, or the token and its room, ` +
        `in the agent's config.${said}`,
    );
  }
  if (status === 404) {
    return new ProviderError(
      'not_found',
      `There is no LiveKit server or no such room at this address (HTTP 404); check url in the agent's config.${said}`,
    );
  }
  if (status >= 500 || status === 429) {
    return ProviderError.retryable(
      'connect_failed',
      `The LiveKit server refused to let us in (HTTP ${status}).${said}`,
    );
  }
  if (status >= 400) {
    return new ProviderError(
      'connect_failed',
      `The LiveKit server refused to let us in (HTTP ${status}); check url in the agent's config.${said}`,
    );
  }
  return ProviderError.retryable(
    'connect_failed',
    `The LiveKit server cannot be reached; check url in the agent's config and that the server runs.${said}`,
  );
}

/** Another conversation of ours, of another process, is in the room: it is to be left alone. */
export class RoomInUse extends ProviderError {
  constructor(room: string) {
    super(
      'config_invalid',
      `Another conversation is in the LiveKit room "${room.slice(0, QUOTED_CHARACTERS)}": a room_name holds one at a time. Leave ` +
        'room_name out, so that each gets a room of its own, or make sure that only one run uses the agent at a time.',
    );
  }
}

/** The agent or the room is gone while our connection stands: why, the session's config may tell (agent-departure). */
export class RoomEnded extends ProviderError {
  /** @param reason a DisconnectReason of the protocol: what the LiveKit server knows of it */
  constructor(
    readonly reason: string,
    message: string,
  ) {
    super('provider_error', message);
  }
}

/** What the server's reason for ending our participation means. Reasons are the protocol's DisconnectReason names. */
export function disconnection(reason: string): ProviderError {
  switch (reason) {
    case 'DUPLICATE_IDENTITY':
      return new ProviderError(
        'provider_error',
        'Another participant joined the LiveKit room with the same identity. A static token serves one conversation at a ' +
          'time: use api_key and api_secret or token_url, or start runs with concurrency_limit 1.',
      );
    case 'ROOM_DELETED':
    case 'ROOM_CLOSED':
      return new RoomEnded(
        reason,
        'The LiveKit room was deleted in the middle of the conversation; find out why the agent or someone else ended it.',
      );
    case 'PARTICIPANT_REMOVED':
      return new RoomEnded(
        reason,
        'The patient was removed from the LiveKit room in the middle of the conversation; find out what in the agent does that.',
      );
    case 'SERVER_SHUTDOWN':
      return new ProviderError(
        'connect_failed',
        'The LiveKit server was shut down in the middle of the conversation; start the run again when it is back.',
      );
    default:
      return connectionLost();
  }
}

export function connectionLost(): ProviderError {
  return new ProviderError(
    'connect_failed',
    'The connection to the LiveKit server was lost in the middle of the conversation and did not come back; check that the ' +
      'server runs and can be reached, then start the run again.',
  );
}

/** The server does not let us publish a voice. */
export function mayNotSpeak(): ProviderError {
  return new ProviderError(
    'config_invalid',
    'The patient could not take up a voice in the LiveKit room: its token must permit to publish (canPublish) a microphone. Let the harness sign it (a key pair in the config), or have whatever issues the token grant it.',
  );
}

/** A message that the library refused to send. */
export function undeliverable(): ProviderError {
  return new ProviderError(
    'connect_failed',
    'The message could not be delivered to the LiveKit room: the connection to the LiveKit server is down. Check that ' +
      'the server runs and can be reached, then start the run again.',
  );
}

/** A message that does not fit into one data packet. Lengths in bytes. */
export function tooLong(length: number, most: number): ProviderError {
  return new ProviderError(
    'transport_unsupported',
    `The message for the agent has ${length} bytes, and a LiveKit data packet carries ${most} at most; shorten what the scenario ` +
      'makes the patient say (its initial_message, for example).',
  );
}

/** Reasons that may mean the end of our connection, which the library reports after it has reported that all participants left. */
const PERHAPS_OURS = ['UNKNOWN_REASON', 'ROOM_DELETED', 'ROOM_CLOSED', 'SERVER_SHUTDOWN'];

/**
 * Whether it is certain that the participant has left and we are still there. One that rejoined under its name has left
 * too: it does not remember the conversation.
 * @param reason a DisconnectReason of the protocol
 */
export function leftForGood(reason: string): boolean {
  return !PERHAPS_OURS.includes(reason);
}

/** The participant asked the server to let it go: on purpose, or because its program was ending in order. */
export const LEFT_BY_ITSELF = 'CLIENT_INITIATED';

const HOW_TO_HANG_UP =
  'Agents leave so on purpose, and when they crash or are stopped: if it ended the conversation, name the tool it does that ' +
  'with in end_tools, or set leaving_ends_conversation.';

/** @param reason a DisconnectReason of the protocol: what the LiveKit server knows of it */
export function agentLeft(reason: string): ProviderError {
  return new RoomEnded(
    reason,
    'The agent left the LiveKit room in the middle of the conversation; its own log says why it ended.' +
      (reason === 'UNKNOWN_REASON' ? '' : ` The LiveKit server calls it ${reason}.`) +
      (reason === LEFT_BY_ITSELF ? ` ${HOW_TO_HANG_UP}` : ''),
  );
}

/** @param seconds how long it was waited for */
export function slowToJoin(seconds: number): ProviderError {
  return ProviderError.retryable(
    'connect_failed',
    `The LiveKit server did not let us in within ${seconds} s; check that its ports for media (UDP and TCP) can be reached.`,
  );
}

/** @param how the exit code or signal of the process that held the room */
export function roomProcessEnded(how: string): ProviderError {
  return ProviderError.retryable(
    'connect_failed',
    `The harness's process for LiveKit rooms ended unexpectedly (${how}); start the run again.`,
  );
}

/**
 * @param seconds how long it was waited for
 * @param visit whether a participant joined that could have been the agent
 * @param hint what to do when none joined
 */
export function agentNotJoined(seconds: number, visit: Visit, hint: string): ProviderError {
  const sentences: Readonly<Record<Visit, string>> = {
    nobody: `No agent joined the LiveKit room within ${seconds} s. ${hint}`,
    present: `The agent joined the LiveKit room but did not become ready within ${seconds} s; its own log says what it is waiting for.`,
    left: `The agent joined the LiveKit room, left it before it was ready, and did not come back within ${seconds} s; its own log says why.`,
  };
  return new ProviderError('agent_not_joined', sentences[visit]);
}

function quoted(reason: string, secrets: Secrets): string {
  const read = secrets.remove(reason).slice(0, READ_CHARACTERS).replace(JWT, '[removed]');
  const clean = printable(read).slice(0, QUOTED_CHARACTERS).trim();
  return clean === '' ? '' : ` It was reported: ${clean}`;
}

/** How an agent may end a conversation, by its config. */
interface EndSigns {
  readonly end_tools: readonly string[];
  readonly leaving_ends_conversation: boolean;
}

/** Ways in which a room ends that its agent may have brought about, by the protocol's names. */
const ORDERLY = [LEFT_BY_ITSELF, 'ROOM_DELETED', 'ROOM_CLOSED', 'PARTICIPANT_REMOVED'];

/**
 * Whether a failure is the agent's own deliberate end of the conversation. That it left by itself is not enough: agents of
 * livekit-agents and Pipecat leave in the same way when their job crashes, their worker is stopped or they were idle
 * for too long. So either it said so before, by a tool that ends conversations, or its config vouches that it leaves for no
 * other reason.
 * @param calledTools the tools that it has called since the patient's last message, by their names
 */
export function hasHungUp(
  failure: unknown,
  calledTools: readonly string[],
  { end_tools, leaving_ends_conversation }: EndSigns,
): failure is ProviderError {
  if (!(failure instanceof RoomEnded)) return false;
  if (leaving_ends_conversation && failure.reason === LEFT_BY_ITSELF) return true;
  return ORDERLY.includes(failure.reason) && calledTools.some((name) => end_tools.includes(name));
}

/**
 * The reply of an agent that ended the conversation in the middle of an answer: what it had said until then.
 * @throws AgentHungUp when it had said nothing
 */
export function lastWords(text: string): Pick<Reply, 'content' | 'endsConversation'> {
  if (!isReadable(text)) throw new AgentHungUp();
  return { content: replyText(text), endsConversation: true };
}

/** The agent publishes no track with sound. */
export function noVoice(): ProviderError {
  return new ProviderError(
    'config_invalid',
    'The agent publishes no sound in the LiveKit room, so it cannot be examined by voice: run it as text, or give it a voice.',
  );
}

export function onlyByTelephone(): ProviderError {
  return new ProviderError(
    'config_invalid',
    'An agent with a phone_number can only be spoken with: start the run with modality "spoken".',
  );
}

export function telephoneNeedsEar(): ProviderError {
  return new ProviderError(
    'config_invalid',
    'An agent with a phone_number tells nothing in text of what it says, so an ear has to hear it: set TRANSCRIPTION_URL.',
  );
}
