import { ProviderError } from '../errors';
import type { Json } from '../provider';
import { clientReady, disconnectBot, readyFacts, sendText, type RtviMessage } from './rtvi-message';
import { RtviReply } from './rtvi-reply';

/** How long a bot may take with each step, in milliseconds; tests shorten them. */
export interface RtviTimes {
  /** Between two tries of the handshake. */
  readonly again: number;
  /** A bot that shows signs of RTVI has this long to become ready. */
  readonly ready: number;
  /** Between two tries while the first message waits for an answer in text. */
  readonly onceMore: number;
  /** A greeting begins within this time, or there is none. */
  readonly greetingBegins: number;
  /** A longer greeting is cut short by the first message. */
  readonly greeting: number;
}

export const RTVI_TIMES: RtviTimes = {
  again: 1_000,
  ready: 20_000,
  onceMore: 5_000,
  greetingBegins: 1_000,
  greeting: 15_000,
};

/** How many handshake tries a bot that is present may leave unanswered before it counts as not speaking RTVI. */
const UNANSWERED = 2;

/** The bot is asked once to end; nothing waits longer than this for the request to be sent. */
const END_MS = 500;

/** Version in the `about` that a bot may log. */
const OWN_VERSION = '1';

/** How a wait ended: by its own rule, or because its time was up. */
type End = 'complete' | 'deadline';

interface Wait {
  /** Something happened: silence is counted anew. */
  readonly look: () => void;
  readonly fail: (error: ProviderError) => void;
}

/** RTVI with one bot over a room's data channel: the handshake, its greeting, and one message at a time. */
export class RtviConversation {
  private isReady = false;
  private showedRtvi = false;
  private showsRuns = false;
  private abandoned = false;
  private broken: ProviderError | null = null;
  private current: RtviReply = new RtviReply(null, false);
  private wait: Wait | null = null;
  private heardAt = 0;
  private messages = 0;
  private about: Readonly<Record<string, string>> = {};

  constructor(
    private readonly publish: (packet: Uint8Array, signal: AbortSignal) => Promise<void>,
    private readonly times: RtviTimes = RTVI_TIMES,
  ) {}

  /** The bot speaks RTVI. */
  get isSpoken(): boolean {
    return this.isReady;
  }

  /** What the bot said about itself. */
  get facts(): Readonly<Record<string, string>> {
    return this.about;
  }

  /** What the bot has said since our last message; possibly incomplete. */
  get textSoFar(): string {
    return this.current.text;
  }

  /** What is worth noting of the reply to it. */
  get factsSoFar(): Readonly<Record<string, Json>> {
    return this.current.facts;
  }

  /** The tools that the bot called since our last message, as far as it names them. */
  get calledTools(): readonly string[] {
    return this.current.tools;
  }

  /** When the last message of the reply arrived, in `performance.now()` milliseconds. */
  get lastHeardAt(): number {
    return this.heardAt;
  }

  /** A message of the bot. */
  hear(message: RtviMessage): void {
    const isFirst = !this.showedRtvi;
    this.showedRtvi = true;
    if (isFirst) this.wait?.look();
    if (message.type === 'bot-llm-started') this.showsRuns = true;
    if (message.type === 'bot-ready' && !this.isReady) {
      this.isReady = true;
      this.about = readyFacts(message);
      this.wait?.look();
    }
    if (!this.current.hear(message)) return;
    this.heardAt = performance.now();
    // Silence is counted from here; messages unrelated to the reply do not break it.
    this.wait?.look();
  }

  /** The bot communicates in another way, so no one needs to wait for its handshake. */
  abandon(): void {
    this.abandoned = true;
    this.wait?.look();
  }

  /** The bot or the room is gone: what is waited for will not arrive. */
  breakOff(error: ProviderError): void {
    this.broken = error;
    this.wait?.fail(error);
  }

