import { ProviderError } from '../errors';
import { MAX_REPLY_BYTES } from '../reply-text';
import type { Secrets } from '../secrets/secrets';
import { AgentCall, type CallRoom } from '../voice/agent-call';
import { AgentPresence } from './agent-presence';
import { AgentSpeech, SpokenText } from './agent-speech';
import type { HeardSound } from '../voice/call-floor';
import { JoinedRoom, type Happening, type RoomAddress } from './joined-room';
import { agentNotJoined, connectionLost, mayNotSpeak } from './room-failure';
import type { RoomProcess, RoomProcesses } from './room-processes';
import { ROOM_TIMES, type RoomTimes } from './room-times';
import type { SpokenAccount } from '../voice/spoken-account';
import { CHAT_TOPIC, type Participant } from './room-wire';

/** Some conditions depend on time alone, and several events may arrive together: a wait re-checks at this interval. */
const LOOK_AGAIN_MS = 250;
export interface JoinOptions {
  /** See JoinedRoom.enter. */
  readonly givenUp?: (left: Promise<void>) => void;
  readonly times?: RoomTimes | undefined;
  /** The identity of the only participant that can be the agent. */
  readonly agentIdentity?: string | null;
}

/**
 * A LiveKit room that we joined to talk with an agent. Everything in it is recorded from the first moment, so nothing is
 * lost between joining and asking.
 */
export class AgentRoom extends JoinedRoom implements SpokenAccount {
  private readonly presence: AgentPresence;
  private readonly speech: AgentSpeech;
  /** Null in a conversation in text. */
  private spoken: AgentCall | null = null;
  /** What the agent's side understood of what we said. */
  private readonly understood = new SpokenText();

  private constructor(process: RoomProcess, secrets: Secrets, times: RoomTimes, agentIdentity: string | null) {
    super(process, secrets);
    this.presence = new AgentPresence(times, agentIdentity);
    this.speech = new AgentSpeech(this.presence, times);
  }

  /** @throws ProviderError `config_invalid` (TARGETS), `auth_failed`, `not_found`, `connect_failed` (retryable when the network may come back), canceled */
  static async join(
    processes: RoomProcesses,
    address: RoomAddress,
    secrets: Secrets,
    signal: AbortSignal,
    { givenUp = () => undefined, times = ROOM_TIMES, agentIdentity = null }: JoinOptions = {},
  ): Promise<AgentRoom> {
    if (signal.aborted) throw ProviderError.canceled();
    const room = new AgentRoom(await processes.for(address.url, signal), secrets, times, agentIdentity);
    await room.enter(address, signal, givenUp);
    return room;
  }

  /** The participant that we talk with, once `waitForAgent` has found the agent. */
  get agent(): Participant | null {
    return this.presence.agent;
  }

  /**
   * Waits until the agent is in the room and can hear us: it reports its state, publishes or says something.
   * @param hint what the user can do when no agent comes
   * @throws ProviderError `agent_not_joined`, or why the room ended
   */
  waitForAgent(timeoutMs: number, hint: string, signal: AbortSignal): Promise<Participant> {
    return this.waiting.for({
      look: () => this.end.throwIfFailed() ?? this.agentWhenReady(),
      // Some agents become ready by time alone.
      lookAgainIn: () => (this.presence.isAwaited ? LOOK_AGAIN_MS : null),
      deadline: performance.now() + timeoutMs,
      late: () => agentNotJoined(Math.round(timeoutMs / 1000), this.presence.visit, hint),
      signal,
    });
  }

  /**
   * A participant answered us as only the agent does, so it is the agent, and it can hear us.
   * @param sender its identity; empty when the server has not announced it yet
   */
  answeredBy(sender: string): void {
    this.presence.answered(sender);
    this.waiting.changed();
  }

  /**
   * Waits until the agent is quiet and returns what it said of its own accord since we joined.
   * @param timeoutMs after which an agent that keeps talking is no longer waited for
   */
  async greeting(timeoutMs: number, signal: AbortSignal): Promise<string | null> {
    const deadline = performance.now() + timeoutMs;
    const heard = await this.waiting.for({
      look: () => {
        this.end.throwIfFailed();
        return this.speech.isQuiet() || performance.now() >= deadline ? this.textSoFar : null;
      },
      lookAgainIn: () => this.speech.quietIn() || LOOK_AGAIN_MS,
      deadline,
      // The check above has its answer by then.
      late: connectionLost,
      signal,
    });
    return heard === '' ? null : heard;
  }

  /** Sends a text stream to the room; what the agent says from now on is its reply. */
  async sendText(text: string, signal: AbortSignal): Promise<void> {
    this.beginTurn();
    await this.post({ type: 'text', topic: CHAT_TOPIC, text }, signal);
    this.speech.stirred();
  }

