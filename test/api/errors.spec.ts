import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Client } from 'pg';
import { createLog } from '../../src/platform/config/log';
import { ApiClient, type Answer } from '../setup/api-client';
import { createTestDatabase } from '../setup/database';
import { eventually } from '../setup/eventually';
import { startTestService, type TestService } from '../setup/service';
import { startTcpProxy } from '../setup/tcp-proxy';

let service: TestService;
let api: ApiClient;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
});
afterAll(() => service.close());

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  // The last opened first: services before what they stand on.
  while (opened.length > 0) await opened.pop()?.close();
});

function expectError({ status, body, headers }: Answer, expected: number, sentence: RegExp): void {
  expect({ status, body }).toEqual({ status: expected, body: { error: expect.stringMatching(sentence) } });
  expect(headers.get('content-type')).toMatch(/^application\/json/);
}

const send = (body: RequestInit['body'], headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  api.send('POST', '/api/v1/agents', { body, headers });

describe('paths', () => {
  it.each([
    '/nothing',
    '/api/v1',
    '/api/v2/agents',
    '/api/v1/agents/a/b',
    '/api/v1/__proto__',
    '/..%2f..%2fetc/passwd',
  ])('404 for %s', async (path) => expectError(await api.get(path), 404, /^Cannot GET \//));

  it.each([
    ['PUT', '/api/v1/agents'],
    ['DELETE', '/api/v1/agents'],
    ['POST', '/health'],
    ['PATCH', '/start-run'],
    ['OPTIONS', '/api/v1/agents'],
  ])('404 for %s %s, a method the path does not have', async (method, path) =>
    expectError(await api.send(method, path, {}), 404, new RegExp(`^Cannot ${method} `)),
  );

  it('400 for a path that is no percent-encoding', async () =>
    expectError(await api.get('/api/v1/agents/%E0%A4%A'), 400, /decode/));

  it('answers HEAD like GET, without the body', async () => {
    const { status, body, headers } = await api.send('HEAD', '/api/v1/agents', {});
    expect({ status, body }).toEqual({ status: 200, body: null });
    expect(headers.get('content-length')).toBe('2');
  });
});

describe('bodies', () => {
  it.each([
    ['half an object', '{"name":'],
    ['a single quote', "{'name': 1}"],
    ['a trailing comma', '{"name":"x",}'],
    ['NaN', '{"name":NaN}'],
    ['two documents', '{} {}'],
    ['binary', '\u0000\u0001\u0002'],
  ])('400 for %s, which is not JSON', async (_kind, body) => expectError(await send(body), 400, /not valid JSON/));

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'json',
  ])('415 for Content-Type %s', async (type) =>
    expectError(await send('{"name":"x"}', { 'content-type': type }), 415, /application\/json/),
  );

  it('415 for a body of no type', async () =>
    expectError(await send(new Blob(['{"name":"x"}']), {}), 415, /application\/json/));

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/merge-patch+json'])(
    'reads %s',
    async (type) => expectError(await send('{}', { 'content-type': type }), 400, /name: is required/),
  );

  it('415 for a charset that JSON does not have', async () =>
    expectError(await send('{}', { 'content-type': 'application/json; charset=latin1' }), 415, /charset/i));

  it('415 for an encoding nobody knows', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'rot13' };
    expectError(await send('{}', headers), 415, /encoding/);
  });

  it('400 for a body that is not the gzip it claims to be', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expectError(await send('{}', headers), 400, /./);
  });

  it('reads a compressed body', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expectError(await send(gzipSync('{"name":"x"}'), headers), 400, /provider: is required/);
  });

  it('413 for more than 1 MiB, also when it only grows to that', async () => {
    const large = JSON.stringify({ name: 'x', provider: 'openai', config: { text: 'x'.repeat(1024 * 1024) } });
    expectError(await send(large), 413, /larger than 1 MiB/);
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expectError(await send(gzipSync(large), headers), 413, /larger than 1 MiB/);
  });

  it('400 for nesting without end', async () => {
    const deep = `{"name":"x","provider":"openai","config":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    expectError(await send(deep), 400, /nested deeper than 64 levels/);
  });

  it('400 for lists without end', async () => {
    const long = `{"name":"x","scenario_ids":[${'0,'.repeat(200_000)}0]}`;
    const answer = await api.send('POST', '/api/v1/test-suites', {
      body: long,
      headers: { 'content-type': 'application/json' },
    });
    expectError(answer, 400, /scenario_ids: must have at most 10000 items/);
  });

  it('lists as many problems as a sentence has room for', async () => {
    const { body } = await api.post('/api/v1/test-suites', { name: 'x', scenario_ids: Array(5_000).fill(0) });
    const error: string = body.error;
    const listed = error.split('; ').length - 1;
    expect(listed).toBeGreaterThan(20);
    expect(error).toMatch(new RegExp(`; and ${5_000 - listed} more$`));
    expect(error.length).toBeLessThanOrEqual(2_000);
  });

  it('400 for __proto__, which pollutes nothing', async () => {
    const body = '{"name":"x","provider":"openai","config":{"__proto__":{"polluted":true}}}';
    expectError(await send(body), 400, /config: must not have a field named __proto__/);
    expect({}).not.toHaveProperty('polluted');
  });

  it('needs no body where none means anything', async () => {
    const answer = await api.send('DELETE', '/api/v1/agents/nonsense', {
      body: '{broken',
      headers: { 'content-type': 'application/json' },
    });
    expectError(answer, 404, /^Agent not found$/);
  });
});

describe('requests that are no HTTP', () => {
  /** Says one thing after the other on one connection, each once the last was answered; hears all until it is closed. */
  async function speak(...texts: string[]): Promise<string> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setEncoding('utf8');
    let answers = '';
    socket.on('data', (chunk: string) => {
      answers += chunk;
      const next = texts.shift();
      if (next !== undefined) socket.write(next);
    });
    socket.write(texts.shift() ?? '');
    await once(socket, 'close');
    return answers;
  }

  it('400 for noise', async () => {
    const answer = await speak('HELO clinic\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({ error: expect.stringContaining('not valid HTTP') });
  });

  it('400 for noise after a request that was answered on the same connection', async () => {
    const answer = await speak('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n', 'HELO clinic\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('HTTP/1.1 400 ');
  });

  it('431 for a path that is too long', async () => {
    expectError(await api.get(`/api/v1/agents/${'x'.repeat(20_000)}`), 431, /not valid HTTP/);
  });

  it('431 for headers that are too large', async () => {
    const answer = await speak(`GET /health HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(100_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({ error: expect.any(String) });
  });
});

