import { Slots } from '../../platform/concurrency';
import { Afterwork } from '../afterwork';
import { readLiveKitConfig, type LiveKitConfig } from '../config';
import { ProviderError } from '../errors';
import type { EndpointParts } from '../outbound/agent-endpoint';
import { limiterKey } from '../outbound/limiter';
import { withRetries } from '../../platform/outbound';
import { agentRetries } from '../outbound/agent-retries';
import { Provider, type Availability, type ConnectRequest, type Session, type SpokenPatient } from '../provider';
import { Secrets } from '../secrets/secrets';
import { AgentRoom } from './agent-room';
import { LiveKitAccess } from './livekit-access';
import { LiveKitSession } from './livekit-session';
import { nativeLibrary } from './native-library';
import { PatientCall } from '../voice/patient-call';
import { telephoneOf } from './telephone-call';
import { hasHungUp, noVoice, onlyByTelephone, RoomInUse, telephoneNeedsEar } from './room-failure';
import type { RoomProcesses } from './room-processes';
import type { RoomRemoval } from './room-administration';
import { ROOM_TIMES, type RoomTimes } from './room-times';
import { SessionProtocol } from './session-protocol';
import { SpokenSession } from '../voice/spoken-session';

interface Line {
  readonly slot: Slots;
  /** The number that hold it or wait for it. */
  users: number;
}

/** Conversations of this process that are to use the same room: one after the other, in the order they came. */
class RoomTurns {
  private readonly lines = new Map<string, Line>();

