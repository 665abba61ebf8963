import type { Page, Request, Response } from 'playwright-core';
import type { BrowserConfig } from '../config';
import { AgentHungUp, ProviderError } from '../errors';
import { OneAtATime } from '../one-at-a-time';
import type { Json, Reply, Session } from '../provider';
import { replyText } from '../reply-text';
import type { Secrets } from '../secrets/secrets';
import type { CallLimits } from './call-limits';
import { type ChatPage, takeScreenshot } from './chat-page';
import { findComposer, isUnsent, say, type Composer } from './composer';
import { EndSign } from './selectors';
import { findLogin, findWall, wallsOn } from './login-wall';
import { PageReader } from './page-reader';
import { watchReply } from './reply-watch';

/** Requests by which a page talks to its server; pictures and styles say nothing about the agent. */
const TALK = new Set(['fetch', 'xhr', 'eventsource', 'document']);

/** Watches how the page's server answers during a turn: that may explain why no reply is shown. */
class RequestWatch {
  private trouble: { readonly status: number | null; readonly said: string } | null = null;
  private readonly onResponse = (response: Response): void => {
    const status = response.status();
    if (status < 400 || !TALK.has(response.request().resourceType())) return;
    this.trouble = { status, said: `${addressOf(response.url())} was answered with status ${status}` };
  };
  private readonly onFailure = (request: Request): void => {
    const reason = request.failure()?.errorText ?? '';
    // Pages cancel requests themselves.
    if (reason === 'net::ERR_ABORTED' || !TALK.has(request.resourceType())) return;
    this.trouble = { status: null, said: `${addressOf(request.url())} failed (${reason.replace('net::', '')})` };
  };

  constructor(private readonly page: Page) {
    page.on('response', this.onResponse);
    page.on('requestfailed', this.onFailure);
  }

  stop(): void {
    this.page.off('response', this.onResponse);
    this.page.off('requestfailed', this.onFailure);
  }

  /** Whether the last trouble was an answer of the page's server: a status, not a failed connection. */
  get wasAnswered(): boolean {
    return this.trouble !== null && this.trouble.status !== null;
  }

  /**
   * The last trouble, of a kind that keeps an agent from answering; null when there was none.
   * @param what happened, in the beginning of a sentence
   */
  explain(what: string): ProviderError | null {
    if (this.trouble === null) return null;
    const { status, said } = this.trouble;
    const sentence = `${what}; the page's request to ${said}.`;
    if (status === 401 || status === 403) return new ProviderError('auth_failed', sentence);
    if (status === 429) return new ProviderError('rate_limited', sentence);
    return status === null || status >= 500 ? new ProviderError('provider_error', sentence) : null;
  }
}

/** Without its query, which may carry credentials. */
function addressOf(url: string): string {
  if (!URL.canParse(url)) return 'its server';
  const { origin, pathname } = new URL(url);
  return (origin + pathname).slice(0, 200);
}

/** A page that answers no call at all is given this much longer than the turn, so that the last read may still arrive. */
const STUCK_MS = 1_000;
const LOOK_EVERY_MS = 200;
/** How many characters of an unfinished reply are kept. */
const MAX_PARTIAL = 10_000;

type Walls = Awaited<ReturnType<typeof wallsOn>>;

/** Waits for permission to send; resolves with how long that took. */
export type Admission = (deadline: number, signal: AbortSignal) => Promise<number>;

/** A conversation in the agent's page. */
export class ChatSession implements Session {
  private readonly messages = new OneAtATime();
  private partial = '';

  constructor(
    private readonly chat: ChatPage,
    readonly greeting: string | null,
    private readonly config: BrowserConfig,
    private readonly secrets: Secrets,
    private readonly admit: Admission,
  ) {}

  send(message: string, signal: AbortSignal): Promise<Reply> {
    return this.messages.pass(signal, async (ending) => {
      await this.admit(performance.now() + this.config.turn_timeout_ms, ending);
      return this.exchange(message, ending);
    });
  }

  async close(): Promise<void> {
    this.messages.close();
    await this.chat.close();
  }

  metadata(): Readonly<Record<string, Json>> {
    const { refusals } = this.chat.traffic;
    const facts = {
      page: this.shownAddress(),
      ...(refusals.length === 0 ? {} : { refused_addresses: refusals }),
      ...(this.partial === '' ? {} : { partial_reply: this.partial.slice(0, MAX_PARTIAL).toWellFormed() }),
    };
    return this.secrets.removeFromRecord(facts);
  }

  private async exchange(message: string, signal: AbortSignal): Promise<Reply> {
    const { turn_timeout_ms } = this.config;
    const deadline = performance.now() + turn_timeout_ms;
    const stuck = (): ProviderError =>
      new ProviderError(
        'provider_timeout',
        `The page stopped answering; no whole reply came within ${turn_timeout_ms} ms.`,
      );
    try {
      const { text, latencyMs, endsConversation } = await this.chat.within(
        signal,
        turn_timeout_ms + STUCK_MS,
        stuck,
        (limits) => this.talk(message, deadline, limits),
      );
      const content = replyText(text);
      this.partial = '';
      return { content, latencyMs, continuation: null, metadata: {}, endsConversation };
    } catch (error) {
      if (!(error instanceof ProviderError) || error instanceof AgentHungUp || signal.aborted) throw error;
      throw error.showing(await takeScreenshot(this.chat.page));
    }
  }

