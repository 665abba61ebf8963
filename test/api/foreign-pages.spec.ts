import { ApiClient } from '../setup/api-client';
import { sendRaw } from '../setup/raw-http';
import { startTestService, type TestService } from '../setup/service';

const KEY = 'a-key-of-the-night-shift';
const RUN = '00000000-0000-4000-8000-000000000000';

/** Statuses of a request that reached its endpoint, which then found nothing to do. */
const REACHED = [204, 400, 404];

let service: TestService;
let port: string;
beforeAll(async () => {
  service = await startTestService({ ALLOWED_HOSTS: 'osce.example' });
  port = new URL(service.url).port;
});
afterAll(() => service.close());

const cancel = async (...headers: string[]) =>
  (await sendRaw(service.url, ['POST /cancel-run HTTP/1.1', ...headers])).status;
const local = (): string => `Host: 127.0.0.1:${port}`;

describe('a state-changing request', () => {
  it.each([
    ['POST', '/start-run'],
    ['POST', '/cancel-run'],
    ['POST', `/api/v1/agents/${RUN}/try`],
    ['PATCH', `/api/v1/agents/${RUN}`],
    ['DELETE', `/api/v1/agents/${RUN}`],
    ['DELETE', `/api/v1/tests/${RUN}`],
    ['PUT', '/nowhere'],
    ['PURGE', '/nowhere'],
  ])('%s %s is refused to a page of another origin, without a body as with one', async (method, path) => {
    for (const sign of [
      'Origin: https://evil.example',
      'Origin: http://127.0.0.1:1',
      `Origin: http://localhost:${port}`,
      'Origin: null',
      'Origin: nonsense',
      'Origin: ',
      'Sec-Fetch-Site: cross-site',
      'Sec-Fetch-Site: same-site',
      'Sec-Fetch-Site: Cross-Site',
    ]) {
      const lines = [`${method} ${path} HTTP/1.1`, local(), sign];
      const { status, json } = await sendRaw(service.url, lines);
      expect([sign, status, json]).toEqual([sign, 403, { error: expect.stringContaining('another origin') }]);
      const withBody = [...lines, 'Content-Type: text/plain'];
      expect((await sendRaw(service.url, withBody, `{"test_run_id":"${RUN}"}`)).status).toBe(403);
    }
  });

  it.each(['GET', 'HEAD', 'OPTIONS'])('%s changes nothing, and is answered to whoever asks', async (method) => {
    const lines = [`${method} /health/live HTTP/1.1`, local(), 'Origin: https://evil.example'];
    expect((await sendRaw(service.url, [...lines, 'Sec-Fetch-Site: cross-site'])).status).not.toBe(403);
  });

  it('is taken from clients that are no browsers', async () => {
    expect(REACHED).toContain(await cancel(local()));
    expect((await new ApiClient(service.url).post('/cancel-run', { test_run_id: RUN })).status).toBe(404);
  });

  it("is taken from the service's own page, at whatever name it was opened", async () => {
    const answers = await Promise.all([
      cancel(local(), `Origin: http://127.0.0.1:${port}`, 'Sec-Fetch-Site: same-origin'),
      // Browsers send Sec-Fetch-Site over https and to loopback only.
      cancel(local(), `Origin: http://127.0.0.1:${port}`),
      cancel('Host: localhost:3000', 'Origin: http://localhost:3000'),
      cancel('Host: LOCALHOST', 'Origin: http://localhost'),
      cancel('Host: [::1]:3000', 'Origin: http://[::1]:3000'),
      cancel('Host: osce.example:8000', 'Origin: http://osce.example:8000'),
      // Typed into the address bar, or sent by an extension.
      cancel(local(), 'Sec-Fetch-Site: none'),
    ]);
    for (const status of answers) expect(REACHED).toContain(status);
  });

  it('is taken through a reverse proxy that terminates TLS', async () => {
    const answers = await Promise.all([
      // Host is handed on, as Caddy does and `proxy_set_header Host $host` makes nginx do.
      cancel('Host: osce.example', 'Origin: https://osce.example', 'Sec-Fetch-Site: same-origin'),
      cancel('Host: osce.example', 'Origin: https://osce.example'),
      cancel('Host: osce.example:443', 'Origin: https://osce.example'),
      cancel('Host: osce.example', 'X-Forwarded-Host: osce.example', 'Origin: https://osce.example'),
      // Host names the upstream, as nginx does by itself.
      cancel('Host: 127.0.0.1:3000', 'X-Forwarded-Host: osce.example', 'Origin: https://osce.example'),
      cancel('Host: 127.0.0.1:3000', 'Origin: https://osce.example'),
      cancel('Host: 127.0.0.1:3000', 'Origin: https://osce.example', 'Sec-Fetch-Site: same-origin'),
    ]);
    for (const status of answers) expect(REACHED).toContain(status);
  });

  it('is refused when the page is of another port or scheme of a name of ours', async () => {
    expect(
      await cancel('Host: osce.example:8000', 'Origin: http://osce.example:9000', 'Sec-Fetch-Site: same-site'),
    ).toBe(403);
    expect(await cancel('Host: localhost:3000', 'Origin: http://localhost:5173')).toBe(403);
    expect(await cancel('Host: localhost:3000', 'Origin: chrome-extension://abcdef')).toBe(403);
    expect(await cancel('Host: osce.example', 'Origin: https://osce.example, https://evil.example')).toBe(403);
  });
});

describe('with a service key', () => {
  it('holds as well, for proxies that add the key to what anybody sends', async () => {
    const guarded = await startTestService({ SERVICE_API_KEY: KEY });
    const ask = async (...headers: string[]) =>
      (await sendRaw(guarded.url, ['POST /cancel-run HTTP/1.1', `X-API-Key: ${KEY}`, ...headers])).status;
    expect(await ask('Host: osce.example', 'Origin: https://evil.example')).toBe(403);
    expect(await ask('Host: osce.example', 'Sec-Fetch-Site: cross-site')).toBe(403);
    expect(REACHED).toContain(await ask('Host: osce.example', 'Origin: https://osce.example'));
    expect(REACHED).toContain(
      await ask('Host: service:3000', 'Origin: https://osce.example', 'Sec-Fetch-Site: same-origin'),
    );
    await guarded.close();
  });
});

describe('other origins', () => {
  it.each([
    ['GET', '/api/v1/agents'],
    ['GET', '/health'],
    ['GET', '/docs/openapi.json'],
    ['GET', '/nowhere'],
    ['OPTIONS', '/api/v1/agents'],
    ['OPTIONS', '/start-run'],
    ['POST', '/start-run'],
  ])('%s %s lets no other origin read its answer', async (method, path) => {
    const { headers } = await sendRaw(service.url, [
      `${method} ${path} HTTP/1.1`,
      local(),
      'Origin: https://evil.example',
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Headers: content-type,x-api-key',
    ]);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });
});
