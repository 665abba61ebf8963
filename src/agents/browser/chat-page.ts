import type { BrowserContextOptions, Page, Response } from 'playwright-core';
import type { BrowserConfig } from '../config';
import { ProviderError } from '../errors';
import type { OpenContext } from './browser-process';
import { CallLimits } from './call-limits';
import { navigationFailure, pageCrashed, pageEnded, refusedPage } from './page-failure';
import type { PageTraffic } from './page-traffic';

/** A laptop-sized viewport; it is the size of screenshots. */
const VIEWPORT = { width: 1280, height: 900 };
/** After a call failed, the news that the page is gone may still be on its way. */
const NEWS_MS = 50;
const LOAD_WITHIN_MS = 5_000;

export function contextOptions({ headers, storage_state }: BrowserConfig): BrowserContextOptions {
  const userAgent = headers['user-agent'];
  return {
    viewport: VIEWPORT,
    locale: 'en-US',
    acceptDownloads: false,
    // They outlive the page and answer in the server's place.
    serviceWorkers: 'block',
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(storage_state === undefined ? {} : { storageState: storage_state }),
  };
}

/** The agent's page in a context of its own: it can neither block the harness with dialogs nor outlive its session. */
export class ChatPage {
  private failure: ProviderError | null = null;
  private limits: CallLimits | null = null;

  readonly page: Page;
  readonly traffic: PageTraffic;

  constructor(private readonly opened: OpenContext) {
    const { page, traffic } = opened;
    this.page = page;
    this.traffic = traffic;
    page.on('crash', () => this.fail(pageCrashed()));
    page.on('close', () => this.fail(pageEnded()));
    // Unanswered, they block the page forever. Leaving is allowed, everything else is declined.
    page.on('dialog', (dialog) => {
      const answered = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
      answered.catch(() => undefined);
    });
    // The conversation is in the first page; windows that it opens are ignored.
    opened.context.on('page', (popup) => {
      if (popup !== page) void popup.close().catch(() => undefined);
    });
  }

  /**
   * Runs work on the page within its own limits.
   * @throws ProviderError; canceled when the signal was aborted, which closes the page at once
   */
  async within<T>(
    signal: AbortSignal,
    ms: number,
    late: () => ProviderError,
    work: (limits: CallLimits) => Promise<T>,
  ): Promise<T> {
    const limits = new CallLimits(signal, ms, late);
    const onAbort = (): void => void this.close();
    signal.addEventListener('abort', onAbort, { once: true });
    this.limits = limits;
    if (this.failure !== null) limits.fail(this.failure);
    try {
      return await work(limits);
    } catch (error) {
      throw await this.classified(error, limits);
    } finally {
      limits.release();
      signal.removeEventListener('abort', onAbort);
      this.limits = null;
    }
  }

  /**
   * Opens the address.
   * @throws ProviderError as page-failure classifies it
   */
  async visit(url: URL, timeoutMs: number): Promise<void> {
    let response: Response | null;
    this.traffic.turnOver();
    try {
      response = await this.page.goto(url.href, { waitUntil: 'domcontentloaded', timeout: Math.max(1, timeoutMs) });
    } catch (error) {
      await news();
      throw this.traffic.explain() ?? navigationFailure(error);
    }
    if (response === null) return;
    const challenge = await response.headerValue('cf-mitigated');
    const refused = refusedPage(response.status(), challenge === 'challenge');
    if (refused !== null) throw refused;
    // Wait for frames too, but not for images: one that never loads does not hold up the conversation.
    await this.page
      .waitForLoadState('load', { timeout: Math.min(LOAD_WITHIN_MS, Math.max(1, timeoutMs)) })
      .catch(() => undefined);
  }

  /** Idempotent, bounded in time, never throws. */
  close(): Promise<void> {
    return this.opened.close();
  }

  private fail(error: ProviderError): void {
    this.failure ??= error;
    this.limits?.fail(error);
  }

  private async classified(error: unknown, limits: CallLimits): Promise<ProviderError> {
    if (limits.failure !== null) return limits.failure;
    if (error instanceof ProviderError) return error;
    await news();
    if (limits.failure !== null) return limits.failure;
    if (this.failure !== null || this.page.isClosed()) return this.failure ?? pageEnded();
    return new ProviderError(
      'provider_error',
      "The agent's page could not be used as a chat; the screenshot shows what it looked like.",
      undefined,
      { cause: error },
    );
  }
}

function news(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, NEWS_MS));
}

/**
 * Sends the config's headers to the page's own origin only: a page loads fonts and scripts from everywhere,
 * and may be redirected to a login on another host. (The routes of the browser's library would send them there too.)
 */
export async function addHeaders(page: Page, { url, headers }: BrowserConfig): Promise<void> {
  const { 'user-agent': _userAgent, ...own } = headers;
  if (Object.keys(own).length === 0) return;
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const others = Object.entries(request.headers).filter(([name]) => !Object.hasOwn(own, name.toLowerCase()));
    const all = [...others, ...Object.entries(own)].map(([name, value]) => ({ name, value }));
    session.send('Fetch.continueRequest', { requestId, headers: all }).catch(() => undefined);
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `${url.origin}/*` }] });
}

/** Enough for a page full of images; anything larger is not kept. */
const MAX_BYTES = 1024 * 1024;
const WITHIN_MS = 3_000;

/** What the page shows now, as JPEG, with password fields covered. Null when it cannot be taken: a page may be gone, or stuck. */
export async function takeScreenshot(page: Page): Promise<Uint8Array | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, WITHIN_MS, null);
  });
  try {
    return await Promise.race([take(page), late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

async function take(page: Page): Promise<Uint8Array | null> {
  for (const quality of [60, 20]) {
    const mask = page
      .frames()
      .slice(0, 20)
      .map((frame) => frame.locator('input[type="password"]'));
    const jpeg = await page.screenshot({
      type: 'jpeg',
      quality,
      mask,
      timeout: WITHIN_MS,
      animations: 'disabled',
      scale: 'css',
    });
    if (jpeg.length <= MAX_BYTES) return jpeg;
  }
  return null;
}
