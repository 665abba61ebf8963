import type { ServerResponse } from 'node:http';
import { Database } from '../../src/platform/database/database';
import { createLog } from '../../src/platform/config/log';
import { startForgingIssuer, type Forgery, type ForgingIssuer } from '../fakes/forging-issuer';
import { CookieBrowser } from '../setup/cookie-browser';
import { eventually } from '../setup/eventually';
import { CLIENT, PUBLIC_URL, signInVariables } from '../setup/identity-provider';
import { startTestService, type TestService } from '../setup/service';

let issuer: ForgingIssuer;
let service: TestService;
const lines: string[] = [];
beforeAll(async () => {
  issuer = await startForgingIssuer(CLIENT.id);
  const log = createLog('debug', { write: (line) => lines.push(line) });
  service = await startTestService({ ...signInVariables(issuer), LOG_LEVEL: 'debug' }, { log });
});
afterAll(async () => {
  await service.close();
  await issuer.close();
});

const atPage = (url: URL) => url.origin === PUBLIC_URL && url.pathname === '/';
const HOUR = 3_600;
const now = () => Math.floor(Date.now() / 1_000);

async function signedInWith(
  forgery: Forgery,
): Promise<{ readonly browser: CookieBrowser; readonly status: number; readonly body: string }> {
  issuer.forge(forgery);
  const browser = new CookieBrowser(service.url);
  const { status, body } = await browser.visit('/auth/sign-in', atPage);
  return { browser, status, body };
}

it('a right token of this issuer signs in', async () => {
  const { browser, status } = await signedInWith({});
  expect(status).toBe(302);
  expect((await browser.ask('GET', '/api/v1/me')).body).toMatchObject({ name: 'mallory', role: 'admin' });
});

it.each<readonly [string, () => Forgery]>([
  ['of another audience', () => ({ claims: { aud: 'another-client' } })],
  ['of several audiences, for another of them', () => ({ claims: { aud: [CLIENT.id, 'another'], azp: 'another' } })],
  ['that has expired', () => ({ claims: { iat: now() - 2 * HOUR, exp: now() - HOUR } })],
  ['that never expires', () => ({ without: ['exp'] })],
  ['that holds only later', () => ({ claims: { nbf: now() + HOUR } })],
  ['of another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
  ['with another nonce', () => ({ claims: { nonce: 'another' } })],
  ['without a nonce', () => ({ without: ['nonce'] })],
  ['without a subject', () => ({ without: ['sub'] })],
  ['that is not signed', () => ({ header: { alg: 'none' }, unsigned: true })],
  ['that says it is not signed, in capitals', () => ({ header: { alg: 'NONE' }, unsigned: true })],
  ['that claims to be signed with the client’s secret', () => ({ header: { alg: 'HS256' } })],
  ['that is signed with another key', () => ({ byAnother: true })],
  ['that names a key the issuer does not have', () => ({ header: { kid: 'key-2' } })],
  ['that was changed after it was signed', () => ({ changed: true })],
  ['whose signature was cut off', () => ({ unsigned: true })],
  ['with a critical header that is not known', () => ({ header: { crit: ['b64'], b64: false } })],
])('a token %s does not', async (_what, forgery) => {
  const { browser, status, body } = await signedInWith(forgery());
  expect({ status, body }).toMatchObject({ status: 400, body: expect.stringContaining('is not accepted') });
  expect(browser.cookie('osce_session')).toBeUndefined();
  expect((await browser.ask('GET', '/api/v1/me')).status).toBe(401);
});

it('an issuer that answers nonsense, too much, an error or a redirect is said so, and what it sent is logged nowhere', async () => {
  issuer.forge({});
  const wanted = 'a-token-that-was-leaked';
  for (const [how, status] of [
    [(text: string) => ({ code: 200, type: 'application/json', text: `{"id_token":"${text}` }), 400],
    [(text: string) => ({ code: 200, type: 'text/html', text }), 400],
    [(text: string) => ({ code: 500, type: 'text/plain', text }), 503],
    [(text: string) => ({ code: 200, type: 'application/json', text: text.padEnd(2 * 1024 * 1024, 'x') }), 503],
    [(text: string) => ({ code: 302, type: 'text/plain', text }), 400],
  ] as const) {
    const { code, type, text } = how(wanted);
    issuer.answer('/token', (response) => {
      response
        .writeHead(code, { 'content-type': type, ...(code === 302 && { location: 'http://127.0.0.1:9/' }) })
        .end(text);
    });
    const answer = await new CookieBrowser(service.url).visit('/auth/sign-in', atPage);
    expect({ code, status: answer.status }).toEqual({ code, status });
    expect(answer.body).not.toContain(wanted);
  }
  issuer.answer('/token', null);
  expect(lines.some((line) => line.includes('A person was not signed in'))).toBe(true);
  expect(lines.join('')).not.toContain(wanted);
});

it('an issuer whose answer breaks off is away, and has refused nothing', async () => {
  issuer.answer('/token', (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"access_token":');
    setImmediate(() => response.destroy());
  });
  const { status, body } = await new CookieBrowser(service.url).visit('/auth/sign-in', atPage);
  issuer.answer('/token', null);
  expect({ status, body }).toMatchObject({ status: 503, body: expect.stringContaining('cannot be reached now') });
});

it('however many people sign in at a time, the issuer is asked once what it is', async () => {
  const path = '/.well-known/openid-configuration';
  const waiting: ServerResponse[] = [];
  issuer.answer(path, (response) => waiting.push(response));
  const another = await startTestService(signInVariables(issuer));
  const asked = Array.from({ length: 5 }, () => new CookieBrowser(another.url).send('GET', '/auth/sign-in'));
  await eventually(() => expect(waiting).not.toHaveLength(0));
  // They were sent before it, and have come by the time that it is answered.
  for (let round = 0; round < 10; round += 1) await new CookieBrowser(another.url).send('GET', '/health/live');
  const together = waiting.length;
  issuer.answer(path, null);
  for (const response of waiting) response.writeHead(503).end();
  for (const { status } of await Promise.all(asked)) expect(status).toBe(302);
  expect(together).toBe(1);
  await another.close();
});

it('no token, code or secret is logged of a sign-in that succeeds', async () => {
  const { browser } = await signedInWith({});
  const [stored] = await service.app.get(Database).query<{ id_token: string }>('SELECT id_token FROM sessions');
  for (const secret of [stored?.id_token ?? '', browser.cookie('osce_session') ?? '', 'a-code', CLIENT.secret]) {
    expect(secret).not.toBe('');
    expect(lines.join('')).not.toContain(secret);
  }
});
