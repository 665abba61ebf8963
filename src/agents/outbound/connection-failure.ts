import { ProxyFailure } from '../../platform/egress';
import { TargetRefusal } from '../../platform/targets';
import { ProviderError } from '../errors';

/** Codes of Node, OpenSSL and undici for a connection that could not be made or did not last; each is worth another try. */
const RETRYABLE = new Map([
  ['ECONNREFUSED', 'nothing accepts connections there'],
  ['ECONNRESET', 'the connection was reset'],
  ['EPIPE', 'the connection was closed'],
  ['ECONNABORTED', 'the connection was closed'],
  ['ENOTFOUND', 'its host name is not known'],
  ['EAI_AGAIN', 'its host name could not be looked up'],
  ['EHOSTUNREACH', 'its host cannot be reached'],
  ['ENETUNREACH', 'its network cannot be reached'],
  ['ENETDOWN', 'the network is down'],
  ['EADDRNOTAVAIL', 'no local port is free'],
  ['EMFILE', 'this process has too many open files'],
  ['ETIMEDOUT', 'the connection timed out'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection could be made in time'],
  ['UND_ERR_SOCKET', 'the connection was closed'],
]);

/** Names of what the language itself throws, which has no code, unlike what Node, OpenSSL and undici report: no server causes it. */
const OWN_FAULTS = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'unknown']);

/**
 * Classifies what undici reports when there is no whole response. A failure before the response began is
 * `connect_failed`, one in the middle of it `provider_error`. What no later try can fix (a certificate that is not
 * trusted, an answer that is not HTTP) is terminal.
 */
export function connectionFailure(error: unknown, responseBegan: boolean): ProviderError {
  if (error instanceof TargetRefusal) return forbiddenTarget(error);
  if (error instanceof ProxyFailure) return proxyFailed(error);
  const code = codeOf(error);
  const reason = RETRYABLE.get(code);
  if (reason !== undefined && responseBegan) {
    return ProviderError.retryable(
      'provider_error',
      `The agent's server broke off in the middle of its answer (${code}).`,
      null,
      error,
    );
  }
  if (reason !== undefined) {
    return ProviderError.retryable(
      'connect_failed',
      `The agent's server cannot be reached: ${reason} (${code}).`,
      null,
      error,
    );
  }
  // Only a client that is being closed ends its own connections.
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return ProviderError.canceled();
  if (isTlsFailure(code)) {
    return new ProviderError(
      'connect_failed',
      `No secure connection to the agent's server: check its certificate and that the address is meant to be https (${code}).`,
      { kind: 'terminal' },
      { cause: error },
    );
  }
  if (code.startsWith('UND_ERR_INVALID_ARG')) {
    return new ProviderError(
      'config_invalid',
      "The address or a header in the agent's config holds characters that HTTP does not allow.",
      { kind: 'terminal' },
      { cause: error },
    );
  }
  if (OWN_FAULTS.has(code)) {
    return new ProviderError(
      'internal',
      `The connection to the agent's server failed through a fault of the service itself (${code}).`,
      { kind: 'terminal' },
      { cause: error },
    );
  }
  return new ProviderError(
    'provider_error',
    `The agent's server gave an answer that is not valid HTTP (${code}).`,
    { kind: 'terminal' },
    { cause: error },
  );
}

/** A target that the deployment forbids: nothing was sent there, and no later try will be. */
export function forbiddenTarget(refusal: TargetRefusal): ProviderError {
  return new ProviderError('config_invalid', refusal.message, { kind: 'terminal' }, { cause: refusal });
}

/** A forward proxy of the deployment stands in the way: nothing reached the agent. */
export function proxyFailed(failure: ProxyFailure): ProviderError {
  if (failure.isPassing) return ProviderError.retryable('connect_failed', failure.message, null, failure);
  return new ProviderError('connect_failed', failure.message, { kind: 'terminal' }, { cause: failure });
}

/** The code of an error of a connection, or its name. Read by shape: errors of Node's own come from outside a sandbox that runs this code (Jest), so instanceof fails there. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // With several addresses behind a name the failures are collected; the first one speaks for all.
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return codeOf(error.errors[0]);
  return 'name' in error && typeof error.name === 'string' ? error.name : 'unknown';
}

/** https://docs.openssl.org/master/man3/X509_STORE_CTX_get_error/ and Node's ERR_TLS_ and ERR_SSL_ families. */
function isTlsFailure(code: string): boolean {
  return (
    /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/.test(code) ||
    code === 'EPROTO' ||
    code === 'HOSTNAME_MISMATCH'
  );
}
