import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { childEnvironment } from '../../config/child-environment';
import type { Log } from '../../config/log';
import { ProviderError } from '../errors';
import type { BrowserProgram } from './browser-program';
import type { BrowserSearch } from './installation';
import { Slots } from './slots';

/** Each open page is a process of some 60 to 100 MB; those beyond wait for one to end. */
const MAX_CONTEXTS = 16;
const LAUNCH_WITHIN_MS = 30_000;
const CLOSE_WITHIN_MS = 5_000;
/** A browser that nobody has used for so long is ended; the next agent starts another in a third of a second. */
const IDLE_MS = 60_000;

const ARGS = [
  // A page that gathers more ends its own process, not the machine's memory.
  '--js-flags=--max-old-space-size=512',
  '--disable-background-networking',
  '--mute-audio',
];

interface Running {
  readonly browser: Browser;
  /** Of the browser itself, to end it when it does not listen; null when it did not tell. */
  readonly pid: number | null;
}

export interface OpenContext {
  readonly context: BrowserContext;
  /** Closes it and lets the next one in. Idempotent, bounded in time, never throws. */
  close(): Promise<void>;
}

/** The one browser of this process: started for the first page, started again when it has died, ended with the service. */
export class BrowserProcess {
  private readonly slots = new Slots(MAX_CONTEXTS);
  private launching: Promise<Running> | null = null;
  private readonly shutdown = new AbortController();
  private idleTimer: NodeJS.Timeout | undefined;
  private open = 0;

  constructor(
    private readonly search: () => BrowserSearch,
    private readonly log: Log,
  ) {}

  /**
   * A context of one's own: cookies, storage and cache are shared with nobody.
   * @throws ProviderError canceled; `transport_unsupported` when there is no browser; `internal` when it does not start
   */
  async openContext(options: BrowserContextOptions, signal: AbortSignal): Promise<OpenContext> {
    const release = await this.slots.take(signal);
    this.open += 1;
    clearTimeout(this.idleTimer);
    const leave = (): void => {
      release();
      this.open -= 1;
      if (this.open === 0) this.endWhenIdle();
    };
    try {
      const context = await this.newContext(options);
      let closing: Promise<void> | undefined;
      return { context, close: () => (closing ??= settledWithin(context.close(), CLOSE_WITHIN_MS).finally(leave)) };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Ends the browser and every page in it. Idempotent; never throws. */
  async close(): Promise<void> {
    this.shutdown.abort();
    await this.end();
  }

  private async newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    const { browser } = await this.running();
    try {
      return await browser.newContext(options);
    } catch (error) {
      if (browser.isConnected()) throw error;
      // It died between two pages; the next one gets a new browser.
      return (await this.running()).browser.newContext(options);
    }
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
    const search = this.search();
    if (search.found === null) throw new ProviderError('transport_unsupported', search.reason);
    const { name } = search.found;
    try {
      const program = await search.found.prepare(this.shutdown.signal);
      const browser = await this.start(program);
      browser.once('disconnected', () => this.forget(browser));
      if (this.shutdown.signal.aborted) {
        await browser.close();
        throw ProviderError.canceled();
      }
      return { browser, pid: await pidOf(browser) };
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

  /** With the sandbox where it can be had: root has none, and many containers forbid it. */
  private async start({ path, args, environment }: BrowserProgram): Promise<Browser> {
    // Loaded with the first browser agent: it takes a fifth of a second, and most services never need it.
    const { chromium } = await import('playwright-core');
    const launch = (chromiumSandbox: boolean): Promise<Browser> =>
      chromium.launch({
        executablePath: path,
        args: [...ARGS, ...args],
        env: { ...childEnvironment(), ...environment },
        chromiumSandbox,
        timeout: LAUNCH_WITHIN_MS,
        // The service stops in its own order; the browser ends by itself when the pipe to it breaks.
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
      });
    if (process.getuid?.() === 0 || args.includes('--no-zygote')) return launch(false);
    return launch(true).catch((error: unknown) => {
      this.log.warn('The browser does not start with its sandbox here; it is started without', { error });
      return launch(false);
    });
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

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

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
