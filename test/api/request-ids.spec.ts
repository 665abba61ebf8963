import { Client } from 'pg';
import { createLog } from '../../src/platform/config/log';
import { sendJson, startHttpStub } from '../fakes/http-stub';
import { ApiClient, type Answer } from '../setup/api-client';
import { osce } from '../setup/osce-command';
import { sendRaw } from '../setup/raw-http';
import { startTestService, type TestService } from '../setup/service';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const KEY = 'osce-key-5a1f7c3e9b2d4680';

let service: TestService;
let api: ApiClient;
let lines: string[];

beforeAll(async () => {
  lines = [];
  service = await startTestService(
    { SERVICE_API_KEY: KEY, LOG_LEVEL: 'debug' },
    { log: createLog('debug', { write: (line) => lines.push(line) }) },
  );
  api = new ApiClient(service.url, { 'x-api-key': KEY });
});
afterAll(() => service.close());

const idOf = ({ headers }: Answer): string => headers.get('x-request-id') ?? '';
const linesOf = (id: string): readonly Record<string, unknown>[] =>
  lines.map((line): Record<string, unknown> => JSON.parse(line)).filter(({ request_id }) => request_id === id);

describe('the id of a request', () => {
  it('is a new UUID for every request that brings none', async () => {
    const ids = [idOf(await api.get('/api/v1/agents')), idOf(await api.get('/api/v1/agents'))];
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(UUID);
  });

  it.each([
    ['a UUID', '0b5f2c1e-7c7b-4b39-9d0e-3f1e6f0f7a55'],
    ['what nginx writes', '8f14e45fceea167a5a36dedd4bea2543'],
    ['with every character that one may have', 'Run_7.a-Z'],
    ['as long as one may be', 'x'.repeat(128)],
  ])('is the one that came with it: %s', async (_, id) => {
    expect(idOf(await api.get('/api/v1/agents', { 'x-request-id': id }))).toBe(id);
  });

  it.each([
    ['too long', 'x'.repeat(129)],
    ['with spaces', 'one two'],
    ['markup', '<script>'],
    ['JSON', '{"level":"error"}'],
    ['an address', 'https://elsewhere.example/'],
    ['a formula', '=1+1'],
    ['for a terminal', '\u009b31mred'],
    ['in other letters', 'anfrage-ü'],
    ['empty', ''],
  ])('is new where that one is not well formed: %s', async (_, id) => {
    expect(idOf(await api.get('/api/v1/agents', { 'x-request-id': id }))).toMatch(UUID);
  });

  it('leaves no line of a page that needs no key and was served', async () => {
    const answer = await api.get('/docs', { 'x-api-key': '' });
    expect(answer.status).toBe(200);
    expect(linesOf(idOf(answer)).filter(({ level }) => level !== 'debug')).toEqual([]);
  });

  it('is new where several came', async () => {
    const { status, headers } = await sendRaw(service.url, [
      'GET /health/live HTTP/1.1',
      'Host: localhost',
      'X-Request-Id: one',
      'X-Request-Id: two',
    ]);
    expect(status).toBe(200);
    expect(headers.get('x-request-id')).toMatch(UUID);
  });

  it('is in every answer, whoever refuses the request', async () => {
    const stranger = new ApiClient(service.url);
    const json = { 'content-type': 'application/json' };
    const answers = {
      'no key': await stranger.get('/api/v1/agents'),
      'no such path': await api.get('/nothing'),
      'no percent-encoding': await api.get('/api/v1/agents/%E0%A4%A'),
      'another page': await api.send('POST', '/start-run', { headers: { origin: 'https://elsewhere.example' } }),
      'no JSON': await api.send('POST', '/api/v1/agents', { headers: json, body: '{' }),
      invalid: await api.post('/api/v1/agents', {}),
      'no HTTP': await api.get(`/${'x'.repeat(20_000)}`),
      'the page': await stranger.get('/'),
      'the description': await api.get('/docs/openapi.json'),
    };
    for (const [kind, answer] of Object.entries(answers))
      expect([kind, idOf(answer)]).toEqual([kind, expect.stringMatching(UUID)]);
    expect(answers['no key'].status).toBe(401);
    expect(answers['another page'].status).toBe(403);
    expect(answers['no HTTP'].status).toBe(431);
  });

  it('is that of the request whose body breaks off', async () => {
    const { status, headers } = await sendRaw(service.url, [
      'POST /api/v1/agents HTTP/1.1',
      'Host: localhost',
      `X-API-Key: ${KEY}`,
      'Content-Type: application/json',
      'X-Request-Id: chunks-1',
      'Transfer-Encoding: chunked',
      '',
      'no length',
    ]);
    expect(status).toBe(400);
    expect(headers.get('x-request-id')).toBe('chunks-1');
  });

  it('is in the line of the request log', async () => {
    const id = idOf(await api.get('/api/v1/scenarios?limit=1'));
    expect(linesOf(id)).toEqual([
      expect.objectContaining({ msg: 'Request answered', method: 'GET', path: '/api/v1/scenarios', status: 200 }),
    ]);
  });
});

describe('an error nobody foresaw', () => {
  it('is found in the log by the id that its answer and the command name', async () => {
    const database = new Client({ connectionString: service.database.url });
    await database.connect();
    await database.query('ALTER TABLE test_suites RENAME TO lost');
    try {
      const answer = await api.get('/api/v1/test-suites', { 'x-request-id': 'from-the-proxy-1' });
      expect(answer.status).toBe(500);
      expect(answer.headers.get('x-error-id')).toBe('from-the-proxy-1');
      expect(linesOf('from-the-proxy-1').map(({ level, msg }) => ({ level, msg }))).toEqual([
        { level: 'error', msg: 'Request failed' },
        { level: 'debug', msg: 'Request answered' },
      ]);
      const { code, stderr } = await osce(['suites', 'list'], { url: service.url, key: KEY });
      expect(code).toBe(2);
      const [, id = ''] =
        /^.*The service failed \(500\): Internal server error \(request (\S+)\)\n$/.exec(stderr) ?? [];
      expect(linesOf(id)).toContainEqual(expect.objectContaining({ msg: 'Request failed' }));
    } finally {
      await database.query('ALTER TABLE lost RENAME TO test_suites');
      await database.end();
    }
  });

  it('is printed without an id that is none', async () => {
    const stub = await startHttpStub((response) =>
      sendJson(response, 500, { error: 'down' }, { 'x-request-id': 'evil "id" <b>' }),
    );
    try {
      const { stderr } = await osce(['suites', 'list'], { url: stub.origin });
      expect(stderr).toBe('osce: The service failed (500): down\n');
    } finally {
      await stub.close();
    }
  });
});