  /**
   * Resolves, when all earlier turns have ended, with the function that ends this one; call it once.
   * @throws ProviderError canceled
   */
  async take(room: string, signal: AbortSignal): Promise<() => void> {
    const line = this.lines.get(room) ?? { slot: new Slots(1, () => ProviderError.canceled()), users: 0 };
    this.lines.set(room, line);
    line.users += 1;
    const leave = (): void => {
      line.users -= 1;
      if (line.users === 0) this.lines.delete(room);
    };
    try {
      const release = await line.slot.take(signal);
      return () => {
        release();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }
}

const AGENT_TIMEOUT_MS = 60_000;
/** Joining includes its retries. */
const JOIN_DEADLINE_MS = 60_000;
/** A longer greeting is cut off: the patient speaks. */
const GREETING_TIMEOUT_MS = 15_000;

export interface LiveKitParts extends EndpointParts {
  readonly rooms: RoomProcesses;
  readonly removal: RoomRemoval;
  /** How long silence must last in a room. */
  readonly times?: RoomTimes | undefined;
  /** How long an agent may take to join the room and be ready: workers start a process for it. Default 60 s. */
  readonly agentTimeoutMs?: number;
}

/** An agent in a LiveKit room; the conversation is in text, or spoken. Its room ends with the process, so a conversation starts again. */
export class LiveKitProvider extends Provider {
  override readonly kind = 'livekit';
  override readonly resumable = false;
  override readonly speaks = true;
  /** Rooms that are being left and deleted. */
  private readonly afterwork = new Afterwork();
  private readonly turns = new RoomTurns();

  constructor(private readonly parts: LiveKitParts) {
    super();
  }

  override availability(): Availability {
    return nativeLibrary();
  }

  override async connect(request: ConnectRequest, signal: AbortSignal): Promise<Session> {
    const config = readLiveKitConfig(request.config);
    if (telephoneOf(config) !== null) {
      if (request.spoken === undefined) throw onlyByTelephone();
      if (!request.spoken.hearsWords) throw telephoneNeedsEar();
    }
    const library = nativeLibrary();
    if (!library.available) throw new ProviderError('transport_unsupported', library.reason);
    const secrets = request.secrets ?? Secrets.of(request.config);
    const access = new LiveKitAccess(this.parts, config, secrets, request);
    // Before a token server is asked for anything.
    await this.parts.rooms.admit(config.url);
    const { room_name: chosen } = config;
    const endTurn =
      chosen === undefined ? () => undefined : await this.turns.take(`${new URL(config.url).host} ${chosen}`, signal);
    const opening = new OpeningRoom(access, this.parts);
    const cleanUp = () => this.afterwork.keep(opening.cleanUp().finally(endTurn));
    try {
      const { room, call } = await opening.join(config, secrets, request.spoken, signal);
      const { identity } = await room.waitForAgent(this.parts.agentTimeoutMs ?? AGENT_TIMEOUT_MS, access.hint, signal);
      const common = {
        room,
        secrets,
        config,
        limiter: this.parts.limiter,
        limiterKey: limiterKey(new URL(config.url).host, config.api_key ?? config.token ?? ''),
        assureOwnership: request.assureOwnership,
        cleanUp,
      };
      if (call !== null) {
        const { spokenGreeting, longestSpeech } = this.parts.times ?? ROOM_TIMES;
        const greeting = await call.greeting(room, spokenGreeting, signal);
        return new SpokenSession(
          {
            ...common,
            call,
            account: room,
            failure: () => room.failure,
            hasHungUp: (error) => hasHungUp(error, room.calledTools, config),
            noVoice,
            longestSpeechMs: longestSpeech,
            facts: () => ({ room: room.name, agent_identity: room.agent?.identity ?? null }),
          },
          greeting,
        );
      }
      const [heard, protocol] = await Promise.all([
        room.greeting(GREETING_TIMEOUT_MS, signal),
        SessionProtocol.probe(room, identity, (this.parts.times ?? ROOM_TIMES).probe, signal, config.end_tools),
      ]);
      const reported = heard === null && protocol !== null ? await protocol.saidSoFar(signal) : '';
      return new LiveKitSession({ ...common, protocol, greeting: reported === '' ? heard : reported });
    } catch (error) {
      const cleared = cleanUp();
      // After a cancellation no caller waits; after a failure everything is cleaned up first.
      if (!signal.aborted) await cleared;
      throw error;
    }
  }

  /** Waits until all rooms have been cleaned up. */
  settled(): Promise<void> {
    return this.afterwork.settled();
  }
}

/** A room from the moment it may exist, so that it is removed whatever happens. */
class OpeningRoom {
  private name: string | null = null;
  private room: AgentRoom | null = null;
  private givenUp: Promise<void> = Promise.resolve();
  /** Another conversation is in it. */
  private isOthers = false;

  constructor(
    private readonly access: LiveKitAccess,
    private readonly parts: LiveKitParts,
  ) {}

  /** The call has begun before the agent comes, which may greet at once. */
  async join(
    config: LiveKitConfig,
    secrets: Secrets,
    patient: SpokenPatient | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly room: AgentRoom; readonly call: PatientCall | null }> {
    const { token, room } = await this.access.open(signal);
    this.name = room;
    const { rooms, clock, times } = this.parts;
    const givenUp = (left: Promise<void>): void => void (this.givenUp = left);
    const deadline = clock.now() + JOIN_DEADLINE_MS;
    const { agentIdentity } = this.access;
    const join = () =>
      AgentRoom.join(rooms, { url: config.url, token }, secrets, signal, { givenUp, times, agentIdentity });
    const joinOrMake = async (): Promise<AgentRoom> => {
      try {
        return await join();
      } catch (error) {
        this.isOthers = error instanceof RoomInUse;
        const isMissing = error instanceof ProviderError && error.code === 'not_found' && room !== null;
        if (!isMissing || !(await this.access.create(room, signal))) throw error;
        return join();
      }
    };
    const retries = { maxRetries: config.max_retries, deadline: () => deadline, clock, signal };
    const entered = await withRetries(joinOrMake, agentRetries(retries));
    this.room = entered;
    const call = patient === undefined ? null : await PatientCall.begin(entered, patient, signal);
    await this.access.callAgent(entered.name, this.parts.agentTimeoutMs ?? AGENT_TIMEOUT_MS, signal);
    return { room: entered, call };
  }

  /** Never throws. */
  async cleanUp(): Promise<void> {
    await this.givenUp;
    await this.room?.leave();
    const name = this.name ?? this.room?.name ?? null;
    const hadAgent = (this.room?.agent ?? null) !== null;
    if (name !== null && !this.isOthers) await this.access.cleanUp(name, hadAgent, this.parts.removal);
  }
}
