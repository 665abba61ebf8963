import { createServer } from 'node:net';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import type { ErrorCode } from '../../src/domain/failure';
import { ProviderError } from '../../src/agents/errors';
import type { AgentConfig, Reply } from '../../src/agents/provider';
import type { Step } from '../fakes/http-stub';
import {
  cutShort,
  drip,
  gzipped,
  hang,
  hangAfterHeaders,
  html,
  huge,
  LOGIN_PAGE,
  notHttp,
  resetBeforeAnswer,
  resetMidBody,
  status,
  text,
} from '../fakes/misbehaviour';
import { ProviderBench, recallAll, SECRET, unaborted, type ProviderFixture } from './provider.contract';

/** A kind that is spoken to over HTTP: every way an HTTP server can fail, provoked for real. */
export interface HttpProviderFixture extends ProviderFixture {
  /** The body of a successful answer whose reply is this text. */
  success(reply: string): object;
  /** Statuses that mean something else for this kind than for others are tested by its own spec. */
  readonly refusals: readonly Refusal[];
}

export type Refusal = readonly [name: string, step: () => Step, code: ErrorCode, isRetried: boolean];

const COMMON: readonly Refusal[] = [
  ['401', () => status(401), 'auth_failed', false],
  ['403', () => status(403), 'auth_failed', false],
  ['404', () => status(404), 'not_found', false],
  ['402', () => status(402), 'rate_limited', false],
  ['400', () => status(400), 'provider_error', false],
  ['418', () => status(418), 'provider_error', false],
  ['408', () => status(408), 'provider_error', true],
  ['425', () => status(425), 'provider_error', true],
  ['429', () => status(429), 'rate_limited', true],
  ['500', () => status(500), 'provider_error', true],
  ['502 in HTML', () => html(502, 'Bad gateway'), 'provider_error', true],
  ['503', () => status(503), 'provider_error', true],
  ['599', () => status(599), 'provider_error', true],
  ['401 in HTML', () => html(401, 'Sign in'), 'auth_failed', false],
  ['200 in HTML', () => html(200, 'Welcome'), 'provider_error', false],
  ['200 with a login page', () => text(200, LOGIN_PAGE, 'text/html; charset=utf-8'), 'auth_failed', false],
  ['a page that is called JSON', () => text(200, PAGE, 'application/json'), 'provider_error', false],
  [
    'a page that is called text',
    () => text(200, ` \n<!-- x --><HTML lang="en">`, 'text/plain'),
    'provider_error',
    false,
  ],
  ['a page that is called nothing', () => text(200, `\ufeff${PAGE}`, ''), 'provider_error', false],
  ['a page in place of events', () => text(200, PAGE, 'text/event-stream'), 'provider_error', false],
  ['an error with 200', () => status(200, { error: { message: 'no upstream', code: 502 } }), 'provider_error', false],
  ['an error in words with 200', () => status(200, { detail: 'Not authenticated' }), 'provider_error', false],
  ['broken JSON', () => text(200, '{"id": "x", ', 'application/json'), 'provider_error', false],
  ['JSON of another shape', () => status(200, { hello: 'world' }), 'provider_error', false],
  ['JSON null', () => status(200, null), 'provider_error', false],
  ['no body', () => text(200, '', 'application/json'), 'provider_error', false],
  ['204', () => text(204, '', 'application/json'), 'provider_error', false],
  ['redirect', () => status(302, {}, { location: 'https://elsewhere.example/login?next=1' }), 'provider_error', false],
  ['reset before the answer', resetBeforeAnswer, 'connect_failed', true],
  ['reset in the middle of the answer', resetMidBody, 'provider_error', true],
  ['answer cut short', cutShort, 'provider_error', true],
  ['something that is not HTTP', notHttp, 'provider_error', false],
  ['100 MB, announced', () => huge(100 * 1024 * 1024, true), 'provider_error', false],
  ['100 MB, not announced', () => huge(100 * 1024 * 1024, false), 'provider_error', false],
  ['gzip that is none', () => status(200, {}, { 'content-encoding': 'gzip' }), 'provider_error', false],
  ['an unknown encoding', () => status(200, {}, { 'content-encoding': 'zstd' }), 'provider_error', false],
];

