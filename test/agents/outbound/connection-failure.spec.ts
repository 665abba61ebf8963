import { connectionFailure } from '../../../src/agents/outbound/connection-failure';
import { refusal } from '../../../src/platform/targets/target-refusal';

const failed = (code: string) => Object.assign(new Error('It failed.'), { code });

describe('a connection that failed', () => {
  it.each([
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
    ...['ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_SOCKET'],
  ])('is worth another try, and says what it was: %s', (code) => {
    const error = failed(code);
    const retryable = { disposition: { kind: 'retryable', retryAfterMs: null }, cause: error };
    const message = expect.stringContaining(`(${code})`);
    expect(connectionFailure(error, false)).toMatchObject({ code: 'connect_failed', message, ...retryable });
    expect(connectionFailure(error, true)).toMatchObject({ code: 'provider_error', message, ...retryable });
  });

  it.each<[string, unknown, string, RegExp]>([
    ['a certificate', failed('CERT_HAS_EXPIRED'), 'connect_failed', /certificate.*CERT_HAS_EXPIRED/],
    ['another certificate', failed('DEPTH_ZERO_SELF_SIGNED_CERT'), 'connect_failed', /certificate/],
    ['a chain', failed('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'connect_failed', /certificate/],
    ['a host name', failed('ERR_TLS_CERT_ALTNAME_INVALID'), 'connect_failed', /certificate/],
    ['its name alone', failed('HOSTNAME_MISMATCH'), 'connect_failed', /certificate/],
    ['no TLS there', failed('EPROTO'), 'connect_failed', /https/],
    ['a header', failed('UND_ERR_INVALID_ARG'), 'config_invalid', /header/],
    ['no HTTP', failed('HPE_INVALID_CONSTANT'), 'provider_error', /not valid HTTP \(HPE_INVALID_CONSTANT\)/],
    ['a certificate in the middle of a word', failed('BAD_CERT_X'), 'provider_error', /not valid HTTP/],
    ['a forbidden target', refusal('not_public', 'host', 80), 'config_invalid', /TARGETS/],
    ['something by its name', { name: 'HTTPParserError' }, 'provider_error', /not valid HTTP \(HTTPParserError\)/],
    ['a fault of our own', new TypeError('x'), 'internal', /fault of the service itself \(TypeError\)/],
    ['something whose name is none', { name: 7 }, 'internal', /\(unknown\)/],
    ['something whose code is none', { code: 7, name: 'Odd' }, 'provider_error', /\(Odd\)/],
    ['something else', 'x', 'internal', /\(unknown\)/],
    ['nothing', null, 'internal', /\(unknown\)/],
  ])('is for good: %s', (_what, error, code, message) => {
    expect(connectionFailure(error, false)).toMatchObject({
      code,
      message: expect.stringMatching(message),
      disposition: { kind: 'terminal' },
      cause: error,
    });
  });

  it.each(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'])('is a cancellation when its client is closed: %s', (code) => {
    expect(connectionFailure(failed(code), false).disposition).toEqual({ kind: 'canceled' });
  });

  it('to several addresses is that to the first of them', () => {
    const errors = [failed('ECONNREFUSED'), failed('CERT_HAS_EXPIRED')];
    expect(connectionFailure({ name: 'AggregateError', errors }, false)).toMatchObject({ code: 'connect_failed' });
    expect(connectionFailure({ name: 'AggregateError', errors: [] }, false).message).toContain('(AggregateError)');
  });
});
