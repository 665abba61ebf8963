import type { PipecatConfig } from '../config';
import { endingReply, replyText } from '../reply-text';
import { AgentHungUp, ProviderError } from '../errors';
import { hasHungUp, lastWords } from '../livekit/room-failure';
import type { AgentRoom } from '../livekit/agent-room';
import { limiterKey, type Limiter } from '../outbound/limiter';
import { OneAtATime } from '../one-at-a-time';
import type { Json, OwnershipAssurance, Reply, Session } from '../provider';
import type { Secrets } from '../secrets/secrets';
import type { DataMessages } from './data-messages';
import { excerpt } from './rtvi-message';
import type { RtviConversation } from './rtvi-conversation';

/** How much of an unfinished reply is kept. */
const MAX_PARTIAL = 4_000;

export interface SessionParts {
  readonly config: PipecatConfig;
  readonly secrets: Secrets;
  readonly limiter: Limiter;
  readonly assureOwnership: OwnershipAssurance | undefined;
  readonly room: AgentRoom;
  readonly rtvi: RtviConversation;
  readonly data: DataMessages;
  readonly greeting: string | null;
  /** Where and with whom: the room, the bot, the session. */
  readonly facts: () => Readonly<Record<string, Json>>;
  /** Leaves, ends and removes what connecting created; resolves with what to record about it. */
  readonly end: () => Promise<Readonly<Record<string, Json>>>;
}

/** A conversation with a bot in a LiveKit room: over RTVI when the bot speaks it, otherwise in text streams. */
export class PipecatSession implements Session {
  private readonly messages = new OneAtATime();
  private readonly limiterKey: string;
  private partial: string | null = null;
  /** What a bot said of its own accord that became ready after the first message. */
  private lateGreeting: string | null = null;
  private ending: Promise<void> | null = null;
  private ended: Readonly<Record<string, Json>> = {};

  constructor(private readonly parts: SessionParts) {
    const { base_url, api_key } = parts.config;
    // A pace of its own: a start that has to wait does not hold up conversations.
    this.limiterKey = limiterKey(base_url.origin, `${api_key}\0messages`);
  }

  get greeting(): string | null {
    return this.parts.greeting;
  }

  send(message: string, signal: AbortSignal): Promise<Reply> {
    return this.messages.pass(signal, async (ending) => {
      const { config, limiter, rtvi, assureOwnership } = this.parts;
      const { requests_per_minute, turn_timeout_ms } = config;
      await limiter.admit(this.limiterKey, requests_per_minute, Infinity, ending);
      await assureOwnership?.(ending);
      const began = performance.now();
      const wasGone = this.parts.room.failure !== null;
      const asking = rtvi.isSpoken
        ? this.sendByRtvi(message, turn_timeout_ms, ending)
        : this.sendAsText(message, turn_timeout_ms, ending);
      const {
        text,
        facts,
        sentAt = began,
        heardAt,
        end,
      } = await asking.catch((error: unknown) => this.failed(error, wasGone, ending));
      const content = replyText(text, 'The bot ended its reply without a word: see its log.');
      const latencyMs = Math.max(0, heardAt - sentAt);
      return { content, latencyMs, continuation: null, metadata: this.parts.secrets.removeFromRecord(facts), ...end };
    });
  }

  close(): Promise<void> {
    this.messages.close();
    return (this.ending ??= this.end());
  }

  metadata(): Readonly<Record<string, Json>> {
    const { facts, rtvi, data, secrets } = this.parts;
    return secrets.removeFromRecord({
      ...facts(),
      protocol: rtvi.isSpoken ? 'rtvi' : 'text streams',
      ...rtvi.facts,
      ...(this.lateGreeting === null ? {} : { late_greeting: this.lateGreeting }),
      ...(this.partial === null ? {} : { partial_reply: this.partial }),
      ...data.facts(),
      ...this.ended,
    });
  }

  private async sendByRtvi(message: string, timeoutMs: number, signal: AbortSignal): Promise<Heard> {
    const { rtvi, secrets, config } = this.parts;
    const { reply, isComplete } = await rtvi.send(message, timeoutMs, signal);
    if (reply.failure !== null) {
      throw new ProviderError(
        'provider_error',
        `The bot reported an error instead of a reply; see its log. It said: ${excerpt(secrets.remove(reply.failure), 500)}`,
      );
    }
    if (!isComplete) throw late(reply.text);
    const end = endingReply(reply, config.end_tools);
    return { text: reply.text, facts: reply.facts, heardAt: rtvi.lastHeardAt, end };
  }

  /** In text streams; by RTVI once the bot turns out to speak it, which then has not heard the text. */
  private async sendAsText(message: string, timeoutMs: number, signal: AbortSignal): Promise<Heard> {
    const { room, rtvi } = this.parts;
    const deadline = performance.now() + timeoutMs;
    await room.sendText(message, signal);
    const decided = new AbortController();
    const waiting = AbortSignal.any([signal, decided.signal]);
    const replied = room.reply(deadline, () => late(room.textSoFar), waiting);
    const isReady = rtvi.becomesReady(waiting).then(
      () => (room.textSoFar === '' ? null : replied),
      () => replied,
    );
    const text = await Promise.race([replied, isReady]).finally(() => decided.abort());
    if (text !== null) {
      rtvi.abandon();
      // The quiet that ended it is our wait, not the bot's time.
      return { text, facts: {}, heardAt: room.lastHeardAt, end: {} };
    }
    const greeting = await rtvi.greeting(signal);
    if (greeting.trim() !== '') this.lateGreeting = excerpt(greeting, MAX_PARTIAL);
    const sentAt = performance.now();
    return { ...(await this.sendByRtvi(message, Math.max(0, deadline - sentAt), signal)), sentAt };
  }

  /** A bot that hung up has said its last words. What arrived of any other reply that did not end is kept, except after a cancellation. */
  private failed(error: unknown, wasGone: boolean, ending: AbortSignal): Heard {
    const { rtvi, room, config } = this.parts;
    const soFar = rtvi.isSpoken ? rtvi.textSoFar : room.textSoFar;
    if (hasHungUp(error, rtvi.calledTools, config)) {
      if (wasGone) throw new AgentHungUp(false);
      const { content, endsConversation } = lastWords(soFar);
      const heardAt = rtvi.isSpoken ? rtvi.lastHeardAt : room.lastHeardAt;
      return { text: content, facts: rtvi.factsSoFar, heardAt, end: { endsConversation } };
    }
    if (soFar.trim() !== '' && !ending.aborted) this.partial = excerpt(soFar, MAX_PARTIAL);
    throw error;
  }

  private async end(): Promise<void> {
    this.ended = await this.parts.end();
  }
}

/** A complete reply, and when the last of it arrived, times in milliseconds of `performance.now()`. */
interface Heard {
  readonly text: string;
  /** When it was sent to a bot that was not ready before. */
  readonly sentAt?: number;
  readonly heardAt: number;
  readonly facts: Readonly<Record<string, Json>>;
  readonly end: Pick<Reply, 'endsConversation'>;
}

function late(soFar: string): ProviderError {
  return new ProviderError(
    'provider_timeout',
    soFar.trim() === ''
      ? "The bot gave no reply before the turn's deadline; see its log, or raise turn_timeout_ms in the agent's config if it needs longer."
      : "The bot's reply was not finished before the turn's deadline (the part that arrived is in the metadata, as partial_reply); raise " +
          "turn_timeout_ms in the agent's config if it needs longer.",
  );
}
