import { settingsFrom } from '../../src/platform/config/settings';
import { ApiClient } from '../setup/api-client';
import { startTestService, type TestService } from '../setup/service';

const TOKEN = 'a-token-of-the-scraper-01';
const KEY = 'key-of-the-night-shift-0001';

const started: TestService[] = [];
afterEach(async () => {
  for (const service of started.splice(0)) await service.close();
});

async function start(variables: Record<string, string>): Promise<ApiClient> {
  const service = await startTestService(variables);
  started.push(service);
  return new ApiClient(service.url);
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('who may scrape', () => {
  it('everyone, on a service without key and token', async () => {
    const api = await start({});
    const { status, headers, body } = await api.get('/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toContain('# TYPE osce_turns_total counter');
  });

  it('who has a service key or the token, which opens nothing else', async () => {
    const api = await start({ SERVICE_API_KEY: KEY, METRICS_TOKEN: TOKEN });
    expect((await api.get('/metrics')).status).toBe(401);
    expect((await api.get('/metrics', bearer(`${TOKEN}x`))).status).toBe(401);
    expect((await api.get('/metrics', bearer(TOKEN))).status).toBe(200);
    expect((await api.get('/metrics', bearer(KEY))).status).toBe(200);
    expect((await api.get('/metrics', { 'x-api-key': KEY })).status).toBe(200);
    for (const path of ['/api/v1/agents', '/api/v1/tests', '/docs/openapi.json', '/metrics/other', '/nothing'])
      expect([path, (await api.get(path, bearer(TOKEN))).status]).toEqual([path, 401]);
    expect((await api.send('POST', '/start-run', { headers: bearer(TOKEN) })).status).toBe(401);
  });

  it('only who has the token, on a service without keys that has one, however the path is written', async () => {
    const api = await start({ METRICS_TOKEN: TOKEN });
    for (const path of ['/metrics', '/metrics/', '/METRICS', '/metrics?x=1']) {
      const { status } = await fetch(api.url + path);
      expect([path, status]).toEqual([path, 401]);
    }
    expect((await api.get('/metrics', bearer(TOKEN))).status).toBe(200);
    expect((await api.get('/api/v1/agents')).status).toBe(200);
  });

  it('nobody, when nothing is counted', async () => {
    const api = await start({ METRICS: 'false' });
    expect(await api.get('/metrics')).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining('METRICS') },
    });
  });

  it.each(['short', 'twenty-three-characters', 'a token with spaces, 24 and more'])(
    'a token such as %s is refused',
    (token) => {
      expect(() => settingsFrom({ METRICS_TOKEN: token })).toThrow(/^METRICS_TOKEN must be at least 24 characters/);
      expect(() => settingsFrom({ METRICS_TOKEN: token })).not.toThrow(token);
    },
  );
});
