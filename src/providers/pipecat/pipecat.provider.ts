import type { EndpointParts } from '../agent-endpoint';
import { readPipecatConfig, type PipecatConfig } from '../config';
import { ProviderError } from '../errors';
import { AGENT_STATE } from '../livekit-room/agent-presence';
import { AgentRoom } from '../livekit-room/agent-room';
import { nativeLibrary } from '../livekit-room/native-library';
import type { RoomProcesses } from '../livekit-room/room-processes';
import type { Participant } from '../livekit-room/room-wire';
import { RoomAdministration } from '../livekit-room/room-administration';
import { botToken } from '../livekit-room/room-token';
import { Provider, type Availability, type ConnectRequest, type Json, type Session } from '../provider';
import { replyText } from '../reply-text';
import { withRetries } from '../retry';
import { Secrets } from '../secrets';
import { DataMessages } from './data-messages';
import { excerpt } from './excerpt';
import { meetingPlace, transportKeys, type MeetingPlace, type OwnRoom } from './meeting-place';
import { COLD_START_MS, PipecatCloud } from './pipecat-cloud';
import { PipecatSession } from './pipecat-session';
import { RtviConversation } from './rtvi-conversation';
import type { StartedSession } from './start-answer';

const NOT_THERE =
  "The Pipecat session was started, but its bot did not come: see the agent's log, and whether the bot joins LiveKit with the " +
  'url, room and token that its start puts into the body.';

/** Agents deployed to Pipecat Cloud whose bots speak through a LiveKit room. A session dies with the process that holds it. */
export class PipecatProvider extends Provider {
  override readonly kind = 'pipecat';
  override readonly resumable = false;

  constructor(
    private readonly parts: EndpointParts,
    private readonly rooms: RoomProcesses,
    /** From the start of a session until its bot is in the room. */
    private readonly coldStartMs: number = COLD_START_MS,
  ) {
    super();
  }

  override availability(): Availability {
    return nativeLibrary();
  }

  override async connect(request: ConnectRequest, signal: AbortSignal): Promise<Session> {
    const config = readPipecatConfig(request.config);
    if (signal.aborted) throw ProviderError.canceled();
    const opening = new Opening(this.parts, this.rooms, config, request, performance.now() + this.coldStartMs);
    try {
      return await opening.open(signal);
    } catch (error) {
      await opening.end();
      throw error;
    }
  }
}

/** What connecting makes, one after the other; `end` takes back as much of it as there is. */
class Opening {
  private readonly data = new DataMessages();
  private readonly name: string;
  private secrets: Secrets;
  private cloud: PipecatCloud | null = null;
  private ownRoom: OwnRoom | null = null;
  private started: StartedSession | null = null;
  private place: MeetingPlace | null = null;
  private room: AgentRoom | null = null;
  private rtvi: RtviConversation | null = null;
  private readonly over = new AbortController();

  constructor(
    private readonly parts: EndpointParts,
    private readonly rooms: RoomProcesses,
    private readonly config: PipecatConfig,
    private readonly request: ConnectRequest,
    /** In milliseconds of `performance.now()`. */
    private readonly deadline: number,
  ) {
    this.name = `osce-${request.scenarioRunId}-${request.attempt}`;
    this.secrets = Secrets.of(request.config);
  }

  async open(signal: AbortSignal): Promise<Session> {
    const { config, data } = this;
    const body = { scenario_run_id: this.request.scenarioRunId, ...(await this.bringRoom(signal)) };
    // A refusal may quote what it was sent, the bot's token included.
    const cloud = (this.cloud = new PipecatCloud(this.parts, config, this.secrets));
    const started = (this.started = await cloud.start(body, signal));
    const place = (this.place = await meetingPlace(config, started, this.ownRoom, `patient-${this.name}`));
    this.secrets = Secrets.of(this.request.config, [started.token ?? undefined, place.token]);
    const room = (this.room = await this.join(place, signal));
    const rtvi = (this.rtvi = new RtviConversation((packet, until) => room.publishData(packet, {}, until)));
    room.onData(({ payload, sender }) => {
      const message = data.note(payload, sender);
      if (message !== null) rtvi.hear(message);
    });
    room.onFailure((error) => rtvi.breakOff(error));
    const greeting = await this.meet(room, rtvi, signal);
    const { sessionId } = started;
    const facts = () => ({
      transport: 'livekit',
      room: excerpt(room.name),
      ...(room.agent === null ? {} : { bot: excerpt(room.agent.identity) }),
      ...(sessionId === null ? {} : { session_id: excerpt(sessionId) }),
    });
    const { limiter } = this.parts;
    const { secrets } = this;
    return new PipecatSession({ config, secrets, limiter, room, rtvi, data, greeting, facts, end: () => this.end() });
  }

