import type { Page, Request, Response } from 'playwright-core';
import { ProviderError } from '../errors';

/** Requests by which a page talks to its server; pictures and styles say nothing about the agent. */
const TALK = new Set(['fetch', 'xhr', 'eventsource', 'document']);

/** Watches how the page's server answers during a turn: that may explain why no reply is shown. */
export class RequestWatch {
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
