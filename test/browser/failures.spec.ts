import { ProviderError } from '../../src/agents/errors';
import type { AgentConfig } from '../../src/agents/provider';
import { startHttpStub, type HttpStub, type Step } from '../fakes/http-stub';
import { html as htmlStatus, status } from '../fakes/misbehaviour';
import { openBrowserBench, type BrowserBench } from '../setup/browser-bench';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { unaborted } from '../agents/provider.contract';

/** A turn that ends without a reply: long enough for a busy machine to open the page in it. */
const SHORT = { turn_timeout_ms: 4_000 };
/** A turn that ends with a reply, or with what is wrong with it. */
const LONG = { turn_timeout_ms: 120_000 };

const FORM = '<form><textarea></textarea><button>Send</button></form>';

const page =
  (body: string): Step =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>${body}`);

const redirect =
  (to: string): Step =>
  (response) =>
    void response.writeHead(302, { location: to }).end();

/** A chat whose script gets `say(text)` with what the patient wrote, and `show(text)` for the reply. */
const chat = (script: string): Step =>
  page(`${FORM}<div id="log"></div><script>
const show = (text) => { const p = document.createElement('p'); p.className = 'agent'; p.textContent = text; document.getElementById('log').append(p); };
document.querySelector('form').addEventListener('submit', (event) => { event.preventDefault(); const field = document.querySelector('textarea'); const text = field.value; field.value = ''; say(text); });
function say(text) { ${script} }</script>`);

/** Script that keeps the page from doing anything else, as a machine does that has no time for it. */
const standStill = (ms: number): string => `for (const end = performance.now() + ${ms}; performance.now() < end;);`;

describeWithBrowser('a page that is no chat, or fails as one', () => {
  let bench: BrowserBench;
  let stub: HttpStub | undefined;
  beforeAll(() => {
    bench = openBrowserBench();
  });
  afterEach(async () => {
    await stub?.close();
  });
  afterAll(() => bench.close());

  async function serve(answer: Step): Promise<string> {
    stub = await startHttpStub(answer);
    return stub.origin;
  }

  async function failureOf(work: Promise<unknown>): Promise<ProviderError> {
    const error: unknown = await work.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof ProviderError)) throw new Error('It did not fail with a ProviderError.', { cause: error });
    return error;
  }

  const isJpeg = (bytes: Uint8Array | null): boolean => bytes?.[0] === 0xff && bytes[1] === 0xd8;

  describe('when it is opened', () => {
    it.each<[string, Step, string, RegExp, AgentConfig?]>([
      ['401', status(401), 'auth_failed', /status 401.*storage_state/],
      ['403', htmlStatus(403, 'No'), 'auth_failed', /status 403/],
      [
        'a robot check',
        (response) => void response.writeHead(403, { 'cf-mitigated': 'challenge' }).end('<h1>Just a moment</h1>'),
        'auth_failed',
        /robots/,
      ],
      ['404', htmlStatus(404, 'Not found'), 'not_found', /status 404.*url/],
      ['429', status(429), 'rate_limited', /status 429/],
      ['500', htmlStatus(500, 'Oops'), 'provider_error', /status 500/],
      ['a broken connection', (response) => void response.socket?.destroy(), 'connect_failed', /ERR_/],
      [
        'a download',
        (response) => void response.writeHead(200, { 'content-disposition': 'attachment; filename=a.zip' }).end('x'),
        'connect_failed',
        /download/,
      ],
      ['a circle of redirects', redirect('/'), 'connect_failed', /circle/],
      ['nothing', () => undefined, 'provider_timeout', /did not load in time/, SHORT],
      [
        'a password field',
        page('<form><input name="user"><input type="password"></form>'),
        'auth_failed',
        /password.*storage_state/,
      ],
      [
        'a CAPTCHA',
        page('<div class="h-captcha" style="width:300px;height:80px">I am human</div>'),
        'auth_failed',
        /CAPTCHA/,
      ],
      ...[
        ['a first step that asks for an e-mail address', '<form><input type="email"><button>Next</button></form>'],
        [
          'a field for an e-mail address that is called text',
          '<form><input placeholder="Work e-mail"><button>Next</button></form>',
        ],
        ['a field that its label calls a user name', '<label for="a">User name or phone</label><input id="a">'],
        ['nothing but a login elsewhere', '<h1>Welcome</h1><button>Continue with Acme SSO</button>'],
        ['a heading that asks to log in', '<h1>Bitte anmelden</h1><a href="/sso">Klinik</a>'],
      ].map(([name = '', body = '']): [string, Step, string, RegExp, AgentConfig] => [
        name,
        page(body),
        'auth_failed',
        /login.*storage_state/,
        SHORT,
      ]),
      ['no input', page('<h1>Soon</h1><input type="search">'), 'config_invalid', /input_selector/, SHORT],
      [
        'no input of the selector',
        page(FORM),
        'config_invalid',
        /input_selector/,
        { ...SHORT, input_selector: '#none' },
      ],
      [
        'something else under the selector',
        page(`<h1>Hi</h1>${FORM}`),
        'config_invalid',
        /input_selector/,
        { input_selector: 'h1' },
      ],
      [
        'selectors that are none',
        page(FORM),
        'config_invalid',
        /message_selector.*not a selector/,
        { message_selector: 'p[', send_selector: 'button' },
      ],
      ['a script that never ends', page(`${FORM}<script>for (;;);</script>`), 'provider_timeout', /./, SHORT],
    ])('%s', async (_name, answer, code, sentence, config = {}) => {
      const url = await serve(answer);
      const error = await failureOf(bench.connect({ url, ...config }));
      expect({ code: error.code, message: error.message }).toEqual({ code, message: expect.stringMatching(sentence) });
    });

    it('is shown by the screenshot', async () => {
      const url = await serve(htmlStatus(404, 'Not found'));
      expect(isJpeg((await failureOf(bench.connect({ url }))).screenshot)).toBe(true);
    });

    it.each([
      ['nothing listens there', 'http://127.0.0.1:9/', 'ERR_'],
      ['its name is not known', 'http://no-such-host.invalid/', 'ERR_NAME_NOT_RESOLVED'],
    ])('names what is wrong when %s', async (_name, url, words) => {
      await expect(failureOf(bench.connect({ url }))).resolves.toMatchObject({
        code: 'connect_failed',
        message: expect.stringContaining(words),
      });
    });

    it('is a chat all the same when a login is offered beside it', async () => {
      const offers = '<h2>Log in</h2><button>Sign in with Acme</button><input type="email" placeholder="Newsletter">';
      const url = await serve((response, request) => {
        response.write(`<!doctype html>${offers}`);
        chat('show("Rest.")')(Object.assign(response, { writeHead: () => response }), request);
      });
      const session = await bench.connect({ url, message_selector: '.agent' });
      expect((await session.send('Hello.', unaborted())).content).toBe('Rest.');
      await session.close();
    });

    it('says that a login on another host stands before it', async () => {
      const login = await startHttpStub(page('<input name="username"><button>Next</button>'));
      const url = await serve(redirect(login.origin));
      await expect(failureOf(bench.connect({ url }))).resolves.toMatchObject({
        code: 'auth_failed',
        message: expect.stringContaining(login.origin),
      });
      await login.close();
    });

    it('is opened again when its server was down for a moment', async () => {
      const url = await serve(chat('show("Rest.")'));
      stub?.next(htmlStatus(503, 'Starting'), (response) => void response.socket?.destroy());
      const session = await bench.connect({ url, max_retries: 4 });
      expect((await session.send('Hello.', unaborted())).content).toBe('Rest.');
      await session.close();
    });

    it.each([
      ['url', {}],
      ['url', { url: 'ftp://host/' }],
      ['url', { url: 'file:///etc/passwd' }],
      ['reply_idle_ms', { url: 'http://127.0.0.1:9/', reply_idle_ms: 0 }],
      ['storage_state', { url: 'http://127.0.0.1:9/', storage_state: '/etc/passwd' }],
      [
        'storage_state.cookies.0.domain',
        { url: 'http://127.0.0.1:9/', storageState: { cookies: [{ name: 'a', value: 'b' }] } },
      ],
      ['headers.host', { url: 'http://127.0.0.1:9/', headers: { host: 'x' } }],
    ])('names %s in %j', async (field, config) => {
      await expect(failureOf(bench.connect(config))).resolves.toMatchObject({
        code: 'config_invalid',
        message: expect.stringContaining(` ${field} `),
      });
    });
  });

  describe('in the middle of a conversation', () => {
    const talk = async (script: string, config: AgentConfig = {}) => {
      const url = await serve(chat(script));
      return bench.connect({ url, message_selector: '.agent', ...SHORT, ...config });
    };

    it('never answers', async () => {
      const session = await talk('');
      const error = await failureOf(session.send('Hello.', unaborted()));
      expect(error).toMatchObject({ code: 'provider_timeout', message: 'The page showed no reply within 4 s.' });
      expect(isJpeg(error.screenshot)).toBe(true);
      await session.close();
      expect(session.metadata()).not.toHaveProperty('partial_reply');
    });

    it('goes on and on: what was there is kept', async () => {
      const session = await talk(
        'show("Word"); setInterval(() => (document.querySelector(".agent").textContent += " word"), 50)',
      );
      const error = await failureOf(session.send('Hello.', unaborted()));
      expect(error).toMatchObject({ code: 'provider_timeout', message: expect.stringContaining('not complete') });
      await session.close();
      expect(session.metadata()).toMatchObject({ partial_reply: expect.stringMatching(/^Word word/) });
    });

    it('never answers, and stands still for a while', async () => {
      const session = await talk(`setTimeout(() => { ${standStill(1_200)} }, 300)`);
      await expect(failureOf(session.send('Hello.', unaborted()))).resolves.toMatchObject({
        code: 'provider_timeout',
        message: 'The page showed no reply within 4 s.',
      });
      await session.close();
    });

    it('stands still in the middle of a reply, which is read whole all the same', async () => {
      const rest = `setTimeout(() => (document.querySelector('.agent').textContent += ' an ambulance.'), 50)`;
      const script = `show('Call'); setTimeout(() => { ${standStill(600)} ${rest}; }, 200)`;
      const session = await talk(script, LONG);
      expect((await session.send('Hello.', unaborted())).content).toBe('Call an ambulance.');
      await session.close();
    });

    it('does not send: nothing listens to Enter', async () => {
      const url = await serve(page('<textarea></textarea>'));
      const session = await bench.connect({ url, ...SHORT });
      await expect(failureOf(session.send('Hello.', unaborted()))).resolves.toMatchObject({
        code: 'provider_timeout',
        message: expect.stringContaining('send_selector'),
      });
      await session.close();
    });

    it('has a button that cannot be pressed', async () => {
      const url = await serve(page('<form><textarea></textarea><button disabled>Send</button></form>'));
      const session = await bench.connect({ url });
      await expect(failureOf(session.send('Hello.', unaborted()))).resolves.toMatchObject({
        code: 'provider_error',
        message: expect.stringContaining('button'),
      });
      await session.close();
    });

    it('asks for a password', async () => {
      const session = await talk('document.body.innerHTML = `<input type="password">`');
      await expect(failureOf(session.send('Hello.', unaborted()))).resolves.toMatchObject({ code: 'auth_failed' });
      await session.close();
    });

    it.each([
      [
        'over the chat',
        'document.body.insertAdjacentHTML("beforeend", `<dialog open>Please log in to go on.<input type="password"></dialog>`)',
      ],
      [
        'in its place',
        'document.body.innerHTML = `<p>Your session has ended. Log in to go on.</p><input type="email"><button>Next</button>`',
      ],
      ['at another address', 'location.href = "/login"'],
    ])('shows a login %s, whose words are not the agent’s', async (_name, script) => {
      const url = await serve(chat(`show("Hello."); ${script}`));
      const session = await bench.connect({ url, reply_idle_ms: 300, turn_timeout_ms: 8_000 });
      stub?.next(page('<h1>Sign in</h1><p>Your session has ended.</p><button>Continue with Acme SSO</button>'));
      await expect(failureOf(session.send('Good morning.', unaborted()))).resolves.toMatchObject({
        code: 'auth_failed',
        message: expect.stringContaining('storage_state'),
      });
      await session.close();
    });

    it.each([
      [401, 'auth_failed'],
      [429, 'rate_limited'],
      [503, 'provider_error'],
      [404, 'provider_timeout'],
    ])('is refused by its own server with %i', async (code, expected) => {
      const url = await serve(chat('void fetch("/api", { method: "POST" })'));
      const session = await bench.connect({ url, ...SHORT });
      stub?.next(status(code));
      await expect(failureOf(session.send('Hello.', unaborted()))).resolves.toMatchObject({ code: expected });
      await session.close();
    });

    it('loops for ever, and is closed all the same', async () => {
      const session = await talk('show("Yes"); for (;;);');
      await expect(failureOf(session.send('Hello.', unaborted()))).resolves.toMatchObject({ code: 'provider_timeout' });
      await session.close();
    });

    it('shows more than any conversation', async () => {
      const session = await talk('show("word ".repeat(500_000))', LONG);
      await expect(failureOf(session.send('Hello.', unaborted()))).resolves.toMatchObject({
        code: 'provider_error',
        message: expect.stringContaining('characters of text'),
      });
      await session.close();
    });

    it('shows 100 MB, and is given up one way or another', async () => {
      const session = await talk('show("word ".repeat(20_000_000))', { turn_timeout_ms: 10_000 });
      await expect(failureOf(session.send('Hello.', unaborted()))).resolves.toMatchObject({
        code: expect.stringMatching(/^provider_(error|timeout)$/),
      });
      await session.close();
    });

    it('answers more than a reply may hold', async () => {
      const session = await talk('show("é".repeat(600_000))', LONG);
      await expect(failureOf(session.send('Hello.', unaborted()))).resolves.toMatchObject({
        code: 'provider_error',
        message: expect.stringContaining('1048576'),
      });
      await session.close();
    });

    it('uses up its memory', async () => {
      const session = await talk('const all = []; for (;;) all.push(new Array(10_000_000).fill(1.5));', LONG);
      await expect(failureOf(session.send('Hello.', unaborted()))).resolves.toMatchObject({
        code: 'provider_error',
        message: expect.stringContaining('memory'),
      });
      await session.close();
    });

    it.each([
      ['asks in dialogs', 'alert("a"); show(String(confirm("b")) + String(prompt("c")))', 'falsenull'],
      ['opens windows', 'open("/popup"); open("about:blank"); show("Rest.")', 'Rest.'],
      ['starts downloads', 'location.href = "data:application/zip,x"; show("Rest.")', 'Rest.'],
      ['wants to be asked before it is left', 'onbeforeunload = () => "Stay"; show("Rest.")', 'Rest.'],
      ['prints itself', 'print(); show("Rest.")', 'Rest.'],
      ['writes markup', 'show("<script>1</" + "script>")', '<script>1</script>'],
    ])('%s, and is talked to', async (_name, script, expected) => {
      const session = await talk(script, LONG);
      expect((await session.send('Hello.', unaborted())).content).toBe(expected);
      await session.close();
    });
  });

  it('loads anew with every message, as forms without scripts do', async () => {
    const said: string[] = [];
    const url = await serve((response, request) => {
      if (request.method === 'POST') said.push(decodeURIComponent(String(request.body).slice(5).replaceAll('+', ' ')));
      const messages = said.map((text) => `<p>${text}</p><p class="agent">I heard: ${text}</p>`).join('');
      page(`${messages}<form method="post"><input name="text"><button>Send</button></form>`)(response, request);
    });
    const session = await bench.connect({ url, message_selector: '.agent' });
    expect((await session.send('One.', unaborted())).content).toBe('I heard: One.');
    expect((await session.send('Two.', unaborted())).content).toBe('I heard: Two.');
    await session.close();
  });

  describe('and what it is given', () => {
    it('is the cookies and the local storage of a login', async () => {
      const url = await serve((response, request) => {
        const cookie = String(request.headers.cookie);
        chat(`show(${JSON.stringify(cookie)} + " " + localStorage.getItem("who"))`)(response, request);
      });
      const storage_state = {
        cookies: [{ name: 'sid', value: 'abc', domain: '127.0.0.1' }],
        origins: [{ origin: url, localStorage: [{ name: 'who', value: 'Ada' }] }],
      };
      for (const given of [storage_state, JSON.stringify(storage_state)]) {
        const session = await bench.connect({ url, storage_state: given, message_selector: '.agent' });
        expect((await session.send('Hello.', unaborted())).content).toBe('sid=abc Ada');
        await session.close();
      }
      // The next conversation begins without what this one left.
      const session = await bench.connect({ url, message_selector: '.agent' });
      expect((await session.send('Hello.', unaborted())).content).toBe('undefined null');
      await session.close();
    });

    it('is its headers, which no other host gets', async () => {
      const other = await startHttpStub(page('<h1>Other</h1>'));
      const own = await startHttpStub((response, request) => {
        if (request.path === '/elsewhere') return redirect(`${other.origin}/redirected`)(response, request);
        page(
          `${FORM}<img src="${other.origin}/picture.png"><iframe src="/elsewhere"></iframe><script>fetch('/own')</script>`,
        )(response, request);
      });
      const session = await bench.connect({
        url: own.origin,
        headers: { Authorization: 'Bearer s3cret-of-page', 'user-agent': 'osce' },
      });
      await session.close();
      const pathsOf = (stubbed: HttpStub): string[] => stubbed.requests.map(({ path }) => path);
      expect(pathsOf(own)).toEqual(expect.arrayContaining(['/', '/own', '/elsewhere']));
      for (const { headers } of own.requests) {
        expect(headers).toMatchObject({ authorization: 'Bearer s3cret-of-page', 'user-agent': 'osce' });
      }
      expect(pathsOf(other)).toEqual(expect.arrayContaining(['/picture.png', '/redirected']));
      for (const { headers } of other.requests) expect(headers.authorization).toBeUndefined();
      await other.close();
      await own.close();
    });
  });
});
