import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { Slots } from '../../platform/concurrency';
import type { Log } from '../../platform/config';
import type { TargetGuard } from '../../platform/targets';
import { ProviderError } from '../errors';
import type { BrowserChoice } from './browser-choice';
import { BrowserProxy, type PageTraffic } from './page-traffic';
import { CallLimits } from './call-limits';
import { pageEnded } from './page-failure';
import { startBrowser } from './start-browser';

/** Each open page is a process of some 60 to 100 MB; further ones wait for one to close. */
const MAX_CONTEXTS = 16;
/** An empty page opens in a tenth of a second; a browser that takes this long has stopped responding. */
const ANSWER_WITHIN_MS = 30_000;
const CLOSE_WITHIN_MS = 5_000;
/** A browser unused for this long is ended; the next agent starts another in a third of a second. */
const IDLE_MS = 60_000;

interface Running {
  readonly browser: Browser;
  /** The process of the browser itself, to kill it when it does not respond; null when not known. */
  readonly pid: number | null;
}

export interface BrowserLimits {
  /** Pages open at a time. */
  readonly contexts: number;
  /** In milliseconds: a browser that has not opened an empty page by then is ended. */
  readonly answerWithinMs: number;
}

export interface OpenContext {
  readonly context: BrowserContext;
  /** Empty. */
  readonly page: Page;
  /** The traffic of all its pages. */
  readonly traffic: PageTraffic;
  /** Closes it and lets the next one open. Idempotent, bounded in time, never throws. */
  close(): Promise<void>;
}

/** The one browser of this process: started for the first page, started again when it has died, ended with the service. */
export class BrowserProcess {
  private readonly slots: Slots;
  private readonly proxy: BrowserProxy;
  private launching: Promise<Running> | null = null;
  private readonly shutdown = new AbortController();
  private idleTimer: NodeJS.Timeout | undefined;
  private open = 0;
  private sandboxed: boolean | null = null;

  constructor(
    private readonly choose: () => BrowserChoice,
    private readonly dataDir: string,
    targets: TargetGuard,
    private readonly log: Log,
    private readonly limits: BrowserLimits = { contexts: MAX_CONTEXTS, answerWithinMs: ANSWER_WITHIN_MS },
  ) {
    this.slots = new Slots(limits.contexts, () => ProviderError.canceled());
    this.proxy = new BrowserProxy(targets);
  }

  /** Whether the browser had its sandbox when it was last started; null before the first start. */
  get isSandboxed(): boolean | null {
    return this.sandboxed;
  }

