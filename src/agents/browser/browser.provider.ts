import type { Log } from '../../platform/config';
import { type TargetGuard, TargetRefusal } from '../../platform/targets';
import { readBrowserConfig, type BrowserConfig } from '../config';
import { ProviderError } from '../errors';
import { systemClock } from '../outbound/clock';
import { forbiddenTarget } from '../outbound/connection-failure';
import { limiterKey, type Limiter } from '../outbound/limiter';
import { withRetries } from '../../platform/outbound';
import { agentRetries } from '../outbound/agent-retries';
import { Provider, type Availability, type ConnectRequest, type Session } from '../provider';
import { Secrets } from '../secrets/secrets';
import { chooseBrowser, type BrowserOptions, type BrowserChoice } from './browser-choice';
import { BrowserProcess, type OpenContext } from './browser-process';
import { allowsNamespaces, otherUser, type BrowserUser } from './browser-user';
import type { CallLimits } from './call-limits';
import { addHeaders, ChatPage, contextOptions, takeScreenshot } from './chat-page';
import { ChatSession } from './chat-session';
import { findComposer, type Composer } from './composer';
import { EndSign, checkSelectors } from './selectors';
import { findLogin, findWall } from './login-wall';
import { PageReader } from './page-reader';
import { settle } from './reply-watch';

/**
 * What start-run and health report about the browser.
 * @param hasSandbox as of its last start, or as the kernel suggests before the first one; null where neither is known
 */
export function describeBrowser(choice: BrowserChoice, hasSandbox: boolean | null): Availability {
  if (choice.chosen === null) return { available: false, reason: choice.reason };
  const { name, user, sandbox } = choice.chosen;
  const driven = `Browser agents are examined with ${name}`;
  if (!sandbox) {
    const exposed = 'as root and without a sandbox, as BROWSER_ALLOW_NO_SANDBOX allows';
    return { available: true, isLimited: true, detail: `${driven}, ${exposed}: ${RISK}.` };
  }
  const as = user === null ? '' : `, as user ${user.uid}, who owns nothing`;
  if (hasSandbox !== false)
    return { available: true, detail: `${driven}${as}${hasSandbox ? ', in its sandbox' : ''}.` };
  const denied = 'without a sandbox: this system does not let its user open a user namespace and change the root in it';
  return { available: true, isLimited: true, detail: `${driven}${as}, ${denied}; ${RISK}.` };
}

const RISK = 'a page that breaks out of the browser can do everything that this user can';

const LOOK_EVERY_MS = 200;
/** A password field that stays this long is not the flash of a page that logs itself in. */
const WALL_STANDS_MS = 2_000;
/** A page that answers no call at all is given up this long after its deadline. */
const STUCK_MS = 1_000;

export interface BrowserParts {
  readonly browser: BrowserOptions;
  /** The user that the browser runs as; by default the one that this system offers. Null: the service's own user. */
  readonly user?: BrowserUser | null;
  readonly targets: TargetGuard;
  readonly limiter: Limiter;
  readonly log: Log;
}

/** A chat web page, driven as a patient would: one browser for the process, a context for each conversation. */
export class BrowserProvider extends Provider {
  override readonly kind = 'browser';
  /** What the page keeps of the conversation disappears with its context. */
  override readonly resumable = false;
  private readonly browser: BrowserProcess;
  private readonly user: BrowserUser | null;
  /** What the kernel says about sandboxes; undefined until it is asked. */
  private promised: boolean | null | undefined;

  constructor(private readonly parts: BrowserParts) {
    super();
    const { browser, user = otherUser(), targets, log } = parts;
    this.user = user;
    this.browser = new BrowserProcess(() => chooseBrowser(browser, user), browser.dataDir, targets, log);
  }

  override availability(): Availability {
    const hasSandbox = this.browser.isSandboxed ?? (this.promised ??= allowsNamespaces(this.user));
    return describeBrowser(chooseBrowser(this.parts.browser, this.user), hasSandbox);
  }

  override async connect(request: ConnectRequest, signal: AbortSignal): Promise<Session> {
    const config = readBrowserConfig(request.config);
    const secrets = request.secrets ?? Secrets.of(request.config);
    await this.checkTarget(config);
    const opened = await this.openContext(config, signal);
    try {
      const chat = new ChatPage(opened);
      const greeting = await this.enter(chat, config, secrets, signal);
      const key = limiterKey(config.url.origin, '');
      return new ChatSession(chat, greeting, config, secrets, async (deadline, ending) => {
        const inLine = await this.parts.limiter.admit(key, config.requests_per_minute, deadline, ending);
        await request.assureOwnership?.(ending);
        return inLine;
      });
    } catch (error) {
      await opened.close();
      if (signal.aborted) throw ProviderError.canceled();
      throw error;
    }
  }