  private async talk(
    message: string,
    deadline: number,
    limits: CallLimits,
  ): Promise<{ text: string; latencyMs: number; endsConversation: boolean }> {
    const { page } = this.chat;
    const composer = await this.untilWritable(deadline, limits);
    const reader = new PageReader(page, this.config.message_selector, composer.frame);
    const sign = new EndSign(page, this.config, composer.frame);
    const before = await limits.call(reader.read());
    const busy = await limits.call(reader.countBusy());
    const walls = await limits.call(wallsOn(page));
    const requests = new RequestWatch(page);
    this.chat.traffic.turnOver();
    try {
      const sentAt = performance.now();
      await limits.call(say(page, composer, message, this.config));
      const watch = { reader, limits, idleMs: this.config.reply_idle_ms, isOver: () => sign.isShown() };
      const reply = await watchReply(watch, { ...before, busy }, message, deadline, (text) => {
        this.partial = text;
      });
      const endsConversation = await limits.call(sign.isShown());
      if (reply === null && endsConversation && this.partial === '') throw new AgentHungUp();
      if (reply === null) throw await this.noReply(message, composer, requests, limits);
      const login = endsConversation ? null : await this.loginAfter(walls, limits);
      if (login !== null) throw login;
      return { text: reply.text, latencyMs: Math.max(0, reply.completeAt - sentAt), endsConversation };
    } finally {
      requests.stop();
    }
  }

  /**
   * Some pages accept no input while the agent is speaking, or render their input anew.
   * @throws AgentHungUp
   */
  private async untilWritable(deadline: number, limits: CallLimits): Promise<Composer> {
    for (;;) {
      // Once it is over nothing is sent any more, whether there is something to write into or not.
      if (await limits.call(new EndSign(this.chat.page, this.config).isShown())) throw new AgentHungUp(false);
      const composer = await limits.call(findComposer(this.chat.page, this.config));
      if (composer !== null) return composer;
      if (performance.now() >= deadline) {
        throw (
          (await limits.call(findLogin(this.chat.page, this.config.url))) ??
          new ProviderError('provider_timeout', "The page's input was missing, or accepted no text, for a whole turn.")
        );
      }
      await limits.sleep(LOOK_EVERY_MS);
    }
  }

  /** A page whose session has ended says so where the reply would be: those words are not the agent's. */
  private async loginAfter(before: Walls, limits: CallLimits): Promise<ProviderError | null> {
    const { page } = this.chat;
    const { url } = this.config;
    // A page that cannot be read at this moment has no login in it: the reply was read before.
    const now = await limits.call(wallsOn(page)).catch(() => before);
    if (now.passwords > before.passwords || now.checks > before.checks) return limits.call(findWall(page, url));
    const composer = await limits.call(findComposer(page, this.config)).catch(() => null);
    return composer === null ? limits.call(findLogin(page, url)).catch(() => null) : null;
  }

  private async noReply(
    message: string,
    composer: Composer,
    requests: RequestWatch,
    limits: CallLimits,
  ): Promise<ProviderError> {
    const seconds = this.config.turn_timeout_ms / 1_000;
    if (this.partial !== '') {
      return new ProviderError(
        'provider_timeout',
        `The reply was not complete after ${seconds} s: it was still growing, or the page indicated more to come. What had arrived is in metadata.session.partial_reply.`,
      );
    }
    const composerNow = await limits.call(findComposer(this.chat.page, this.config)).catch(() => null);
    const find = composerNow === null ? findLogin : findWall;
    const wall = await limits.call(find(this.chat.page, this.config.url)).catch(() => null);
    if (wall !== null) return wall;
    const nothing = `The page showed no reply within ${seconds} s`;
    const forbidden = this.chat.traffic.explain();
    if (forbidden?.code === 'config_invalid' && !requests.wasAnswered) {
      return new ProviderError(
        'config_invalid',
        `${nothing}, and one of its requests was refused: ${forbidden.message}`,
      );
    }
    const refusal = requests.explain(nothing);
    if (refusal !== null) return refusal;
    const unsent = await limits.call(isUnsent(composer, message)).catch(() => false);
    return new ProviderError(
      'provider_timeout',
      unsent
        ? `The message is still in the page's input after ${seconds} s: set send_selector to the button that sends it.`
        : `${nothing}.`,
    );
  }

  /** Without its query, which may carry credentials. */
  private shownAddress(): string {
    const address = this.chat.page.url();
    if (!URL.canParse(address)) return '';
    const { origin, pathname } = new URL(address);
    return origin === 'null' ? '' : origin + pathname;
  }
}
