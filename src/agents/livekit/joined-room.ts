import { randomUUID } from 'node:crypto';
import { ProviderError } from '../errors';
import type { Secrets } from '../secrets/secrets';
import { isPatient } from './room-token';
import { RoomEnd } from './room-end';
import {
  connectionLost,
  disconnection,
  joinFailure,
  RoomInUse,
  roomProcessEnded,
  slowToJoin,
  tooLong,
  undeliverable,
} from './room-failure';
import { RoomMail, type Mail, Waiting } from '../voice/waiting';
import type { RoomListener, RoomProcess } from './room-processes';
import type { RoomCommand, RoomEvent } from './room-wire';

/** A send only queues; one that waits for a lost connection is of no use to a turn. */
const CALL_TIMEOUT_MS = 10_000;
/** A message is refused before the library reports why the connection is down. */
const REFUSAL_GRACE_MS = 2_000;

/** Calls to the process that holds a room, and their answers: each call has its own number. */
class RoomCalls {
  private readonly answers = new Map<number, { readonly error: string | null } | null>();
  private last = 0;

  constructor(
    private readonly send: (command: RoomCommand) => void,
    private readonly end: RoomEnd,
    private readonly waiting: Waiting,
  ) {}

  /**
   * @param command made with the call's number
   * @throws ProviderError why the room ended; `connect_failed` when the message cannot be delivered; canceled
   */
  async call(command: (call: number) => RoomCommand, signal: AbortSignal): Promise<void> {
    this.end.throwIfFailed();
    this.last += 1;
    const call = this.last;
    this.answers.set(call, null);
    try {
      this.send(command(call));
      const { error } = await this.waiting.for({
        look: () => this.end.throwIfFailed() ?? this.answers.get(call) ?? null,
        deadline: performance.now() + CALL_TIMEOUT_MS,
        late: connectionLost,
        signal,
      });
      if (error !== null) await this.refused(signal);
    } finally {
      this.answers.delete(call);
    }
  }

  /** Delivers an answer; the caller then notifies `waiting` of the change. */
  answered(call: number, error: string | null): void {
    if (this.answers.has(call)) this.answers.set(call, { error });
  }

  /** A message was refused: the reason the connection broke is reported just after, and says more than we can. */
  private refused(signal: AbortSignal): Promise<never> {
    return this.waiting.for<never>({
      look: () => this.end.throwIfFailed(),
      deadline: performance.now() + REFUSAL_GRACE_MS,
      late: undeliverable,
      signal,
    });
  }
}

/** Connecting, signalling and transport together; the library's own limits add up to more. */
const JOIN_TIMEOUT_MS = 20_000;
/** Leaving takes milliseconds; a room that cannot be left in time is deleted all the same. */
const LEAVE_TIMEOUT_MS = 500;
/** A participant that is still joining leaves once it has joined. */
const ARRIVE_TIMEOUT_MS = 5_000;

/**
 * What a reliable data packet may hold (https://docs.livekit.io/transport/data/packets/). Far longer ones are refused as if the
 * connection were down; what happens in between depends on versions.
 */
const MAX_DATA_BYTES = 15 * 1024;

export interface RoomAddress {
  /** ws, wss, http or https. */
  readonly url: string;
  /** A participant token (JWT) that names the room. */
  readonly token: string;
}

/** A message to the room, before it has its session and its number. */
export type Message = RoomCommand extends infer Command
  ? Command extends RoomCommand & { readonly call: number }
    ? Omit<Command, 'session' | 'call'>
    : never
  : never;

/** Room events other than our own joining, leaving and sending. */
export type Happening = Exclude<
  RoomEvent,
  { readonly type: 'joined' | 'joinFailed' | 'reconnecting' | 'disconnected' | 'called' | 'left' | 'bytes' }
>;

/** Our own part in a LiveKit room: joining, sending, hearing and leaving. After a failure every call rejects with it. */
export abstract class JoinedRoom {
  /** The room's name, as the server reports it. */
  name = '';
  /** Our own identity. */
  identity = '';
  protected readonly waiting = new Waiting();
  protected readonly end = new RoomEnd(() => this.waiting.changed());
  private readonly session = randomUUID();
  private readonly calls = new RoomCalls((command) => this.process.send(command), this.end, this.waiting);
  private readonly data = new RoomMail();
  private readonly bytes = new RoomMail();
  private hasJoined = false;
  private hasLeft = false;
  private leaving: Promise<void> | null = null;

  protected constructor(
    private readonly process: RoomProcess,
    private readonly secrets: Secrets,
  ) {}

  protected abstract happened(event: Happening): void;