const PAGE = '<!doctype html>\n<html><head><title>Down for repair</title></head><body>Back soon.</body></html>';

export function describeHttpProvider(fixture: HttpProviderFixture): void {
  describe(`${fixture.kind} provider: over HTTP`, () => {
    let bench: ProviderBench;

    beforeEach(async () => {
      bench = await ProviderBench.start(fixture, { reply: recallAll });
    });
    afterEach(() => bench.close());

    const sendOne = async (config: AgentConfig = {}, message = 'hello'): Promise<Reply> => {
      const session = await bench.provider().connect(bench.request(config), unaborted());
      return session.send(message, unaborted());
    };
    const failure = async (config: AgentConfig = {}): Promise<ProviderError> => {
      const error: unknown = await sendOne(config).then(
        () => new Error('It was expected to fail.'),
        (reason: unknown) => reason,
      );
      if (!(error instanceof ProviderError)) throw error;
      return error;
    };

    it('closes the socket of the request in flight when it is aborted', async () => {
      bench.agent.next(hang());
      const session = await bench.provider().connect(bench.request(), unaborted());
      const abort = new AbortController();
      const sending = session.send('hello', abort.signal);
      await bench.agent.until(() => bench.agent.inFlight === 1);
      abort.abort();
      await expect(sending).rejects.toMatchObject({ name: 'ProviderError', disposition: { kind: 'canceled' } });
      await bench.agent.until(() => bench.agent.openSockets === 0);
      expect(bench.agent.requests).toHaveLength(1);
      // The next message finds one new connection; more would be left behind by the abort.
      await session.send('again', unaborted());
      expect(bench.agent.acceptedSockets).toBe(2);
    });

    it.each([...COMMON, ...fixture.refusals])('%s', async (_name, step, code, isRetried) => {
      bench.agent.next(step(), step());
      const error = await failure({ max_retries: 1 });
      expect(error.code).toBe(code);
      expect(error.disposition.kind).toBe(isRetried ? 'retryable' : 'terminal');
      expect(bench.agent.requests).toHaveLength(isRetried ? 2 : 1);
      expect(bench.clock.waits).toHaveLength(isRetried ? 1 : 0);
    });

    it.each([
      ['500', () => status(500)],
      ['429', () => status(429)],
      ['reset', resetMidBody],
    ])('recovers from %s', async (_name, step) => {
      bench.agent.next(step(), step());
      const reply = await sendOne();
      expect(reply.content).toBe('hello');
      expect(reply.metadata).toMatchObject({ tries: 3 });
    });

    it('doubles its waits up to 8 s, and gives up after max_retries', async () => {
      bench.agent.next(...Array.from({ length: 7 }, () => status(500)));
      await failure({ max_retries: 6, turn_timeout_ms: 120_000 });
      expect(bench.clock.waits).toEqual([375, 750, 1500, 3000, 6000, 6000]);
      expect(bench.agent.requests).toHaveLength(7);
    });

    it('retries four times unless told otherwise', async () => {
      bench.agent.next(...Array.from({ length: 9 }, () => status(503)));
      await failure();
      expect(bench.agent.requests).toHaveLength(5);
    });

    it('fails with the last real error when the next wait would pass the deadline', async () => {
      bench.agent.next(...Array.from({ length: 9 }, () => status(500)));
      expect(await failure({ turn_timeout_ms: 1000 })).toMatchObject({ code: 'provider_error' });
      expect(bench.clock.waits).toEqual([375]);
    });

    it.each([
      ['seconds', () => ({ 'retry-after': '2' }), 2000, 2250],
      ['a date', () => ({ 'retry-after': new Date(Date.now() + 6000).toUTCString() }), 4000, 6250],
      ['milliseconds', () => ({ 'retry-after-ms': '1500' }), 1500, 1750],
      ['less than its own wait', () => ({ 'retry-after': '0' }), 375, 375],
      ['nonsense', () => ({ 'retry-after': 'soon' }), 375, 375],
    ])('waits as long as Retry-After asks in %s', async (_name, headers, least, most) => {
      bench.agent.next(status(429, {}, headers()));
      await sendOne();
      const total = bench.clock.waits.reduce((sum, wait) => sum + wait, 0);
      expect(total).toBeGreaterThanOrEqual(least);
      expect(total).toBeLessThanOrEqual(most);
    });

    it('sends nothing after a wait in which the attempt lost its row', async () => {
      let asked = 0;
      const assureOwnership = (): Promise<void> => {
        asked += 1;
        return asked === 1 ? Promise.resolve() : Promise.reject(new Error('lost'));
      };
      bench.agent.next(status(503));
      const session = await bench.provider().connect(bench.request({}, { assureOwnership }), unaborted());
      await expect(session.send('hello', unaborted())).rejects.toThrow('lost');
      await session.close();
      expect([asked, bench.agent.requests.length]).toEqual([2, 1]);
    });

    it('counts the time in which its row is asked neither against the deadline nor as the agent’s', async () => {
      const assureOwnership = (signal: AbortSignal): Promise<void> => bench.clock.sleep(5_000, signal);
      const session = await bench
        .provider()
        .connect(bench.request({ turn_timeout_ms: 1_000 }, { assureOwnership }), unaborted());
      const { latencyMs } = await session.send('hello', unaborted());
      expect(latencyMs).toBeLessThan(1_000);
      await session.close();
    });

    it('does not wait for a Retry-After that passes the deadline', async () => {
      bench.agent.next(status(429, {}, { 'retry-after': '31' }));
      expect(await failure()).toMatchObject({ code: 'rate_limited' });
      expect(bench.clock.waits).toEqual([]);
    });

    it('holds everybody with the same credential back while Retry-After lasts', async () => {
      const provider = bench.provider();
      const connect = (config: AgentConfig) => provider.connect(bench.request(config), unaborted());
      bench.agent.next(status(429, {}, { 'retry-after': '20' }));
      const first = await connect({ max_retries: 0 });
      await expect(first.send('first', unaborted())).rejects.toMatchObject({ code: 'rate_limited' });

      const hurried = await connect({ turn_timeout_ms: 1000 });
      await expect(hurried.send('hurried', unaborted())).rejects.toMatchObject({ code: 'rate_limited' });
      expect(bench.agent.requests).toHaveLength(1);

      const stranger = await connect({ api_key: 'sk-another-credential' });
      await stranger.send('stranger', unaborted());
      expect(bench.clock.waits).toEqual([]);

      const second = await connect({});
      await second.send('second', unaborted());
      expect(bench.clock.waits).toHaveLength(1);
      expect(bench.clock.waits[0]).toBeGreaterThan(19_000);
    });

    it('keeps requests_per_minute for all sessions together, outside the deadline', async () => {
      const provider = bench.provider();
      const config = { requests_per_minute: 60, turn_timeout_ms: 900 };
      for (let count = 0; count < 4; count += 1) {
        const session = await provider.connect(bench.request(config), unaborted());
        const { latencyMs } = await session.send('hello', unaborted());
        expect(latencyMs).toBeLessThan(900);
      }
      expect(bench.clock.waits).toHaveLength(3);
      const total = bench.clock.waits.reduce((sum, wait) => sum + wait, 0);
      // Three requests a second apart, less the time the calls themselves took.
      expect(total).toBeGreaterThan(2000);
      expect(total).toBeLessThanOrEqual(3000);
    });

    it('waits ten minutes for a request of an agent that gets 0.1 a minute, and does not count them', async () => {
      const session = await bench
        .provider()
        .connect(bench.request({ requests_per_minute: 0.1, turn_timeout_ms: 900 }), unaborted());
      await session.send('first', unaborted());
      const { latencyMs } = await session.send('second', unaborted());
      expect(latencyMs).toBeLessThan(900);
      expect(bench.clock.waits).toHaveLength(1);
      expect(bench.clock.waits[0]).toBeGreaterThan(590_000);
      await expect(bench.provider().connect(bench.request({ requests_per_minute: 0.09 }), unaborted())).rejects.toThrow(
        'requests_per_minute must be at least 0.1, which is one request in ten minutes',
      );
    });

    it.each([
      ['hangs', hang],
      ['hangs after its headers', hangAfterHeaders],
      ['drips', drip],
    ])('ends at the deadline when the server %s', async (_name, step) => {
      bench.agent.next(step());
      // Time enough for the request to arrive, also on a busy machine.
      expect(await failure({ turn_timeout_ms: 1_000 })).toMatchObject({ code: 'provider_timeout' });
      await bench.agent.until(() => bench.agent.openSockets === 0);
      expect(bench.agent.requests).toHaveLength(1);
    });

    it.each(['announced', 'not announced'])('closes the socket of a body that is too large, %s', async (how) => {
      bench.agent.next(huge(100 * 1024 * 1024, how === 'announced'));
      await failure();
      await bench.agent.until(() => bench.agent.openSockets === 0);
    });

    it('stops waiting for a retry when it is aborted', async () => {
      bench.agent.next(status(500));
      const abort = new AbortController();
      const clock = { ...bench.clock, now: () => performance.now(), sleep: neverUnlessAborted };
      const session = await bench.provider(clock).connect(bench.request(), unaborted());
      const sending = session.send('hello', abort.signal);
      await bench.agent.until(() => bench.agent.requests.length === 1 && bench.agent.inFlight === 0);
      abort.abort();
      await expect(sending).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
      expect(bench.agent.requests).toHaveLength(1);
    });

    it('says that nothing listens where the config points', async () => {
      const port = await closedPort();
      const error = await failure(livingAt(`http://127.0.0.1:${port}`));
      expect(error).toMatchObject({ code: 'connect_failed', message: expect.stringContaining('ECONNREFUSED') });
      expect(bench.clock.waits).toHaveLength(4);
    });

    it('says that the address is not meant to be https', async () => {
      const secure = bench.agent.baseUrl.replace('http:', 'https:');
      const error = await failure(livingAt(secure));
      expect(error).toMatchObject({ code: 'connect_failed', message: expect.stringContaining('https') });
      expect(bench.clock.waits).toEqual([]);
    });

    it.each([
      'ftp://host/x',
      'file:///etc/passwd',
      'not an address',
      'http://user:pass@127.0.0.1/',
      'javascript:alert(1)',
    ])('refuses the address %s before anything is sent', async (address) => {
      const error = await failure(livingAt(address));
      expect(error.code).toBe('config_invalid');
      expect(error.message).toMatch(/base_url|api_base|url/);
    });

    it('names the origin of a redirect and nothing else of it', async () => {
      bench.agent.next(status(307, {}, { location: `https://elsewhere.example/in?key=${SECRET}` }));
      const { message } = await failure();
      expect(message).toContain('https://elsewhere.example');
      expect(message).not.toContain('/in');
    });

    it('quotes the first 500 characters of a refusal, without control characters', async () => {
      bench.agent.next(text(418, `\u001b[2Jteapot\u0000\u202e\r\n${'x'.repeat(2000)}`, 'text/plain'));
      const { message } = await failure();
      expect(message).toContain('418');
      expect(message).toContain('teapot');
      expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(message.length).toBeLessThan(700);
    });

    it.each([400, 401, 404, 429, 500, 200])(
      'takes the credential out of what a server echoes with %i',
      async (code) => {
        bench.agent.next((response, { headers }) => {
          const echo = { message: `You sent ${headers.authorization}`, again: encodeURIComponent(SECRET) };
          status(code, echo)(response, { method: '', path: '', headers, body: '' });
        });
        const { message, stack, cause } = await failure({ max_retries: 0 });
        expect(message).toContain('[removed]');
        const everything = `${message} ${stack} ${String(cause)} ${JSON.stringify(cause)}`;
        expect(everything).not.toContain(SECRET.slice(0, 12));
        expect(everything).not.toContain(encodeURIComponent(SECRET));
      },
    );

    it('keeps the credential out of metadata', async () => {
      bench.agent.next((response, request) => {
        const body = JSON.stringify(fixture.success('fine')).replaceAll(
          /"id":"[^"]*"/g,
          `"id":${JSON.stringify(SECRET)}`,
        );
        text(200, body, 'application/json')(response, request);
      });
      const session = await bench.provider().connect(bench.request(), unaborted());
      const { metadata } = await session.send('hello', unaborted());
      expect(JSON.stringify([metadata, session.metadata()])).toContain('[removed]');
      expect(JSON.stringify([metadata, session.metadata()])).not.toContain('sk-osce');
    });

    it('says that a web page came, and under which title', async () => {
      bench.agent.next(text(200, PAGE, 'text/html'), text(200, LOGIN_PAGE, 'text/html'));
      expect((await failure()).message).toMatch(
        /^The agent's server answered HTTP 200 with a web page \("Down for repair"\)/,
      );
      expect((await failure()).message).toMatch(
        /^The agent's server answered HTTP 200 with a login page \("Sign in"\)/,
      );
    });

    it.each<[string, string, ErrorCode]>([
      ['a web page', PAGE, 'provider_error'],
      ['a web page without a doctype', `\n<html><body>Bad gateway</body></html>\n`, 'provider_error'],
      ['a login page', LOGIN_PAGE, 'auth_failed'],
    ])('does not take %s in the place of a reply for the agent’s words', async (_name, page, code) => {
      bench.agent.next(status(200, fixture.success(page)));
      const error = await failure();
      expect(error.code).toBe(code);
      expect(error.disposition.kind).toBe('terminal');
      expect(error.message).toMatch(/^The agent's answer holds a (web|login) page/);
      expect(error.message.includes('set reply_format to html')).toBe(code === 'provider_error');
    });

    it('takes web pages for replies where the config says that replies are HTML, but no login page', async () => {
      const format = { replyFormat: 'html' };
      bench.agent.next(status(200, fixture.success(PAGE)), status(200, fixture.success(LOGIN_PAGE)));
      expect((await sendOne(format)).content).toBe(PAGE);
      expect(await failure({ reply_format: 'html' })).toMatchObject({ code: 'auth_failed' });
      expect(await failure({ reply_format: 'pdf' })).toMatchObject({
        code: 'config_invalid',
        message: expect.stringContaining('reply_format must be text or html'),
      });
    });

    it.each([
      ['a sample of code', 'Save this as a file:\n```html\n<!doctype html>\n<html><body>Hi</body></html>\n```'],
      ['Markdown with tags', '<p>Rest.</p>\n\n- <b>Drink</b> enough.<br>\n\n<details>More</details>'],
      ['a sentence that begins with a tag', '<body> is where the words of a page stand.'],
      ['words about an error', '{"error": "chest pain is an emergency"}: call 112.'],
    ])('takes %s for an ordinary reply', async (_name, reply) => {
      bench.agent.next(status(200, fixture.success(reply)));
      expect((await sendOne()).content).toBe(reply);
    });

    it('takes 200 kB for an ordinary reply', async () => {
      const reply = 'Bitte rufen Sie 112 an: ☎ '.repeat(8000);
      bench.agent.next(status(200, fixture.success(reply)));
      expect((await sendOne()).content).toBe(reply);
    });

    it('reads gzip from a server that insists on it', async () => {
      bench.agent.next(gzipped(fixture.success('squeezed')));
      expect((await sendOne()).content).toBe('squeezed');
    });

    it('does not unfold a small body into a huge one', async () => {
      const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
      bench.agent.next((response) => {
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb);
      });
      expect(await failure()).toMatchObject({ code: 'provider_error', message: expect.stringContaining('1048576') });
    });

    it.each(['', ' \n\t', '\u200b\u2060', '\u0000'])('calls the reply %j empty', async (reply) => {
      bench.agent.next(status(200, fixture.success(reply)));
      expect(await failure()).toMatchObject({ code: 'empty_reply' });
      expect(bench.agent.requests).toHaveLength(1);
    });

    it('makes NUL and lone surrogates storable and leaves the rest as it is', async () => {
      bench.agent.next(status(200, fixture.success(' a\u0000b \ud800 c \ude00 😀\r\n')));
      expect((await sendOne()).content).toBe(' a\ufffdb \ufffd c \ufffd 😀\r\n');
    });

    it('accepts a byte order mark and any content type', async () => {
      bench.agent.next(text(200, `\ufeff${JSON.stringify(fixture.success('marked'))}`, 'text/plain'));
      expect((await sendOne()).content).toBe('marked');
    });
  });
}

/** Each kind has its own name for the address. */
function livingAt(address: string): AgentConfig {
  return { base_url: address, api_base: address, url: address };
}

function neverUnlessAborted(_ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(ProviderError.canceled()), { once: true });
  });
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
