import type { HttpStub } from '../fakes/http-stub';
import { sendJson, startHttpStub } from '../fakes/http-stub';
import { html, hang, resetBeforeAnswer, status } from '../fakes/misbehaviour';
import { ApiClient } from '../setup/api-client';
import { osce } from '../setup/osce-command';
import { freePort } from '../setup/service-process';
import { startTestService, type TestService } from '../setup/service';

const KEY = 'osce-key-3f6c1e52a94b0e77';

let service: TestService;
let stub: HttpStub;

beforeAll(async () => {
  service = await startTestService({ SERVICE_API_KEY: KEY });
});
beforeEach(async () => {
  stub = await startHttpStub((response) => sendJson(response, 200, []));
});
afterEach(() => stub.close());
afterAll(() => service.close());

/** A reverse proxy that serves the service under a path, as in front of many services on one host. */
async function startPrefixProxy(prefix: string): Promise<HttpStub> {
  const api = new ApiClient(service.url);
  return startHttpStub((response, { method, path, headers }) => {
    if (!path.startsWith(`${prefix}/`)) return sendJson(response, 404, { error: 'outside' });
    const { authorization = '' } = headers;
    void api.send(method, path.slice(prefix.length), { headers: { authorization } }).then(({ status: code, body }) => {
      sendJson(response, code, body);
    });
  });
}

describe('the service and its key', () => {
  test('OSCE_URL and OSCE_API_KEY, or --url and --key', async () => {
    const args = ['agents', 'list', '--json'];
    expect(await osce(args, { url: service.url, key: KEY })).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
    expect(
      await osce([...args, '--url', `${service.url}/`, '--key', KEY], { url: 'http://127.0.0.1:1' }),
    ).toMatchObject({ code: 0 });
  });

  test('a path prefix is kept', async () => {
    const proxy = await startPrefixProxy('/tools/osce');
    try {
      const url = `${proxy.origin}/tools/osce/`;
      expect(await osce(['agents', 'list', '--json'], { url, key: KEY })).toMatchObject({ code: 0, stdout: '[]\n' });
    } finally {
      await proxy.close();
    }
  });

  test.each([
    ['none', undefined],
    ['a wrong one', 'another-key-of-somebody'],
  ])('%s: exit code 2, and what to set; also for health, which is open', async (_, key) => {
    for (const args of [['agents', 'list'], ['health']]) {
      const result = await osce(args, { url: service.url, ...(key !== undefined && { key }) });
      expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('set OSCE_API_KEY') });
      if (key !== undefined) expect(result.stderr).not.toContain(key);
    }
  });

  test('the key is in nothing that is printed, whatever goes wrong', async () => {
    stub.next(status(500, { error: 'down' }));
    const results = [
      await osce(['health'], { url: service.url, key: KEY }),
      await osce(['health', '--json', '--key', KEY], { url: service.url }),
      await osce(['runs', 'show', 'x', '--key', KEY], { url: service.url }),
      await osce(['agents', 'delete', 'x', '--key', `${KEY}\n${KEY}`], { url: service.url }),
      await osce(['agents', 'list'], { url: `http://me:${KEY}@127.0.0.1:1` }),
      await osce(['agents', 'list'], { url: `http://127.0.0.1:1/?access_token=${KEY}` }),
      await osce(['agents', 'list', '--key', KEY], { url: 'http://127.0.0.1:1' }),
      await osce(['agents', 'list', '--kye', 'x', '--key', KEY]),
      await osce(['agents', 'create', '--name', 'x', '--provider', 'openai'], { url: stub.origin, key: KEY }),
    ];
    expect(results.map(({ stdout, stderr }) => stdout + stderr).join('\n')).not.toContain(KEY);
    expect(results.map(({ code }) => code)).toEqual([0, 0, 2, 2, 2, 2, 2, 2, 2]);
  });

  test('health: 0 when it is well, its checks, and the access', async () => {
    const { code, stdout } = await osce(['doctor'], { url: service.url, key: KEY });
    expect(code).toBe(0);
    expect(stdout).toMatch(/ok +database[^]+warning +judge[^]+ok +access +The service answers; it has 0 runs\./);
    expect(stdout).toMatch(/^  - Set ANTHROPIC_API_KEY to .*\.$/m);
  });

  test('health: 2 when it says that it is not', async () => {
    const checks = { database: { status: 'error', detail: 'out of reach' } };
    stub.next(status(503, { status: 'error', timestamp: '', version: '9', checks, setup: {} }));
    expect(await osce(['health'], { url: stub.origin })).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('out of reach'),
    });
  });
});

