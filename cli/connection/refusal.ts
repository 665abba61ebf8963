import { z } from 'zod';
import { bytesOf } from './body-bytes';
import { oneLine, shortened } from '../output/harmless-text';
import { RefusedFailure } from '../failure';

const errorBody = z.object({ error: z.string() });
const LONGEST_REASON = 2_000;
const LONGEST_BODY = 64 * 1024;
/** The format of the service's X-Request-Id; other values are not shown. */
const REQUEST_ID = /^[\w.-]{1,128}$/;

/** The failure that an answer other than 2xx stands for, as a sentence. Reads the body. */
export async function refusalOf(response: Response, url: string): Promise<RefusedFailure> {
  const { status, headers } = response;
  const text = await textOf(response);
  const reason = errorBody.safeParse(jsonIn(text)).data?.error;
  const retryAfterMs = retryAfter(headers.get('retry-after'));
  return new RefusedFailure(sentence(), status, retryAfterMs);

  function sentence(): string {
    if (status === 401) {
      // Only the service knows that a key has ended, and when a session has.
      if (reason !== undefined && /\bexpired\b/.test(reason))
        return `Refused (401): ${shortened(reason, LONGEST_REASON)}`;
      return 'The service requires a key, or does not accept this one: set OSCE_API_KEY to one of its keys (osce keys list, or SERVICE_API_KEY and the other settings of keys).';
    }
    if (status >= 300 && status < 400) {
      const target = oneLine(headers.get('location') ?? 'elsewhere');
      return `${url} redirects to ${target}: set --url or OSCE_URL to the address it redirects to.`;
    }
    if (reason === undefined) {
      return `${url} answered ${status}, but not as Agent OSCE does: is --url (OSCE_URL) its base address?`;
    }
    const said = shortened(reason, LONGEST_REASON);
    return status >= 500
      ? `The service failed (${status}): ${said}${requestNamed(headers)}`
      : `Refused (${status}): ${said}`;
  }
}

/** The request id, with which the operator finds the request in the service's log. */
function requestNamed(headers: Headers): string {
  const id = headers.get('x-request-id') ?? '';
  return REQUEST_ID.test(id) ? ` (request ${id})` : '';
}

async function textOf(response: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of bytesOf(response)) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > LONGEST_BODY) break;
  }
  return text;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function retryAfter(value: string | null): number | null {
  if (value === null) return null;
  if (/^\d{1,6}$/.test(value.trim())) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