  /** Ends the bot, leaves, ends the session and removes the room. Never throws, and nothing of it waits for long. */
  async end(): Promise<Readonly<Record<string, Json>>> {
    const sessionId = this.started?.sessionId ?? null;
    await this.rtvi?.end();
    this.over.abort();
    const [status] = await Promise.all([
      sessionId === null ? null : this.cloud?.end(sessionId),
      // Whoever is still in the room is disconnected by its end: we leave first.
      this.room?.leave().then(() => this.removeRooms()) ?? this.removeRooms(),
    ]);
    return sessionId === null ? {} : { session_end_status: status ?? null };
  }

  /** With the transport's address and keys the room is ours: the bot is told where to come. */
  private async bringRoom(signal: AbortSignal): Promise<Readonly<Record<string, Json>>> {
    const { config, name } = this;
    const keys = transportKeys(config);
    const url = config.transport_url;
    if (keys === null || url === undefined) return {};
    const administration = new RoomAdministration(this.parts, url, keys, this.secrets);
    this.ownRoom = { url, name };
    try {
      await administration.create(name, null, signal);
    } catch (error) {
      throw error instanceof ProviderError ? ofTransport(error) : error;
    }
    const token = await botToken(keys, name, `bot-${name}`);
    this.secrets = Secrets.of(this.request.config, [token]);
    return { url, room: name, room_name: name, token };
  }

  private join(place: MeetingPlace, signal: AbortSignal): Promise<AgentRoom> {
    const { clock } = this.parts;
    const left = this.deadline - performance.now();
    const deadline = clock.now() + left;
    return withRetries(() => AgentRoom.join(this.rooms, place, this.secrets, signal), {
      maxRetries: this.config.max_retries,
      deadline: () => deadline,
      clock,
      signal,
    });
  }

  /** Waits for the bot, finds out how it speaks and hears its greeting out. */
  private async meet(room: AgentRoom, rtvi: RtviConversation, signal: AbortSignal): Promise<string | null> {
    let agent: Participant | null = null;
    // Goes on beyond this: a bot may answer seconds before the server tells who came, and is missed when it leaves.
    const left = Math.max(0, this.deadline - performance.now());
    room.waitForAgent(left, NOT_THERE, this.over.signal).then(
      (found) => (agent = found),
      (error: unknown) => rtvi.breakOff(error instanceof ProviderError ? error : ProviderError.canceled()),
    );
    const isThere = (): boolean => {
      if (agent === null) return false;
      // Agents of LiveKit's own framework tell their state, and who streams text needs no handshake.
      if (agent.attributes[AGENT_STATE] !== undefined || room.textSoFar !== '') rtvi.abandon();
      return true;
    };
    const speaksRtvi = await rtvi.handshake(isThere, signal);
    const greeting = speaksRtvi ? await rtvi.greeting(signal) : await room.greeting(GREETING_MS, signal);
    return greetingText(greeting);
  }

  /** The room we made, and the one the session made when we have its keys: neither is left to time out. */
  private async removeRooms(): Promise<void> {
    const keys = transportKeys(this.config);
    if (keys === null || !this.config.auto_cleanup) return;
    const { place, ownRoom } = this;
    const rooms = new Map<string, string>();
    if (ownRoom !== null) rooms.set(ownRoom.name, ownRoom.url);
    if (place !== null && place.room !== null) rooms.set(place.room, place.url);
    await Promise.all(
      [...rooms].map(([room, url]) =>
        new RoomAdministration(this.parts, url, keys, this.secrets)
          .delete(room, new AbortController().signal)
          .catch(() => undefined),
      ),
    );
  }
}

/** A text bot that goes on talking is interrupted by the first message. */
const GREETING_MS = 15_000;

/** Fit to be kept; null when nothing readable was said. */
function greetingText(greeting: string | null): string | null {
  if (greeting === null) return null;
  try {
    return replyText(greeting);
  } catch {
    return null;
  }
}

/** The same failure, naming the fields that a pipecat agent has for it. */
function ofTransport(error: ProviderError): ProviderError {
  if (error.code !== 'auth_failed' && error.code !== 'not_found') return error;
  const sentence =
    error.code === 'auth_failed'
      ? "The LiveKit server refused the key pair; check transport_api_key and transport_api_secret in the agent's config."
      : "There is no LiveKit server at transport_url; check it in the agent's config.";
  return new ProviderError(error.code, sentence, error.disposition, { cause: error });
}
