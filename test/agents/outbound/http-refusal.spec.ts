import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorCode } from '../../../src/domain';
import {
  errorAnswered,
  jsonOf,
  jsonOrNull,
  pageAnswered,
  printable,
  quoted,
  refusal,
  unexpectedAnswer,
} from '../../../src/agents/outbound/http-refusal';
import { Secrets } from '../../../src/agents/secrets/secrets';

const KEY = 'sk-canary-0123456789';
const secrets = Secrets.of({ api_key: KEY });
const NOW = Date.parse('2026-11-29T12:00:00Z');

function refused(status: number, headers: IncomingHttpHeaders = {}, text = '', finding: Finding = null) {
  return refusal({ status, headers, text }, finding, secrets, NOW);
}
type Finding = ErrorCode | 'at_capacity' | null;

describe('A refusal', () => {
  it.each<[number, ErrorCode, boolean]>([
    [400, 'provider_error', false],
    [401, 'auth_failed', false],
    [402, 'rate_limited', false],
    [403, 'auth_failed', false],
    [404, 'not_found', false],
    [408, 'provider_error', true],
    [409, 'provider_error', false],
    [425, 'provider_error', true],
    [429, 'rate_limited', true],
    [499, 'provider_error', false],
    [500, 'provider_error', true],
    [503, 'provider_error', true],
    [199, 'provider_error', false],
  ])('with %i is %s, and worth another try or not: %s', (status, code, isRetried) => {
    const error = refused(status);
    expect(error.code).toBe(code);
    expect(error.disposition.kind).toBe(isRetried ? 'retryable' : 'terminal');
    expect(error.message).toContain(`(HTTP ${status}).`);
  });

  it('says what to do about it, and what the server said', () => {
    expect(refused(401, {}, `bad key ${KEY}`).message).toBe(
      "The agent's server refused the credential; check it in the agent's config (HTTP 401). It said: bad key [removed]",
    );
    expect(refused(404).message).toContain('does not know this address or agent; check both in the agent');
    expect(refused(402).message).toContain('says that its rate limit or quota is used up (HTTP 402).');
    expect(refused(400).message).toBe("The agent's server refused the request (HTTP 400).");
  });

  it.each<[IncomingHttpHeaders, number | null]>([
    [{}, null],
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after-ms': '7.5' }, 7.5],
    [{ 'retry-after': 'Sun, 29 Nov 2026 12:00:05 GMT' }, 5_000],
    [{ 'retry-after': 'Sun, 29 Nov 2026 11:00:00 GMT' }, 0],
  ])('is waited for as long as it asks: %j', (headers, retryAfterMs) => {
    expect(refused(429, headers).disposition).toEqual({ kind: 'retryable', retryAfterMs });
    expect(refused(400, headers, '', 'at_capacity').disposition).toEqual({ kind: 'retryable', retryAfterMs });
    expect(refused(400, headers).disposition).toEqual({ kind: 'terminal' });
  });

  it('is what its body says rather than its status', () => {
    const found = (finding: Finding) => refused(429, { 'retry-after': '7' }, 'No.', finding);
    expect(found('rate_limited')).toMatchObject({ code: 'rate_limited', disposition: { kind: 'terminal' } });
    expect(found('not_found').message).toMatch(/does not know this address .* \(HTTP 429\)\. It said: No\.$/);
    expect(found('internal').message).toBe("The agent's server refused the request (HTTP 429). It said: No.");
    expect(found('at_capacity')).toMatchObject({ code: 'rate_limited', disposition: { kind: 'retryable' } });
    expect(found('at_capacity').message).toContain('is at capacity: wait, lower concurrency_limit of the run');
  });

  it.each<[string | undefined, string]>([
    ['https://b.example/x?key=secret', 'redirects to https://b.example; redirects are not followed'],
    ['/login', 'redirects to another path of the same server; '],
    [undefined, 'redirects to an address it does not name; '],
  ])('that redirects to %s names no more than the server', (location, sentence) => {
    for (const status of [300, 302, 399]) {
      const error = refused(status, { location });
      expect(error.message).toContain(`answered HTTP ${status} and ${sentence}`);
      expect(error).toMatchObject({ code: 'provider_error', disposition: { kind: 'terminal' } });
    }
  });
});

describe('An answer that is none', () => {
  const answer = (text: string, type?: string) => ({ status: 200, headers: { 'content-type': type }, text });

  it('is no JSON', () => {
    expect(jsonOf(answer('{"a":1}'), secrets)).toEqual({ a: 1 });
    expect(() => jsonOf(answer(`{"a": ${KEY}`), secrets)).toThrow(
      'answered HTTP 200 with something that is not JSON. It said: {"a": [removed]',
    );
    expect(jsonOrNull(answer('{"a":1}'))).toEqual({ a: 1 });
    expect(jsonOrNull(answer('{'))).toBeNull();
  });

  it.each([
    ['<html><title>Gate</title>', undefined, 'provider_error', 'with a web page ("Gate"), which is not'],
    ['Words.', 'text/html', 'provider_error', 'with a web page, which is not'],
    ['<html><input type="password">', 'text/html', 'auth_failed', 'with a login page, which is not'],
  ])('is a page: %s', (text, type, code, sentence) => {
    const read = () => jsonOf(answer(text, type), secrets);
    expect(read).toThrow(expect.objectContaining({ code, message: expect.stringContaining(sentence) }));
  });

  it('is a page, with advice where it is no login', () => {
    const { message } = pageAnswered(answer('<html>'), secrets, 'Advice.');
    expect(message).toContain(
      "check the address in the agent's config, and what stands between it and the agent. Advice.",
    );
    const login = pageAnswered(answer('<html><input type=password>'), secrets, 'Advice.');
    expect(login.message).toContain("check the address and the credential in the agent's config. It said");
    const long = pageAnswered(answer(`<html><title>${KEY} ${'x'.repeat(200)}</title>`), secrets);
    expect(long.message).toContain(`("[removed] ${'x'.repeat(90)}")`);
    const cut = pageAnswered(answer(`<html><title>${'x'.repeat(99)} y</title>`), secrets);
    expect(cut.message).toContain(`("${'x'.repeat(99)}")`);
  });

  it('is of another shape, or an error', () => {
    expect(unexpectedAnswer(answer(`{"a":"${KEY}"}`), secrets)).toMatchObject({
      code: 'provider_error',
      message: expect.stringMatching(
        /^The agent's server answered HTTP 200 in a shape .* It said: \{"a":"\[removed\]"\}$/,
      ),
    });
    expect(errorAnswered(answer('{"error":1}'), secrets).message).toBe(
      'The agent\'s server answered HTTP 200 with an error. It said: {"error":1}',
    );
  });
});

it('What a server said is quoted on one line, and no more than its beginning', () => {
  expect(quoted('', secrets)).toBe('');
  expect(quoted(' \n ', secrets)).toBe('');
  expect(quoted('a\r\n\tb  c', secrets)).toBe(' It said: a b c');
  expect(quoted('a'.repeat(600), secrets)).toBe(` It said: ${'a'.repeat(500)}`);
  expect(quoted(`${' '.repeat(10_001)}a`, secrets)).toBe('');
  expect(printable('a\u0007\u202eb\ud800\u00a0c')).toBe('a\ufffd\ufffdb\ufffd c');
});
