import type { Afterwork } from '../afterwork';
import { readPipecatConfig, type PipecatConfig } from '../config';
import { ProviderError } from '../errors';
import { AGENT_STATE } from '../livekit/agent-presence';
import { AgentRoom } from '../livekit/agent-room';
import { PatientCall } from '../voice/patient-call';
import type { RoomProcesses } from '../livekit/room-processes';
import { hasHungUp, noVoice } from '../livekit/room-failure';
import { ROOM_TIMES, type RoomTimes } from '../livekit/room-times';
import type { Participant } from '../livekit/room-wire';
import { SpokenSession } from '../voice/spoken-session';
import { limiterKey } from '../outbound/limiter';
import type { ConnectRequest, Json, Session, SpokenPatient } from '../provider';
import { replyText } from '../reply-text';
import { withRetries } from '../../platform/outbound';
import { agentRetries } from '../outbound/agent-retries';
import { Secrets } from '../secrets/secrets';
import { DataMessages } from './data-messages';
import { excerpt } from './rtvi-message';
import { meetingPlace, type MeetingPlace, OwnRooms, type OwnRoomsParts } from './meeting-place';
import { COLD_START_MS, PipecatCloud } from './pipecat-cloud';
import { PipecatSession } from './pipecat-session';
import { BotAccount, RtviAccount } from './rtvi-account';
import { RtviConversation, type RtviTimes } from './rtvi-conversation';
import type { StartedSession } from './start-answer';

export interface OpeningParts extends OwnRoomsParts {
  readonly rooms: RoomProcesses;
  /** How long silence must last in a room. */
  readonly times?: RoomTimes | undefined;
  /** How long a bot may take with each step of RTVI. */
  readonly rtviTimes?: RtviTimes | undefined;
  /** From the start of a session until its bot is in the room. */
  readonly coldStartMs?: number | undefined;
}

const NOT_THERE =
  "The Pipecat session was started, but its bot did not join: see the agent's log, and check that the bot joins LiveKit with the " +
  'url, room and token in the body of its start.';

/** A text bot that keeps talking is interrupted by the first message. */
const GREETING_MS = 15_000;

/** What connecting creates, step by step; `end` undoes as much of it as exists. */
export class Opening {
  private readonly data = new DataMessages();
  private readonly config: PipecatConfig;
  private readonly secrets: Secrets;
  private readonly name: string;
  private readonly ownRooms: OwnRooms;
  private readonly cloud: PipecatCloud;
  /** In milliseconds of `performance.now()`. */
  private readonly deadline: number;
  private started: StartedSession | null = null;
  private room: AgentRoom | null = null;
  private givenUp: Promise<void> = Promise.resolve();
  private rtvi: RtviConversation | null = null;
  private readonly over = new AbortController();

  /** @throws ProviderError `config_invalid` */
  constructor(
    private readonly parts: OpeningParts,
    private readonly request: ConnectRequest,
    private readonly afterwork: Afterwork,
  ) {
    this.config = readPipecatConfig(request.config);
    // A refusal may quote what it was sent, including the bot's token.
    this.secrets = request.secrets ?? Secrets.of(request.config);
    this.name = `osce-${request.scenarioRunId}-${request.attempt}`;
    this.ownRooms = new OwnRooms(parts, this.config, this.name, this.secrets);
    this.cloud = new PipecatCloud(parts, this.config, this.secrets, request);
    this.deadline = performance.now() + (parts.coldStartMs ?? COLD_START_MS);
  }

  /** @throws ProviderError */
  async open(signal: AbortSignal): Promise<Session> {
    const { config, data, secrets } = this;
    // Before a room is created there and a bot is sent to it.
    if (config.transport_url !== undefined) await this.parts.rooms.admit(config.transport_url);
    const started = (this.started = await this.start(signal));
    const { spoken: patient } = this.request;
    const us = { identity: `patient-${this.name}`, speaks: patient !== undefined };
    const place = await meetingPlace(config, started, this.ownRooms.current, us);
    for (const token of [started.token, place.token]) if (token !== null) await secrets.learn(token);
    const room = (this.room = await this.join(place, signal));
    const publish = (packet: Uint8Array, until: AbortSignal): Promise<void> => room.publishData(packet, {}, until);
    const account = new RtviAccount(() => room.failure);
    const rtvi = (this.rtvi = new RtviConversation(publish, this.parts.rtviTimes));
    room.onData(({ payload, sender }) => {
      const message = data.note(payload, sender);
      if (message === null) return;
      rtvi.hear(message);
      account.hear(message);
      if (message.type === 'bot-ready') room.answeredBy(sender);
    });
    room.onFailure((error) => rtvi.breakOff(error));
    const call = patient === undefined ? null : await this.call(room, rtvi, patient, signal);
    const { spokenGreeting, longestSpeech } = this.parts.times ?? ROOM_TIMES;
    const greeting = call === null ? await this.meet(room, rtvi, signal) : null;
    const { sessionId } = started;
    const facts = () => ({
      transport: 'livekit',
      room: excerpt(room.name),
      ...(room.agent === null ? {} : { bot: excerpt(room.agent.identity) }),
      ...(sessionId === null ? {} : { session_id: excerpt(sessionId) }),
    });
    const { limiter } = this.parts;
    const { assureOwnership } = this.request;
    const end = () => this.afterwork.keep(this.end());
    if (call !== null) {
      const told = new BotAccount(account, room, () => rtvi.isSpoken);
      const said = await call.greeting(told, spokenGreeting, signal);
      let ended: Readonly<Record<string, Json>> = {};
      return new SpokenSession(
        {
          call,
          account: told,
          failure: () => room.failure,
          hasHungUp: (error) => hasHungUp(error, told.calledTools, config),
          noVoice,
          secrets,
          config,
          longestSpeechMs: longestSpeech,
          limiter,
          // A pace of its own, as in text.
          limiterKey: limiterKey(config.base_url.origin, `${config.api_key}\0messages`),
          assureOwnership,
          facts: () => ({ ...facts(), ...rtvi.facts, ...data.facts(), ...ended }),
          cleanUp: async () => (ended = await end()),
        },
        said,
      );
    }
    return new PipecatSession({ config, secrets, limiter, assureOwnership, room, rtvi, data, greeting, facts, end });
  }