  /** Ends the browser. Idempotent; never throws. */
  close(): Promise<void> {
    return this.browser.close();
  }

  /** Checks the address itself; where its name resolves to, and what it redirects to, is checked by the proxy. */
  private async checkTarget({ url }: BrowserConfig): Promise<void> {
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    await this.parts.targets.checkHost(url.hostname, port).catch((error: unknown) => {
      throw error instanceof TargetRefusal ? forbiddenTarget(error) : error;
    });
  }

  private async openContext(config: BrowserConfig, signal: AbortSignal): Promise<OpenContext> {
    try {
      return await this.browser.openContext(contextOptions(config), signal);
    } catch (error) {
      if (error instanceof ProviderError || config.storage_state === undefined) throw error;
      // The browser itself checks cookies against its rules, and quotes none of their values.
      throw new ProviderError(
        'config_invalid',
        "The agent's config cannot be used: storage_state holds a cookie or an origin that the browser refuses.",
        undefined,
        { cause: error },
      );
    }
  }

  /** Opens the page and waits until it accepts a message. Resolves with the agent's greeting. */
  private async enter(
    chat: ChatPage,
    config: BrowserConfig,
    secrets: Secrets,
    signal: AbortSignal,
  ): Promise<string | null> {
    const deadline = performance.now() + config.turn_timeout_ms;
    const stuck = (): ProviderError =>
      new ProviderError(
        'provider_timeout',
        `The page was not ready within ${config.turn_timeout_ms} ms: it stopped answering.`,
      );
    try {
      return await chat.within(signal, config.turn_timeout_ms + STUCK_MS, stuck, async (limits) => {
        await limits.call(checkSelectors(chat.page, selectorsOf(config)));
        await limits.call(addHeaders(chat.page, config));
        const retries = { maxRetries: config.max_retries, deadline: () => deadline, clock: systemClock, signal };
        const visit = () => limits.call(chat.visit(config.url, deadline - performance.now()));
        await withRetries(visit, agentRetries(retries));
        const composer = await untilComposer(chat, config, deadline, limits);
        const reader = new PageReader(chat.page, config.message_selector, composer.frame);
        await settle({ reader, limits, idleMs: config.reply_idle_ms });
        if (await limits.call(new EndSign(chat.page, config, composer.frame).isShown())) throw alreadyEnded();
        const greeting = await limits.call(reader.greeting());
        return greeting === null ? null : secrets.remove(greeting);
      });
    } catch (error) {
      if (!(error instanceof ProviderError) || signal.aborted) throw error;
      throw error.showing(await takeScreenshot(chat.page));
    }
  }
}

function selectorsOf({ input_selector, send_selector, message_selector, end_selector }: BrowserConfig) {
  return { input_selector, send_selector, message_selector, end_selector };
}

/** @throws ProviderError `auth_failed` behind a login; `config_invalid` when the page has no input, or not the configured one */
async function untilComposer(
  { page }: ChatPage,
  config: BrowserConfig,
  deadline: number,
  limits: CallLimits,
): Promise<Composer> {
  let wallSince: number | null = null;
  for (;;) {
    // A page that navigates while it is inspected is inspected again.
    const composer = await limits.call(findComposer(page, config)).catch(rethrowOwn(limits));
    if (composer !== null) return composer;
    const wall = await limits.call(findWall(page, config.url)).catch(rethrowOwn(limits));
    const now = performance.now();
    wallSince = wall === null ? null : (wallSince ?? now);
    if (wall !== null && wallSince !== null && (now - wallSince >= WALL_STANDS_MS || now >= deadline)) throw wall;
    if (now >= deadline) {
      const login = await limits.call(findLogin(page, config.url)).catch(rethrowOwn(limits));
      throw login ?? noComposer(config);
    }
    await limits.sleep(LOOK_EVERY_MS);
  }
}

function rethrowOwn(limits: CallLimits): (error: unknown) => null {
  return (error) => {
    if (limits.failure !== null || error instanceof ProviderError) throw error;
    return null;
  };
}

function alreadyEnded(): ProviderError {
  return new ProviderError(
    'config_invalid',
    'The page shows what matches end_selector before anything was said: set it to what only an ended conversation shows.',
  );
}

function noComposer({ input_selector, turn_timeout_ms }: BrowserConfig): ProviderError {
  const within = `within ${turn_timeout_ms / 1_000} s`;
  return new ProviderError(
    'config_invalid',
    input_selector === undefined
      ? `The page showed no input for messages ${within}: set input_selector.`
      : `The page showed no writable element that matches input_selector ${within}.`,
  );
}