  /**
   * The agent's whole reply in text streams to what `sendText` sent last: a segment has ended, none is open, the agent
   * is listening again, and it has been quiet for a while.
   * @param deadline in milliseconds of `performance.now()`
   * @throws ProviderError what `late` says at the deadline; `provider_error` when the reply is too long or the agent left
   */
  reply(deadline: number, late: () => ProviderError, signal: AbortSignal): Promise<string> {
    return this.waiting.for({
      look: () => {
        this.end.throwIfFailed();
        // On each word, only cheap checks: an agent may send a million of them.
        const isQuiet = this.speech.isQuiet();
        if (!isQuiet && !this.speech.isLong) return null;
        const { text, hasEnded } = this.speech.said();
        return text.length > MAX_REPLY_BYTES || (hasEnded && isQuiet) ? text : null;
      },
      lookAgainIn: () => this.speech.quietIn() || LOOK_AGAIN_MS,
      deadline,
      late,
      signal,
    });
  }

  /**
   * Takes up a voice in the room, and listens to those of the others.
   * @param onSound receives what the agent says, in order
   * @throws ProviderError `config_invalid` where the patient may not speak
   */
  async call(onSound: (sound: HeardSound) => void, signal: AbortSignal): Promise<AgentCall> {
    const { presence, end, waiting } = this;
    const post: CallRoom['post'] = (message, until) => this.post(message, until);
    const call = new AgentCall(
      { presence, end, waiting, post, hush: () => this.hush(), lost: connectionLost },
      onSound,
    );
    this.spoken = call;
    try {
      await this.post({ type: 'call' }, signal);
    } catch (error) {
      throw signal.aborted || this.failure !== null ? error : mayNotSpeak();
    }
    return call;
  }

  /** What the agent said in text, once all of it has come or so much time has passed. */
  wholeText(withinMs: number, signal: AbortSignal): Promise<string> {
    const deadline = performance.now() + withinMs;
    return this.waiting.for({
      look: () => {
        this.end.throwIfFailed();
        const { text, hasEnded } = this.speech.said();
        return (hasEnded && this.speech.isQuiet()) || performance.now() >= deadline ? text : null;
      },
      lookAgainIn: () => LOOK_AGAIN_MS,
      deadline,
      // The check above has its answer by then.
      late: connectionLost,
      signal,
    });
  }

  /** Tools are told over the session protocol, which a call does without. */
  readonly calledTools: readonly string[] = [];

  /** When the agent last said or did something, in milliseconds of `performance.now()`. */
  get lastHeardAt(): number {
    return this.speech.lastHeardAt;
  }

  /** What the agent says from now on belongs to the next reply. `sendText` does this itself. */
  beginTurn(): void {
    this.speech.beginTurn();
    this.understood.forget();
  }

  /** What the agent's side understood of the last utterance; null when it does not say. */
  get understoodSoFar(): string | null {
    const { text } = this.understood.said(() => true);
    return text === '' ? null : text;
  }

  /** What the agent has said in text streams since `sendText`, or since we joined; possibly incomplete. */
  get textSoFar(): string {
    return this.speech.said().text;
  }

  protected override happened(event: Happening): void {
    switch (event.type) {
      case 'participant':
        this.presence.see(event.participant, performance.now());
        if (this.presence.isAgent(event.participant.identity)) this.speech.stirred();
        return;
      case 'participantLeft':
        if (this.presence.leave(event.identity)) this.end.agentLeft(event.reason);
        return;
      case 'streamBegan':
        // Transcripts of what we said come back under our own name.
        if (event.sender === this.identity) {
          return this.understood.began(event.stream, event.topic, event.sender, event.segment);
        }
        this.presence.hear(event.sender);
        // In a call what is only shown was not said.
        return this.spoken !== null && event.topic === CHAT_TOPIC ? undefined : this.speech.hear(event);
      case 'streamText':
        if (this.understood.add(event.stream, event.text)) return;
        return this.speech.hear(event);
      case 'streamEnded':
        if (this.understood.ended(event.stream)) return;
        return this.speech.hear(event);
      case 'data':
        return this.presence.hear(event.sender);
      case 'said':
      case 'interjecting':
      case 'turnSound':
      case 'voiced':
      case 'voice':
      case 'sound':
        return this.spoken?.hear(event);
      case 'reconnected':
        return this.end.connectionIsBack(() => this.presence.isMissing);
    }
  }

  /** A greeting may begin the moment an agent is ready, so quiet counts from then on; an agent without signs of readiness was quiet already. */
  private agentWhenReady(): Participant | null {
    const agent = this.presence.ready(performance.now());
    if (agent !== null && this.presence.reportsState) this.speech.stirred();
    return agent;
  }
}