  /**
   * A page in a context of its own: cookies, storage and cache are shared with no other page.
   * @throws ProviderError canceled; `transport_unsupported` when there is no browser; `internal` when it does not start or
   * stops answering; what the browser's library throws when it refuses the options
   */
  async openContext(options: BrowserContextOptions, signal: AbortSignal): Promise<OpenContext> {
    const release = await this.slots.take(signal);
    this.open += 1;
    clearTimeout(this.idleTimer);
    const traffic = this.proxy.admit();
    const leave = (): void => {
      release();
      this.proxy.dismiss(traffic);
      this.open -= 1;
      if (this.open === 0) this.endWhenIdle();
    };
    try {
      const { username, password } = traffic;
      const proxy = { server: await this.proxy.url(), username, password };
      const { context, page } = await this.openPage({ ...options, proxy }, signal);
      let closing: Promise<void> | undefined;
      return {
        context,
        page,
        traffic,
        close: () => (closing ??= settledWithin(context.close(), CLOSE_WITHIN_MS).finally(leave)),
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Ends the browser and every page in it. Idempotent; never throws. */
  async close(): Promise<void> {
    this.shutdown.abort();
    await this.end();
    await this.proxy.close();
  }

  private async openPage(options: BrowserContextOptions, signal: AbortSignal): Promise<OpenPage> {
    for (let isSecond = false; ; isSecond = true) {
      const launching = this.running();
      const { browser, pid } = await unlessAborted(launching, signal);
      // Timed anew in a second browser: it must not be blamed for the time that the first one took.
      const limits = new CallLimits(signal, this.limits.answerWithinMs, () => this.giveUp(launching, browser, pid));
      try {
        return await newPage(browser, options, limits);
      } catch (error) {
        if (signal.aborted || (limits.failure === null && browser.isConnected())) throw error;
        // It died between two pages, or hangs because of some other page: this one gets a new browser.
        if (isSecond) throw limits.failure ?? pageEnded();
        if (this.launching === launching) this.launching = null;
      } finally {
        limits.release();
      }
    }
  }

  /** Ends a browser that does not answer, at once, also when other conversations use it: none of them gets an answer. */
  private giveUp(launching: Promise<Running>, browser: Browser, pid: number | null): ProviderError {
    // Several pages may notice. A page can cause it, and the next conversation gets another browser.
    if (this.launching === launching) {
      this.launching = null;
      this.log.warn('The browser stopped responding and was ended', { pid, pages: this.open });
    }
    if (pid !== null) killed(pid);
    browser.close().catch(() => undefined);
    return new ProviderError(
      'internal',
      `The browser opened no page within ${this.limits.answerWithinMs} ms and was ended; start the run again.`,
    );
  }

  private running(): Promise<Running> {
    if (this.shutdown.signal.aborted) return Promise.reject(ProviderError.canceled());
    if (this.launching === null) {
      const launching = this.launch();
      this.launching = launching;
      launching.catch(() => {
        if (this.launching === launching) this.launching = null;
      });
    }
    return this.launching;
  }

  private async launch(): Promise<Running> {
    const choice = this.choose();
    if (choice.chosen === null) throw new ProviderError('transport_unsupported', choice.reason);
    const { name } = choice.chosen;
    try {
      const proxy = await this.proxy.url();
      const { signal } = this.shutdown;
      const { browser, isSandboxed } = await startBrowser(choice.chosen, proxy, this.dataDir, this.log, signal);
      this.sandboxed = isSandboxed;
      browser.once('disconnected', () => this.forget(browser));
      if (this.shutdown.signal.aborted) {
        await settledWithin(browser.close(), CLOSE_WITHIN_MS);
        throw ProviderError.canceled();
      }
      return { browser, pid: await this.askPid(browser) };
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      this.log.error('The browser could not be started', { error, browser: name });
      const options = { cause: error };
      throw new ProviderError(
        'internal',
        `The browser could not be started (${name}); the service's log names the cause.`,
        { kind: 'terminal' },
        options,
      );
    }
  }

  private async askPid(browser: Browser): Promise<number | null> {
    const limits = new CallLimits(this.shutdown.signal, this.limits.answerWithinMs, silentBrowser);
    try {
      return await limits.call(pidOf(browser));
    } catch (error) {
      // The library ends it with this process, should it not respond to this.
      browser.close().catch(() => undefined);
      throw error;
    } finally {
      limits.release();
    }
  }

  private forget(browser: Browser): void {
    void this.launching?.then(
      (running) => {
        if (running.browser !== browser) return;
        this.launching = null;
        if (this.open > 0) this.log.warn('The browser ended while pages were open', { pages: this.open });
      },
      () => undefined,
    );
  }

  private endWhenIdle(): void {
    this.idleTimer = setTimeout(() => void this.end(), IDLE_MS);
    this.idleTimer.unref();
  }

  private async end(): Promise<void> {
    clearTimeout(this.idleTimer);
    const { launching } = this;
    this.launching = null;
    const running = await launching?.catch(() => null);
    if (running === undefined || running === null) return;
    await settledWithin(running.browser.close(), CLOSE_WITHIN_MS);
    if (running.browser.isConnected() && running.pid !== null) killed(running.pid);
  }
}

interface OpenPage {
  readonly context: BrowserContext;
  readonly page: Page;
}

async function newPage(browser: Browser, options: BrowserContextOptions, limits: CallLimits): Promise<OpenPage> {
  const creating = browser.newContext(options);
  try {
    const context = await limits.call(creating);
    return { context, page: await limits.call(firstPage(context)) };
  } catch (error) {
    // It may still open when no conversation waits for it any more.
    creating.then((context) => context.close()).catch(() => undefined);
    throw error;
  }
}

/** @throws ProviderError `internal`: the options are fine, so the browser itself failed */
async function firstPage(context: BrowserContext): Promise<Page> {
  try {
    return await context.newPage();
  } catch (error) {
    const cause = { cause: error };
    throw new ProviderError('internal', 'The browser could not open a page.', { kind: 'terminal' }, cause);
  }
}

/** Others may be waiting for the same browser: leaving does not cancel its start. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw ProviderError.canceled();
  let leave = (): void => undefined;
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(ProviderError.canceled());
  });
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([work, left]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function silentBrowser(): ProviderError {
  return new ProviderError('internal', 'The browser was started but does not answer; start the run again.');
}

/** The process id of the browser itself, to kill it when it does not respond; null when it is not known. */
async function pidOf(browser: Browser): Promise<number | null> {
  try {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    return processInfo.find(({ type }) => type === 'browser')?.id ?? null;
  } catch {
    return null;
  }
}

/** Ends a process that may have stopped responding. */
function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/** Waits for work that may fail, or never end. */
async function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  const done = work.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([done, late]);
  clearTimeout(timer);
}