describe('a service that does not answer as it should', () => {
  test('nothing listens: exit code 2, and what to do', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const result = await osce(['agents', 'list', '--json'], { url });
    expect(result).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`The service at ${url} is out of reach: nothing is listening there.`),
    });
    expect(JSON.parse(result.stdout)).toEqual({ error: expect.stringContaining('out of reach') });
  });

  test('something else listens', async () => {
    stub.next(html(200, 'Welcome to nginx'));
    expect(await osce(['agents', 'list'], { url: stub.origin })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("did not get an answer in Agent OSCE's format"),
    });
    stub.next(html(404, 'Not here'));
    expect(await osce(['agents', 'list'], { url: stub.origin })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('answered 404, but not as Agent OSCE does'),
    });
  });

  test('a redirect is not followed with the key, and says where it leads', async () => {
    stub.next(status(301, '', { location: 'https://osce.example.org/' }));
    const { code, stderr } = await osce(['agents', 'list'], { url: stub.origin, key: KEY });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('redirects to https://osce.example.org/'),
    });
    expect(stub.requests).toHaveLength(1);
  });

  test('a read is tried again after a reset, a 503 and a 429', async () => {
    stub.next(
      resetBeforeAnswer(),
      status(503, { error: 'starting' }),
      status(429, { error: 'slow down' }, { 'retry-after': '1' }),
    );
    expect(await osce(['agents', 'list', '--json'], { url: stub.origin })).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(stub.requests).toHaveLength(4);
  });

  const agents = [{ id: 'a', name: 'agent', provider: 'openai', config: {}, is_active: true }];
  const started = { id: 'r', test_run_id: 'run_1', status: 'running', total_scenarios: 1, scenarios_launched: 1 };
  const keysSent = () =>
    stub.requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);

  test('a run is not started twice: whatever is sent again after a lost answer carries the same key', async () => {
    stub.next(
      status(200, agents),
      resetBeforeAnswer(),
      status(409, { error: 'under way' }, { 'retry-after': '0' }),
      status(200, started),
    );
    expect(await osce(['run', '--agent', 'agent'], { url: stub.origin })).toMatchObject({ code: 0 });
    const [key] = keysSent();
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect(keysSent()).toEqual([key, key, key]);
    stub.next(status(200, agents), status(200, started));
    expect(await osce(['run', '--agent', 'agent'], { url: stub.origin })).toMatchObject({ code: 0 });
    expect(new Set(keysSent()).size).toBe(2);
  });

  test('a run whose start was never answered may have been started', async () => {
    stub.next(status(200, agents), ...Array.from({ length: 4 }, () => resetBeforeAnswer()));
    const { code, stderr } = await osce(['run', '--agent', 'agent'], { url: stub.origin });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The run may have been started'),
    });
    expect(keysSent()).toHaveLength(4);
  });

  test('a start that is refused is not sent again, but for one that came too soon', async () => {
    stub.next(
      status(200, agents),
      status(429, { error: 'slow down' }, { 'retry-after': '0' }),
      status(400, { error: 'no' }),
    );
    expect(await osce(['run', '--agent', 'agent'], { url: stub.origin })).toMatchObject({
      code: 2,
      stderr: 'osce: Refused (400): no\n',
    });
  });

  test('a service that dies while it is asked is out of reach', async () => {
    stub.next(hang());
    const asking = osce(['agents', 'list'], { url: stub.origin });
    await stub.until(() => stub.inFlight === 1);
    await stub.close();
    expect(await asking).toMatchObject({ code: 2, stderr: expect.stringContaining('out of reach') });
  });

  test.each(['nonsense', 'ftp://host', 'http://host/?x=1', 'http://user:pw@host'])(
    '--url %s is refused',
    async (url) => {
      expect(await osce(['agents', 'list'], { url })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--url (OSCE_URL)'),
      });
    },
  );
});
