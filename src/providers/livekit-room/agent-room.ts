import { randomUUID } from 'node:crypto';
import { ProviderError } from '../errors';
import { MAX_REPLY_BYTES } from '../reply-text';
import type { Secrets } from '../secrets';
import { AgentPresence } from './agent-presence';
import {
  agentLeft,
  agentNotJoined,
  connectionLost,
  disconnection,
  joinFailure,
  leftForGood,
  roomProcessEnded,
  undeliverable,
} from './room-failure';
import type { RoomListener, RoomProcess } from './room-process';
import type { RoomProcesses } from './room-processes';
import { CHAT_TOPIC, type Participant, type RoomCommand, type RoomEvent } from './room-wire';
import { SpokenText } from './spoken-text';
import { Waiting } from './waiting';

/** Connecting, signalling and transport together; the library's own limits add up to more. */
const JOIN_TIMEOUT_MS = 20_000;
/** A send only queues; one that waits for a connection to come back is of no use to a turn. */
const CALL_TIMEOUT_MS = 10_000;
/** Leaving takes milliseconds; a room that is hard to leave is deleted all the same. */
const LEAVE_TIMEOUT_MS = 500;
/** Who is on the way in leaves once it is in. */
const ARRIVE_TIMEOUT_MS = 5_000;
/** A connection that broke may come back by itself within so long. */
const RECONNECT_TIMEOUT_MS = 10_000;
/** When our connection breaks everybody seems to leave; within so long we are told that it broke. */
const DEPARTURE_GRACE_MS = 1_000;
/** Once it is back, who is still there is told within so long. */
const RETURN_TIMEOUT_MS = 2_000;
/** A message is refused before the library tells why the connection is down. */
const REFUSAL_GRACE_MS = 2_000;

/** Quiet after which an agent that tells its state has said everything, and one that does not. */
const QUIET_MS = 1_000;
const QUIET_WITHOUT_STATE_MS = 2_500;

export interface RoomAddress {
  /** ws, wss, http or https. */
  readonly url: string;
  /** A participant token (JWT) that names the room. */
  readonly token: string;
}

export interface DataPacket {
  readonly payload: Uint8Array;
  readonly topic: string | null;
  /** Identity of the sender; empty when the server sent it. */
  readonly sender: string;
}

/** A message of a byte stream. */
export interface ByteMessage {
  readonly payload: Uint8Array;
  readonly topic: string;
  readonly sender: string;
}

/**
 * A LiveKit room that we joined to talk with an agent. What happens in it is kept from the first moment on, so nothing is
 * lost between joining and asking. After a failure every call rejects with it.
 */
export class AgentRoom {
  /** The room's name, as the server tells it. */
  name = '';
  /** Ours. */
  identity = '';
  private readonly session = randomUUID();
  private readonly presence = new AgentPresence();
  private readonly spoken = new SpokenText();
  private readonly waiting = new Waiting();
  private readonly dataHandlers = new Set<(packet: DataPacket) => void>();
  private readonly byteHandlers = new Set<(message: ByteMessage) => void>();
  private readonly failureHandlers = new Set<(error: ProviderError) => void>();
  private readonly calls = new Map<number, (error: string | null) => void>();
  private nextCall = 0;
  private failed: ProviderError | null = null;
  private joined = false;
  private hasLeft = false;
  private leaving: Promise<void> | null = null;
  private reconnecting: NodeJS.Timeout | undefined;
  private departed: NodeJS.Timeout | undefined;
  private lastHeard = performance.now();