describe('headers of every answer', () => {
  it.each(['/api/v1/agents', '/nothing', '/docs'])(
    '%s says nothing of what serves it, and is not framed or sniffed',
    async (path) => {
      const { headers } = await api.get(path);
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'self'");
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    },
  );
});

describe('when the database is away', () => {
  it('answers 503 with Retry-After, and works again when it is back', async () => {
    const database = await createTestDatabase();
    const proxy = await startTcpProxy(database.url);
    const own = await startTestService({}, { database: { ...database, url: proxy.url } });
    opened.push({ close: () => database.drop() }, proxy, own);
    const client = new ApiClient(own.url);
    proxy.cut();
    const away = [
      await client.get('/api/v1/agents'),
      await client.get('/api/v1/scenarios'),
      await client.post('/api/v1/agents', { name: 'x', provider: 'openai', config: {} }),
      await client.post('/api/v1/scenarios/generate', { text: 'The assistant must call an ambulance.' }),
    ];
    for (const answer of away) {
      expectError(answer, 503, /^The database is out of reach; try again in a few seconds\.$/);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // What this path answers when the model or the database fails is one and the same.
    const batch = await client.post('/api/v1/scenarios/generate-batch', {
      text: 'The assistant must call an ambulance.',
    });
    expectError(batch, 500, /^Scenario generation failed: the database is out of reach; try again in a few seconds\.$/);
    await proxy.restore();
    await eventually(async () => expect((await client.get('/api/v1/agents')).status).toBe(200));
  });
});

describe('when something nobody foresaw goes wrong', () => {
  it('answers 500 without a word of the cause, and logs it under the id of the answer', async () => {
    const lines: string[] = [];
    const own = await startTestService({}, { log: createLog('error', { write: (line) => lines.push(line) }) });
    opened.push(own);
    const client = new ApiClient(own.url);
    const database = new Client({ connectionString: own.database.url });
    await database.connect();
    try {
      await database.query('ALTER TABLE agents RENAME TO lost');
    } finally {
      await database.end();
    }
    const answer = await client.get('/api/v1/agents');
    expectError(answer, 500, /^Internal server error$/);
    const id = answer.headers.get('x-request-id');
    expect(answer.headers.get('x-error-id')).toBe(id);
    const logged = lines.map(readLine).find((line) => line.request_id === id);
    expect(logged).toMatchObject({ msg: 'Request failed', method: 'GET', path: '/api/v1/agents' });
    expect(logged?.error.message).toContain('agents');
  });
});

interface LoggedError {
  readonly request_id?: string;
  readonly error: { readonly message: string };
}

function readLine(line: string): LoggedError {
  const logged: LoggedError = JSON.parse(line);
  return logged;
}
