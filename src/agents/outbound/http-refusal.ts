import type { ErrorCode } from '../../domain';
import { ProviderError } from '../errors';
import type { HttpResponse } from './agent-http-call';
import { parseJson, TooManyValues } from '../agent-json';
import { retryAfterMs } from '../../platform/outbound';
import type { Secrets } from '../secrets/secrets';
import { asksForPassword, beginsAsPage, isPageType, titleOf } from './web-page';

/** How much of a body a message quotes; enough to recognise the vendor's own message. */
const QUOTED_CHARACTERS = 500;
/** How much of a body is read for that: each run of white space becomes one space. */
const LOOKED_AT_CHARACTERS = 10_000;

/**
 * The error for a response other than 2xx.
 * @param finding what the provider kind read from the body; null when the status decides
 */
export function refusal(
  response: HttpResponse,
  finding: ErrorCode | 'at_capacity' | null,
  secrets: Secrets,
  wallTime: number,
): ProviderError {
  const { status, headers } = response;
  const said = quoted(response.text, secrets);
  if (finding === 'at_capacity') {
    const message = `${AT_CAPACITY} (HTTP ${status}).${said}`;
    return ProviderError.retryable('rate_limited', message, retryAfterMs(headers, wallTime));
  }
  if (finding !== null) return new ProviderError(finding, `${SENTENCES[finding] ?? REFUSED} (HTTP ${status}).${said}`);
  if (status >= 300 && status < 400) {
    return new ProviderError(
      'provider_error',
      `The agent's server answered HTTP ${status} and redirects to ${redirectTarget(response)}; ` +
        "redirects are not followed: put the final address into the agent's config.",
    );
  }
  const code = codeOf(status);
  const message = `${SENTENCES[code] ?? REFUSED} (HTTP ${status}).${said}`;
  return isRetried(status)
    ? ProviderError.retryable(code, message, retryAfterMs(headers, wallTime))
    : new ProviderError(code, message);
}

/** @throws ProviderError `provider_error` when the body is not JSON: HTML of an edge server or a login page, or truncated */
export function jsonOf(response: HttpResponse, secrets: Secrets): unknown {
  try {
    return parseJson(response.text);
  } catch (error) {
    if (beginsAsPage(response.text) || isPageType(response.headers)) throw pageAnswered(response, secrets);
    // The parser's own message quotes the body, so it is not kept as the cause.
    const what = error instanceof TooManyValues ? error.message : 'something that is not JSON';
    throw new ProviderError(
      'provider_error',
      `The agent's server answered HTTP ${response.status} with ${what}.${quoted(response.text, secrets)}`,
    );
  }
}

/** The JSON of a refusal; null when its body is something else. */
export function jsonOrNull(response: HttpResponse): unknown {
  try {
    return parseJson(response.text);
  } catch {
    return null;
  }
}

/** An answer that is JSON but not of the shape that its kind of server returns. */
export function unexpectedAnswer(response: HttpResponse, secrets: Secrets): ProviderError {
  return new ProviderError(
    'provider_error',
    `The agent's server answered HTTP ${response.status} in a shape that this kind of agent does not use.${quoted(response.text, secrets)}`,
  );
}

/** An answer that is nothing but an error, although its status is one of success. */
export function errorAnswered(response: HttpResponse, secrets: Secrets): ProviderError {
  return new ProviderError(
    'provider_error',
    `The agent's server answered HTTP ${response.status} with an error.${quoted(response.text, secrets)}`,
  );
}

/**
 * A web page in place of an answer: of a gateway, a portal or a login before the agent.
 * @param advice a sentence on what else it may be
 */
export function pageAnswered({ status, text }: HttpResponse, secrets: Secrets, advice = ''): ProviderError {
  return pageError(`The agent's server answered HTTP ${status} with`, text, secrets, advice);
}

/** @param beginning of the sentence, up to what the page is called */
export function pageError(beginning: string, page: string, secrets: Secrets, advice: string): ProviderError {
  const isLogin = asksForPassword(page);
  const title = printable(secrets.remove(titleOf(page)))
    .slice(0, LONGEST_TITLE)
    .trim();
  const named = `${isLogin ? 'a login page' : 'a web page'}${title === '' ? '' : ` ("${title}")`}`;
  const what = isLogin ? "check the address and the credential in the agent's config" : CHECK_ADDRESS;
  const more = isLogin || advice === '' ? '' : ` ${advice}`;
  return new ProviderError(
    isLogin ? 'auth_failed' : 'provider_error',
    `${beginning} ${named}, which is not the agent's reply: ${what}.${more}${quoted(page, secrets)}`,
  );
}

const CHECK_ADDRESS = "check the address in the agent's config, and what stands between it and the agent";
const LONGEST_TITLE = 100;

const REFUSED = "The agent's server refused the request";
const AT_CAPACITY =
  "The agent's server is at capacity: wait, lower concurrency_limit of the run, or let more of its instances run";

const SENTENCES: Partial<Record<ErrorCode, string>> = {
  auth_failed: "The agent's server refused the credential; check it in the agent's config",
  not_found: "The agent's server does not know this address or agent; check both in the agent's config",
  rate_limited: "The agent's server says that its rate limit or quota is used up",
};

function codeOf(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'auth_failed';
  if (status === 404) return 'not_found';
  if (status === 402 || status === 429) return 'rate_limited';
  return 'provider_error';
}

function isRetried(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

export function quoted(text: string, secrets: Secrets): string {
  const clean = printable(secrets.remove(text).slice(0, LOOKED_AT_CHARACTERS)).slice(0, QUOTED_CHARACTERS).trim();
  return clean === '' ? '' : ` It said: ${clean}`;
}

/** On one line, and harmless: control and formatting characters could move a terminal's cursor or reverse a line; white space becomes one space. */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd');
}

function redirectTarget({ headers }: HttpResponse): string {
  if (headers.location === undefined) return 'an address it does not name';
  // A relative location stays on the same server.
  return URL.canParse(headers.location) ? new URL(headers.location).origin : 'another path of the same server';
}