  /**
   * Repeats that we are ready until the bot is. What is sent before the bot has joined is not received, so it is sent again; a bot that is
   * merely slow may take each message for a new client and greet it, so it is not sent often.
   * @param isBotThere from then on its answer is waited for only for a limited time
   * @returns false when it does not speak RTVI
   * @throws ProviderError canceled, or what broke off
   */
  async handshake(isBotThere: () => boolean, signal: AbortSignal): Promise<boolean> {
    const isDecided = (): number | null => (this.isReady || this.abandoned || this.showedRtvi ? 0 : null);
    for (let unanswered = 0; isDecided() === null && unanswered < UNANSWERED;) {
      if (isBotThere()) unanswered += 1;
      await this.say(clientReady(this.nextId(), OWN_VERSION), signal);
      await this.until(isDecided, this.times.again, signal);
    }
    if (this.showedRtvi && !this.isReady) await this.until(() => (this.isReady ? 0 : null), this.times.ready, signal);
    return this.isReady;
  }

  /**
   * Waits, after a handshake that was not answered, until the bot is ready after all: on a busy machine it may be in the room for long
   * before it listens. Of one that is known to communicate in another way that is never so.
   * @param isOther whether that has become known: from then on nothing more is sent
   * @throws ProviderError canceled, or what broke off
   */
  async becomesReady(signal: AbortSignal, isOther: () => boolean = () => false): Promise<void> {
    while (!this.isReady) {
      this.abandoned ||= isOther();
      if (!this.abandoned && !this.showedRtvi) await this.say(clientReady(this.nextId(), OWN_VERSION), signal);
      await this.until(() => (this.isReady ? 0 : null), this.times.onceMore, signal);
    }
  }

  /**
   * Waits for what the bot says of its own accord before the first message.
   * @returns its greeting, as far as it arrived; empty when there is none
   */
  async greeting(signal: AbortSignal): Promise<string> {
    const { current } = this;
    const hasBegun = (): number | null => (current.hasBegun ? 0 : null);
    if (!current.hasBegun) await this.until(hasBegun, this.times.greetingBegins, signal);
    if (current.hasBegun) await this.until(() => current.quietNeeded, this.times.greeting, signal);
    return current.text;
  }

  /**
   * Sends the patient's words and waits for the whole reply.
   * @returns the reply, and whether it was complete before the time was up
   * @throws ProviderError canceled, or what broke off
   */
  async send(
    content: string,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<{ readonly reply: RtviReply; readonly isComplete: boolean }> {
    const id = this.nextId();
    const reply = new RtviReply(id, this.showsRuns);
    this.current = reply;
    await this.say(sendText(id, content), signal);
    const end = await this.until(() => reply.quietNeeded, timeoutMs, signal);
    return { reply, isComplete: end === 'complete' };
  }

  /** Asks the bot to end. Never throws; a connection that no longer accepts packets is not waited for. */
  async end(): Promise<void> {
    if (!this.isReady || this.broken !== null) return;
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), END_MS);
    await this.publish(disconnectBot(this.nextId()), patience.signal).catch(() => undefined);
    clearTimeout(timer);
  }

  private async say(packet: Uint8Array, signal: AbortSignal): Promise<void> {
    if (this.broken !== null) throw this.broken;
    await this.publish(packet, signal);
  }

  private nextId(): string {
    this.messages += 1;
    return `osce-${this.messages}`;
  }

  /** @param quietNeeded milliseconds of silence after which the wait is complete; null: not yet */
  private until(quietNeeded: () => number | null, timeoutMs: number, signal: AbortSignal): Promise<End> {
    return new Promise((resolve, reject) => {
      if (this.broken !== null) return reject(this.broken);
      if (signal.aborted) return reject(ProviderError.canceled());
      let quiet: NodeJS.Timeout | undefined;
      const finish = (): void => {
        clearTimeout(quiet);
        clearTimeout(deadline);
        signal.removeEventListener('abort', onAbort);
        this.wait = null;
      };
      const end = (how: End): void => {
        finish();
        resolve(how);
      };
      const fail = (error: ProviderError): void => {
        finish();
        reject(error);
      };
      const onAbort = (): void => fail(ProviderError.canceled());
      const deadline = setTimeout(() => end('deadline'), timeoutMs);
      const look = (): void => {
        clearTimeout(quiet);
        const needed = quietNeeded();
        if (needed !== null) quiet = setTimeout(() => end('complete'), needed);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.wait = { look, fail };
      look();
    });
  }
}
