import { ProviderError } from '../errors';

/** Chromium's codes for a failed connection that a later try may get past. */
const PASSING = new Map([
  ['ERR_CONNECTION_REFUSED', 'nothing accepts connections there'],
  ['ERR_CONNECTION_RESET', 'the connection was reset'],
  ['ERR_CONNECTION_CLOSED', 'the connection was closed'],
  ['ERR_CONNECTION_ABORTED', 'the connection was closed'],
  ['ERR_CONNECTION_FAILED', 'no connection could be made'],
  ['ERR_CONNECTION_TIMED_OUT', 'the connection timed out'],
  ['ERR_EMPTY_RESPONSE', 'it closed the connection without an answer'],
  ['ERR_NAME_NOT_RESOLVED', 'its host name is not known'],
  ['ERR_NAME_RESOLUTION_FAILED', 'its host name could not be looked up'],
  ['ERR_ADDRESS_UNREACHABLE', 'its host cannot be reached'],
  ['ERR_INTERNET_DISCONNECTED', 'the network is down'],
  ['ERR_NETWORK_CHANGED', 'the network changed'],
  ['ERR_TIMED_OUT', 'the connection timed out'],
  ['ERR_CONTENT_LENGTH_MISMATCH', 'it broke off in the middle of the page'],
  ['ERR_INCOMPLETE_CHUNKED_ENCODING', 'it broke off in the middle of the page'],
]);

/** The browser or its page is gone: no further call is possible. */
export function pageEnded(): ProviderError {
  return new ProviderError('provider_error', "The browser ended while the agent's page was open; start the run again.");
}

export function pageCrashed(): ProviderError {
  return new ProviderError(
    'provider_error',
    "The agent's page crashed its browser tab, most likely by using too much memory.",
  );
}

/** @param code Chromium's code for a failed connection that a later try may get past */
export function unreachable(code: string, cause: unknown): ProviderError {
  const reason = PASSING.get(code) ?? 'no connection could be made';
  return ProviderError.retryable('connect_failed', `The page cannot be opened: ${reason} (${code}).`, null, cause);
}

/**
 * Classifies a navigation that ended without a response. The browser's library reports it only in words; the code in them
 * is Chromium's own and stable. A download has no code: its words are the library's, and a test holds them.
 */
export function navigationFailure(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const said = messageOf(error);
  const code = /\bnet::(ERR_\w+)/.exec(said)?.[1] ?? '';
  if (PASSING.has(code)) return unreachable(code, error);
  if (isTimeout(error))
    return new ProviderError('provider_timeout', 'The page did not load in time.', undefined, { cause: error });
  if (/^ERR_(CERT|SSL)_/.test(code)) {
    return terminal(`The page cannot be opened securely: check its certificate (${code}).`, error);
  }
  // A download ends the navigation in one of two ways, whichever the browser reports first.
  if (code === 'ERR_ABORTED' || said.includes('Download is starting')) return noPage();
  if (code === 'ERR_TOO_MANY_REDIRECTS') return terminal('The page cannot be opened: it redirects in a circle.', error);
  return terminal(`The page cannot be opened${code === '' ? '' : ` (${code})`}.`, error);
}

/** The address answers, but with nothing that a browser displays. */
function noPage(): ProviderError {
  return new ProviderError('connect_failed', 'The address is not a page: it starts a download or answers nothing.');
}

/** Classifies the status of the page itself; null when it is a page to talk to. */
export function refusedPage(status: number, isChallenged: boolean): ProviderError | null {
  if (status < 400) return null;
  const said = `The page answered with status ${status}`;
  if (isChallenged)
    return new ProviderError('auth_failed', `${said} and a check for robots, which the harness does not solve.`);
  if (status === 401 || status === 403 || status === 407) {
    return new ProviderError(
      'auth_failed',
      `${said}: it requires a login. Set storage_state or headers in the agent's config.`,
    );
  }
  if (status === 404 || status === 410)
    return new ProviderError('not_found', `${said}: check url in the agent's config.`);
  if (status === 429) return ProviderError.retryable('rate_limited', `${said}: it is being requested too often.`);
  if (status >= 500 || status === 408 || status === 425) return ProviderError.retryable('provider_error', `${said}.`);
  return new ProviderError('provider_error', `${said}.`);
}

export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function terminal(message: string, cause: unknown): ProviderError {
  return new ProviderError('connect_failed', message, { kind: 'terminal' }, { cause });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