  /**
   * Handlers of text streams, byte streams and data are registered before connecting.
   * @param givenUp called when we have left a room whose joining we gave up: connecting cannot be aborted, and a
   *   room deleted before that would be created again. Bounded in time, never rejects.
   * @throws RoomInUse
   * @throws ProviderError `auth_failed`, `not_found`, `connect_failed` (retryable when the network may come back), canceled
   */
  protected async enter(
    { url, token }: RoomAddress,
    signal: AbortSignal,
    givenUp: (left: Promise<void>) => void,
  ): Promise<void> {
    this.process.listen(this.session, (event) => this.hear(event));
    this.process.send({ type: 'join', session: this.session, url, token });
    try {
      await this.waiting.for({
        look: () => this.end.throwIfFailed() ?? (this.hasJoined ? true : null),
        deadline: performance.now() + JOIN_TIMEOUT_MS,
        late: () => slowToJoin(JOIN_TIMEOUT_MS / 1000),
        signal,
      });
    } catch (error) {
      // A caller that gives up here does not wait for the leaving.
      givenUp(this.leave());
      throw error;
    }
  }

  /** Why the conversation cannot continue; null while it can. */
  get failure(): ProviderError | null {
    return this.end.failure;
  }

  /** Calls back when the agent leaves or the room or connection ends; at once if it already has. The returned function unsubscribes. */
  onFailure(handler: (error: ProviderError) => void): () => void {
    return this.end.onFailure(handler);
  }

  /**
   * Sends one data packet to all participants.
   * @throws ProviderError `transport_unsupported` when it has more than MAX_DATA_BYTES; as every call
   */
  async publishData(
    bytes: Uint8Array,
    { isReliable = true, topic = null }: { readonly isReliable?: boolean; readonly topic?: string | null },
    signal: AbortSignal,
  ): Promise<void> {
    if (bytes.length > MAX_DATA_BYTES) throw tooLong(bytes.length, MAX_DATA_BYTES);
    await this.post({ type: 'data', payload: Buffer.from(bytes).toString('base64'), isReliable, topic }, signal);
  }

  /** Sends one message in a byte stream to one participant. */
  sendBytes(topic: string, bytes: Uint8Array, to: string, signal: AbortSignal): Promise<void> {
    return this.post({ type: 'bytes', topic, payload: Buffer.from(bytes).toString('base64'), to }, signal);
  }

  /** Receives every data packet from now on; the returned function unsubscribes. */
  onData(handler: (packet: Mail) => void): () => void {
    return this.data.on(handler);
  }

  /** Receives every message of the session byte streams (`SESSION_TOPIC`); the returned function unsubscribes. */
  onBytes(handler: (message: Mail) => void): () => void {
    return this.bytes.on(handler);
  }

  /** Leaves the room. Idempotent, bounded in time, never throws; calls in flight reject as canceled. */
  leave(): Promise<void> {
    return (this.leaving ??= this.depart());
  }

  protected post(message: Message, signal: AbortSignal): Promise<void> {
    const { session } = this;
    return this.calls.call((call) => ({ ...message, session, call }), signal);
  }

  /** Ends what we are saying; whether it has is not waited for. */
  protected hush(): void {
    if (this.failure === null) this.process.send({ type: 'hush', session: this.session });
  }

  private async depart(): Promise<void> {
    this.end.because(ProviderError.canceled());
    this.process.send({ type: 'leave', session: this.session });
    await this.waiting
      .for({
        look: () => (this.hasLeft ? true : null),
        deadline: performance.now() + (this.hasJoined ? LEAVE_TIMEOUT_MS : ARRIVE_TIMEOUT_MS),
        late: connectionLost,
        signal: new AbortController().signal,
      })
      .catch(() => undefined);
    this.process.forget(this.session);
  }

  private hear(event: Parameters<RoomListener>[0]): void {
    switch (event.type) {
      case 'crashed':
        this.hasLeft = true;
        this.end.because(roomProcessEnded(event.how));
        break;
      case 'joined':
        this.hasJoined = true;
        this.name = event.room;
        this.identity = event.identity;
        // The agent answers the first to join and ignores us; we would hear answers to another participant's words.
        if (event.others.some((one) => one !== event.identity && isPatient(one)))
          this.end.because(new RoomInUse(event.room));
        break;
      case 'joinFailed':
        this.end.because(joinFailure(event.reason, this.secrets));
        break;
      case 'reconnecting':
        this.end.connectionBroke();
        break;
      case 'disconnected':
        this.end.because(disconnection(event.reason));
        break;
      case 'called':
        this.calls.answered(event.call, event.error);
        break;
      case 'left':
        this.hasLeft = true;
        break;
      case 'bytes':
        this.bytes.hand(event);
        break;
      default:
        this.happened(event);
        if (event.type === 'data') this.data.hand(event);
    }
    this.waiting.changed();
  }
}