  /** Ends the bot, leaves, ends the session and removes the room. Never throws, and no step waits long. */
  async end(): Promise<Readonly<Record<string, Json>>> {
    const sessionId = this.started?.sessionId ?? null;
    await this.rtvi?.end();
    this.over.abort();
    const [status] = await Promise.all([sessionId === null ? null : this.cloud.end(sessionId), this.leaveAndRemove()]);
    return sessionId === null ? {} : { session_end_status: status ?? null };
  }

  /** Deleting a room disconnects all that are still in it: we leave first. */
  private async leaveAndRemove(): Promise<void> {
    await this.givenUp;
    await this.room?.leave();
    await this.ownRooms.removeAll((this.room?.agent ?? null) !== null);
  }

  private async start(signal: AbortSignal): Promise<StartedSession> {
    // Before anything is started, so that a room that cannot be created leaves no bot behind.
    let provided: Readonly<Record<string, Json>> | null = await this.ownRooms.provide(signal);
    const bodyOf = async (): Promise<Readonly<Record<string, Json>>> => {
      const place = provided ?? (await this.ownRooms.provide(signal));
      provided = null;
      return { scenario_run_id: this.request.scenarioRunId, ...place };
    };
    return this.cloud.start(bodyOf, signal);
  }

  private join(place: MeetingPlace, signal: AbortSignal): Promise<AgentRoom> {
    const { clock, rooms, times } = this.parts;
    const deadline = clock.now() + this.deadline - performance.now();
    const givenUp = (left: Promise<void>): void => void (this.givenUp = left);
    const retries = { maxRetries: this.config.max_retries, deadline: () => deadline, clock, signal };
    const join = () => AgentRoom.join(rooms, place, this.secrets, signal, { givenUp, times });
    return withRetries(join, agentRetries(retries));
  }

  /** Takes up the patient's voice, and waits for the bot: it may wait until it is told that we are ready. */
  private async call(
    room: AgentRoom,
    rtvi: RtviConversation,
    patient: SpokenPatient,
    signal: AbortSignal,
  ): Promise<PatientCall> {
    const call = await PatientCall.begin(room, patient, signal);
    const left = Math.max(0, this.deadline - performance.now());
    const agent = await room.waitForAgent(left, NOT_THERE, signal);
    const speaksRtvi = await rtvi.handshake(() => true, signal);
    // A bot that listens only later tells nothing before it has heard of us.
    const isOther = (): boolean => tellsOtherwise(agent, room);
    if (!speaksRtvi) rtvi.becomesReady(this.over.signal, isOther).catch(() => undefined);
    return call;
  }

  /** Waits for the bot, finds out which protocol it speaks and waits for its whole greeting. */
  private async meet(room: AgentRoom, rtvi: RtviConversation, signal: AbortSignal): Promise<string | null> {
    let agent: Participant | null = null;
    // Continues beyond this method: a bot may answer seconds before the server announces it, and its leaving must be noticed.
    const left = Math.max(0, this.deadline - performance.now());
    room.waitForAgent(left, NOT_THERE, this.over.signal).then(
      (found) => (agent = found),
      (error: unknown) => {
        // A bot that answers is there, whatever the server reports.
        if (error instanceof ProviderError && error.code === 'agent_not_joined' && rtvi.isSpoken) return;
        rtvi.breakOff(error instanceof ProviderError ? error : ProviderError.canceled());
      },
    );
    const isThere = (): boolean => {
      if (agent === null) return false;
      if (tellsOtherwise(agent, room)) rtvi.abandon();
      return true;
    };
    const speaksRtvi = await rtvi.handshake(isThere, signal);
    const greeting = speaksRtvi ? await rtvi.greeting(signal) : await room.greeting(GREETING_MS, signal);
    return greetingText(greeting);
  }
}

/** Agents of LiveKit's own framework report their state, and a bot that streams text needs no handshake. */
function tellsOtherwise({ attributes }: Participant, { textSoFar }: AgentRoom): boolean {
  return attributes[AGENT_STATE] !== undefined || textSoFar !== '';
}

/** Fit to be kept; null when nothing readable was said. */
function greetingText(greeting: string | null): string | null {
  if (greeting === null) return null;
  try {
    return replyText(greeting);
  } catch {
    return null;
  }
}
