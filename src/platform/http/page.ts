import type { Response } from 'express';
import type { Page } from '../../../contract/page';

/**
 * Says in headers how many items there are and where the next page is, so that no client takes one page for everything.
 * @param shown how many this page holds
 */
export function setPageHeaders(response: Response, { limit, offset }: Page, shown: number, total: number): void {
  response.setHeader('X-Total-Count', String(total));
  const next = offset + shown;
  if (shown === 0 || next >= total) return;
  const { pathname, searchParams } = new URL(response.req.originalUrl, 'http://service.invalid');
  searchParams.set('limit', String(limit));
  searchParams.set('offset', String(next));
  response.setHeader('Link', `<${pathname}?${searchParams.toString()}>; rel="next"`);
}

/**
 * How many items there are on all pages, counted only when the page itself does not show it.
 * @param shown how many the page holds
 */
export async function totalOf({ limit, offset }: Page, shown: number, count: () => Promise<number>): Promise<number> {
  const isLast = shown < limit && (shown > 0 || offset === 0);
  return isLast ? offset + shown : count();
}