  private constructor(
    private readonly process: RoomProcess,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Joins; handlers of text streams, byte streams and data are there before the connection is.
   * @param givenUp is told when we are out of a room again that we gave up joining: connecting cannot be broken off, and a
   *   room deleted before would be made again. Bounded in time, never rejects.
   * @throws ProviderError `auth_failed`, `not_found`, `connect_failed` (retryable when the network may come back), canceled
   */
  static async join(
    processes: RoomProcesses,
    { url, token }: RoomAddress,
    secrets: Secrets,
    signal: AbortSignal,
    givenUp: (left: Promise<void>) => void = () => undefined,
  ): Promise<AgentRoom> {
    if (signal.aborted) throw ProviderError.canceled();
    const room = new AgentRoom(processes.for(new URL(url).host), secrets);
    room.process.listen(room.session, (event) => room.hear(event));
    room.send({ type: 'join', session: room.session, url, token });
    try {
      await room.waiting.for({
        look: () => room.throwIfFailed() ?? (room.joined ? true : null),
        deadline: performance.now() + JOIN_TIMEOUT_MS,
        late: () =>
          ProviderError.retryable(
            'connect_failed',
            `The LiveKit server let nobody in within ${JOIN_TIMEOUT_MS / 1000} s; check that its ports for media (UDP and TCP) can be reached.`,
          ),
        signal,
      });
      return room;
    } catch (error) {
      // Whoever gives up here waits for nobody to leave.
      givenUp(room.leave());
      throw error;
    }
  }

  /** Who we talk with, once `waitForAgent` has found it. */
  get agent(): Participant | null {
    return this.presence.agent;
  }

  /** Why the conversation cannot go on; null while it can. */
  get failure(): ProviderError | null {
    return this.failed;
  }

  /**
   * Waits until the agent is in the room and can hear: it tells its state, publishes or says something.
   * @param hint what the user can do when nobody comes
   * @throws ProviderError `agent_not_joined`, or why the room ended
   */
  waitForAgent(timeoutMs: number, hint: string, signal: AbortSignal): Promise<Participant> {
    return this.waiting.for({
      look: () => this.throwIfFailed() ?? this.agentWhenReady(),
      // Time alone makes some agents ready.
      lookAgainIn: () => (this.presence.isAwaited ? 250 : null),
      deadline: performance.now() + timeoutMs,
      late: () => agentNotJoined(Math.round(timeoutMs / 1000), this.presence.isAwaited, hint),
      signal,
    });
  }

  /**
   * Waits until the agent is quiet and hands out what it said of itself since we joined.
   * @param timeoutMs after which an agent that goes on talking is no longer waited for
   */
  async greeting(timeoutMs: number, signal: AbortSignal): Promise<string | null> {
    const cut = Symbol('cut');
    const heard = await this.waiting
      .for({
        look: () => this.throwIfFailed() ?? (this.isQuiet() ? this.saidByAgent().text : null),
        lookAgainIn: () => this.quietIn(),
        deadline: performance.now() + timeoutMs,
        late: () =>
          new ProviderError('provider_timeout', 'The agent goes on talking.', { kind: 'terminal' }, { cause: cut }),
        signal,
      })
      .catch((error: unknown) => {
        if (error instanceof ProviderError && error.cause === cut) return this.saidByAgent().text;
        throw error;
      });
    return heard === '' ? null : heard;
  }

  /** Sends a text stream to the room; what the agent says from now on answers it. */
  async sendText(text: string, signal: AbortSignal): Promise<void> {
    this.beginTurn();
    await this.call((call) => ({ type: 'text', session: this.session, call, topic: CHAT_TOPIC, text }), signal);
    this.lastHeard = performance.now();
  }

  /**
   * The agent's whole reply in text streams to what `sendText` sent last: a segment has ended, none is open, the agent
   * listens again, and it was quiet for a while.
   * @param deadline in milliseconds of `performance.now()`
   * @throws ProviderError what `late` says at the deadline; `provider_error` when the reply is too long or the agent left
   */
  reply(deadline: number, late: () => ProviderError, signal: AbortSignal): Promise<string> {
    return this.waiting.for({
      look: () => {
        this.throwIfFailed();
        const { text, hasEnded } = this.saidByAgent();
        if (text.length > MAX_REPLY_BYTES) return text;
        return hasEnded && this.isQuiet() ? text : null;
      },
      lookAgainIn: () => this.quietIn() || null,
      deadline,
      late,
      signal,
    });
  }

  /** When the agent last said or did something, in milliseconds of `performance.now()`. */
  get lastHeardAt(): number {
    return this.lastHeard;
  }

  /** What the agent says from now on belongs to the next reply. `sendText` does this itself. */
  beginTurn(): void {
    this.spoken.forget();
  }

  /** What the agent has said in text streams since `sendText`, or since we joined; perhaps not whole. */
  get textSoFar(): string {
    return this.saidByAgent().text;
  }

  /** Sends one data packet to everybody. At most about 15 KB. */
  publishData(
    payload: Uint8Array,
    { isReliable = true, topic = null }: { readonly isReliable?: boolean; readonly topic?: string | null },
    signal: AbortSignal,
  ): Promise<void> {
    const encoded = Buffer.from(payload).toString('base64');
    return this.call(
      (call) => ({ type: 'data', session: this.session, call, payload: encoded, isReliable, topic }),
      signal,
    );
  }

  /** Sends one message in a byte stream to one participant. */
  sendBytes(topic: string, payload: Uint8Array, to: string, signal: AbortSignal): Promise<void> {
    const encoded = Buffer.from(payload).toString('base64');
    return this.call((call) => ({ type: 'bytes', session: this.session, call, topic, payload: encoded, to }), signal);
  }

  /** Every data packet from now on; the answer ends it. */
  onData(handler: (packet: DataPacket) => void): () => void {
    this.dataHandlers.add(handler);
    return () => this.dataHandlers.delete(handler);
  }

  /** Every message of the byte streams that are heard (`SESSION_TOPIC`); the answer ends it. */
  onBytes(handler: (message: ByteMessage) => void): () => void {
    this.byteHandlers.add(handler);
    return () => this.byteHandlers.delete(handler);
  }

  /** The agent left, the room or the connection ended. At once when that has happened; the answer ends it. */
  onFailure(handler: (error: ProviderError) => void): () => void {
    if (this.failed !== null) handler(this.failed);
    else this.failureHandlers.add(handler);
    return () => this.failureHandlers.delete(handler);
  }

  /** Leaves the room. Idempotent, bounded in time, never throws; calls in flight reject as canceled. */
  leave(): Promise<void> {
    return (this.leaving ??= this.depart());
  }

  private async depart(): Promise<void> {
    this.fail(ProviderError.canceled());
    this.send({ type: 'leave', session: this.session });
    await this.waiting
      .for({
        look: () => (this.hasLeft ? true : null),
        deadline: performance.now() + (this.joined ? LEAVE_TIMEOUT_MS : ARRIVE_TIMEOUT_MS),
        late: () => connectionLost(),
        signal: new AbortController().signal,
      })
      .catch(() => undefined);
    this.process.forget(this.session);
  }

  private hear(event: Parameters<RoomListener>[0]): void {
    if (event.type === 'crashed') {
      this.hasLeft = true;
      this.fail(roomProcessEnded(event.how));
    } else {
      this.apply(event);
    }
    this.waiting.changed();
  }

  private apply(event: RoomEvent): void {
    switch (event.type) {
      case 'joined':
        this.joined = true;
        this.name = event.room;
        this.identity = event.identity;
        return;
      case 'joinFailed':
        return this.fail(joinFailure(event.reason, this.secrets));
      case 'participant':
        this.presence.see(event.participant, performance.now());
        if (this.presence.isAgent(event.participant.identity)) this.lastHeard = performance.now();
        return;
      case 'participantLeft':
        if (!this.presence.leave(event.identity)) return;
        if (leftForGood(event.reason)) return this.fail(agentLeft());
        return this.reconnecting === undefined
          ? this.unlessLost(DEPARTURE_GRACE_MS, () => this.fail(agentLeft()))
          : undefined;
      case 'streamBegan':
        // Transcripts of what we said come back under our own name.
        if (event.sender === this.identity) return;
        this.spoken.began(event.stream, event.topic, event.sender, event.segment);
        this.presence.hear(event.sender);
        this.lastHeard = performance.now();
        return;
      case 'streamText':
        if (this.spoken.add(event.stream, event.text)) this.lastHeard = performance.now();
        return;
      case 'streamEnded':
        // One that broke off is no whole reply, and never will be.
        if (event.isWhole && this.spoken.ended(event.stream)) this.lastHeard = performance.now();
        return;
      case 'data':
        this.presence.hear(event.sender);
        return this.hand(this.dataHandlers, event);
      case 'bytes':
        return this.hand(this.byteHandlers, event);
      case 'reconnecting':
        if (this.failed !== null) return;
        clearTimeout(this.departed);
        this.reconnecting ??= setTimeout(() => this.fail(connectionLost()), RECONNECT_TIMEOUT_MS);
        return;
      case 'reconnected':
        clearTimeout(this.reconnecting);
        this.reconnecting = undefined;
        return this.unlessLost(RETURN_TIMEOUT_MS, () => (this.presence.isMissing ? this.fail(agentLeft()) : undefined));
      case 'disconnected':
        return this.fail(disconnection(event.reason));
      case 'called':
        return this.calls.get(event.call)?.(event.error);
      case 'left':
        this.hasLeft = true;
        return;
    }
  }

  private hand<Message extends { readonly payload: Uint8Array }, Event extends { readonly payload: string }>(
    handlers: ReadonlySet<(message: Omit<Event, 'payload'> & Pick<Message, 'payload'>) => void>,
    event: Event,
  ): void {
    const message = { ...event, payload: Buffer.from(event.payload, 'base64') };
    for (const handler of [...handlers]) handler(message);
  }

  /** Decides about a departure in a while, unless it turns out to be our own connection that was lost. */
  private unlessLost(ms: number, decide: () => void): void {
    clearTimeout(this.departed);
    if (this.failed === null) this.departed = setTimeout(decide, ms);
  }

  /** The first failure is the reason of all that follow. */
  private fail(error: ProviderError): void {
    clearTimeout(this.reconnecting);
    clearTimeout(this.departed);
    if (this.failed !== null) return;
    this.failed = error;
    for (const answer of [...this.calls.values()]) answer(null);
    for (const handler of [...this.failureHandlers]) handler(error);
    this.failureHandlers.clear();
    this.waiting.changed();
  }

  private throwIfFailed(): null {
    if (this.failed !== null) throw this.failed;
    return null;
  }

  /** A greeting may begin the moment an agent is ready, so quiet counts from then on; one without signs was quiet already. */
  private agentWhenReady(): Participant | null {
    const agent = this.presence.ready(performance.now());
    if (agent !== null && this.presence.tellsState) this.lastHeard = performance.now();
    return agent;
  }

  private saidByAgent() {
    return this.spoken.said((identity) => this.presence.isAgent(identity));
  }

  private isQuiet(): boolean {
    const { isListening, isMissing } = this.presence;
    return isListening && !isMissing && !this.saidByAgent().isOpen && this.quietIn() === 0;
  }

  /** Milliseconds until it has been quiet long enough if nothing comes. */
  private quietIn(): number {
    const needed = this.presence.tellsState ? QUIET_MS : QUIET_WITHOUT_STATE_MS;
    return Math.max(0, this.lastHeard + needed - performance.now());
  }

  private async call(command: (call: number) => RoomCommand, signal: AbortSignal): Promise<void> {
    this.throwIfFailed();
    this.nextCall += 1;
    const call = this.nextCall;
    let answer: { readonly error: string | null } | null = null;
    this.calls.set(call, (error) => (answer = { error }));
    try {
      this.send(command(call));
      const { error } = await this.waiting.for({
        look: () => this.throwIfFailed() ?? answer,
        deadline: performance.now() + CALL_TIMEOUT_MS,
        late: connectionLost,
        signal,
      });
      if (error !== null) await this.refused(signal);
    } finally {
      this.calls.delete(call);
    }
  }

  /** A message was refused: what broke the connection is told just after, and says it better than we can. */
  private refused(signal: AbortSignal): Promise<never> {
    return this.waiting.for<never>({
      look: () => this.throwIfFailed(),
      deadline: performance.now() + REFUSAL_GRACE_MS,
      late: undeliverable,
      signal,
    });
  }

  private send(command: RoomCommand): void {
    this.process.send(command);
  }
}
