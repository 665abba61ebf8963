import { createLog } from '../../src/platform/config/log';
import { ApiClient } from '../setup/api-client';
import { ApiDescription } from '../setup/api-description';
import { startTestService, type TestService } from '../setup/service';

const KEY = 'key-of-the-long-night-shift';
const OTHER_KEY = 'key-of-the-long-day-shift';
const SCRAPERS_TOKEN = 'token-of-the-scraper-0001';
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('without SERVICE_API_KEY', () => {
  it('every path is open', async () => {
    const service = await startTestService();
    expect((await new ApiClient(service.url).get('/api/v1/agents')).status).toBe(200);
    await service.close();
  });
});

describe('with SERVICE_API_KEY', () => {
  let service: TestService;
  let api: ApiClient;
  const lines: string[] = [];
  beforeAll(async () => {
    const log = createLog('debug', { write: (line) => lines.push(line) });
    service = await startTestService({ SERVICE_API_KEY: `${KEY}, ${OTHER_KEY}`, LOG_LEVEL: 'debug' }, { log });
    api = new ApiClient(service.url);
  });
  afterAll(() => service.close());

  const statusWith = async (headers: Record<string, string>, path = '/api/v1/agents') =>
    (await api.get(path, headers)).status;

  it.each([
    ['GET', '/api/v1/agents'],
    ['POST', '/start-run'],
    ['POST', '/cancel-run'],
    ['GET', '/api/v1/tests'],
    ['GET', '/api/v1/scenario-runs'],
    ['GET', '/events?run_id=x'],
    ['GET', '/docs/openapi.json'],
    ['GET', '/docs/other'],
    ['POST', '/docs'],
    ['GET', '/nothing'],
    ['GET', '/HEALTH'],
    ['GET', '/healthy'],
    ['GET', '/health/other'],
    ['GET', '/health/../api/v1/agents'],
    ['DELETE', `/api/v1/tests/${UNKNOWN_ID}`],
  ])('%s %s answers 401 without a key', async (method, path) => {
    const { status, body, headers } = await api.send(method, path, {});
    expect(status).toBe(401);
    expect(body).toEqual({ error: expect.stringContaining('X-API-Key') });
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each(['/health', '/health/live'])('%s needs none', async (path) => {
    expect((await api.get(path)).status).toBe(200);
  });

  it('the page of the API description needs none either, for it holds nothing: it reads the description with the key', async () => {
    const { status, body, headers } = await api.get('/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    for (const { method, path } of (await ApiDescription.of(service.url, KEY)).operations) {
      if (path.startsWith('/api/'))
        expect({ method, path, isNamed: String(body).includes(path) }).toMatchObject({ isNamed: false });
    }
    expect((await api.get('/docs/scenario.schema.json')).body).toMatchObject({ title: 'A scenario of Agent OSCE' });
    expect((await api.get('/docs/page.mjs')).headers.get('content-type')).toMatch(/^text\/javascript/);
    expect((await api.get('/docs/openapi.json', { authorization: `Bearer ${KEY}` })).body).toHaveProperty('openapi');
  });

  it.each([KEY, OTHER_KEY])('takes either key, in either header', async (key) => {
    expect(await statusWith({ authorization: `Bearer ${key}` })).toBe(200);
    expect(await statusWith({ authorization: `bearer  ${key}` })).toBe(200);
    expect(await statusWith({ 'x-api-key': key })).toBe(200);
    expect(await statusWith({ authorization: 'Basic abc', 'x-api-key': key })).toBe(200);
  });

  it.each<Record<string, string>>([
    { authorization: `Bearer ${KEY}x` },
    { authorization: `Bearer ${KEY.slice(0, -1)}` },
    { authorization: `Bearer ${KEY},${OTHER_KEY}` },
    { authorization: KEY },
    { authorization: `Basic ${KEY}` },
    { authorization: 'Bearer' },
    { 'x-api-key': KEY.toUpperCase() },
    { 'x-api-key': '' },
    { cookie: `access_token=${KEY}` },
  ])('refuses %j', async (headers) => {
    expect(await statusWith(headers)).toBe(401);
  });

  it('tells who sent no key from who sent a wrong one, and repeats neither', async () => {
    const refusal = async (headers: Record<string, string>) => (await api.get('/api/v1/agents', headers)).body.error;
    const none = 'A service key is required: send Authorization: Bearer <key> or X-API-Key: <key>.';
    expect(await refusal({})).toBe(none);
    expect(await refusal({ 'x-api-key': '' })).toBe(none);
    const wrong =
      'The key that was sent is none of this service: compare it with those of osce keys list, and with SERVICE_API_KEY and the other settings of keys, without the name before it.';
    expect(await refusal({ authorization: `Bearer ${KEY}x` })).toBe(wrong);
    expect(await refusal({ 'x-api-key': `night:${KEY}` })).toBe(wrong);
  });

  it('takes access_token in the query for events and downloads only', async () => {
    const token = `access_token=${KEY}`;
    expect(await statusWith({}, `/api/v1/tests/${UNKNOWN_ID}/export?format=csv&${token}`)).toBe(404);
    expect(await statusWith({}, `/api/v1/tests/${UNKNOWN_ID}/export-csv?${token}`)).toBe(404);
    expect(await statusWith({}, `/api/v1/scenario-runs/${UNKNOWN_ID}/screenshot?${token}`)).toBe(404);
    expect(await statusWith({}, `/api/v1/scenario-runs/${UNKNOWN_ID}?${token}`)).toBe(401);
    expect(await statusWith({}, `/events?${token}`)).toBe(400);
    expect(await statusWith({}, `/api/v1/agents?${token}`)).toBe(401);
    expect(await statusWith({}, `/api/v1/tests/${UNKNOWN_ID}?${token}`)).toBe(401);
    expect(await statusWith({}, `/events?access_token=wrong`)).toBe(401);
    expect(await statusWith({}, `/events?${token}&${token}`)).toBe(401);
  });

  it('asks for the key before it reads a body', async () => {
    const { status } = await api.send('POST', '/api/v1/agents', {
      body: 'x'.repeat(2 * 1024 * 1024),
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(401);
  });

  it('never logs a key', async () => {
    await api.get(`/events?access_token=${KEY}`, { authorization: `Bearer ${OTHER_KEY}` });
    expect(lines.some((line) => line.includes('"path":"/events"'))).toBe(true);
    expect(lines.join('')).not.toContain(KEY);
    expect(lines.join('')).not.toContain(OTHER_KEY);
  });
});

describe('with RATE_LIMIT_PER_MINUTE', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService({
      RATE_LIMIT_PER_MINUTE: '5',
      SERVICE_API_KEY: `${KEY},${OTHER_KEY}`,
      METRICS_TOKEN: SCRAPERS_TOKEN,
    });
  });
  afterEach(() => service.close());

  it('answers 429 with Retry-After over the limit, for each key by itself; probes stay open', async () => {
    const night = new ApiClient(service.url, { 'x-api-key': KEY });
    const day = new ApiClient(service.url, { 'x-api-key': OTHER_KEY });
    for (let request = 0; request < 5; request += 1) expect((await night.get('/api/v1/agents')).status).toBe(200);
    const refused = await night.get('/api/v1/agents');
    expect(refused).toMatchObject({ status: 429, body: { error: expect.stringContaining('More than 5 requests') } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await day.get('/api/v1/agents')).status).toBe(200);
    for (let request = 0; request < 10; request += 1) expect((await night.get('/health/live')).status).toBe(200);
  });

  it('leaves a scraper alone when others at its address guess', async () => {
    for (let guess = 0; guess < 6; guess += 1) {
      await new ApiClient(service.url, { 'x-api-key': `guess-${guess}` }).get('/metrics');
    }
    const scraper = new ApiClient(service.url, { authorization: `Bearer ${SCRAPERS_TOKEN}` });
    expect((await scraper.get('/metrics')).status).toBe(200);
  });

  it('counts wrong keys together, so that nobody guesses for long', async () => {
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess += 1) {
      statuses.push((await new ApiClient(service.url, { 'x-api-key': `guess-${guess}` }).get('/api/v1/agents')).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });
});
