import { ProviderError } from '../errors';
import { clientReady, disconnectBot, readyFacts, sendText, type RtviMessage } from './rtvi-message';
import { RtviReply } from './rtvi-reply';

/** How long a bot may take with each step, in milliseconds; tests shorten them. */
export interface RtviTimes {
  /** Between two tries of the handshake. */
  readonly again: number;
  /** A bot that shows signs of RTVI has so long to be ready. */
  readonly ready: number;
  /** A greeting begins within this time, or there is none. */
  readonly greetingBegins: number;
  /** A greeting that is longer is cut short by the first message. */
  readonly greeting: number;
}

export const RTVI_TIMES: RtviTimes = {
  again: 1_000,
  ready: 20_000,
  greetingBegins: 1_000,
  greeting: 15_000,
};

/** Tries of the handshake that a bot which is there may leave unanswered: then it does not speak RTVI. */
const UNANSWERED = 2;

/** The bot's end is asked for once; nothing waits longer for the request to leave. */
const END_MS = 500;

/** Version of the `about` that a bot may log. */
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

  /** What the bot told of itself. */
  get facts(): Readonly<Record<string, string>> {
    return this.about;
  }

  /** What the bot said since our last message; perhaps not whole. */
  get textSoFar(): string {
    return this.current.text;
  }

  /** When the last message of the reply came, in `performance.now()` milliseconds. */
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
    // Silence is counted from here; what has nothing to do with the reply does not break it.
    this.wait?.look();
  }

  /** The bot answers in another way, so that nobody needs to wait for its handshake. */
  abandon(): void {
    this.abandoned = true;
    this.wait?.look();
  }

  /** The bot or the room is gone: what is waited for will not come. */
  breakOff(error: ProviderError): void {
    this.broken = error;
    this.wait?.fail(error);
  }

  /**
   * Says that we listen until the bot is ready. What is said before it came in nobody hears, so it is said again; a bot that is
   * only slow may take each for a client of its own and greet it, so it is not said often.
   * @param isBotThere from then on its answer is waited for so long only
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
   * Waits for what the bot says of its own accord before the first message.
   * @returns its greeting, as far as it came; empty when there is none
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

  /** Asks the bot to end. Never throws; a connection that takes no packet any more is not waited for. */
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
