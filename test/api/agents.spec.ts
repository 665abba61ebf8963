import { ApiClient } from '../setup/api-client';
import { startTestService, type TestService } from '../setup/service';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

let service: TestService;
let api: ApiClient;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
});
afterAll(() => service.close());

const openai = (changes: object = {}) => ({
  name: 'Triage assistant',
  provider: 'openai',
  config: { base_url: 'http://127.0.0.1:9/v1', api_key: 'sk-0123456789abcdef' },
  ...changes,
});

describe('POST /api/v1/agents', () => {
  it('answers 201 with the full stored row', async () => {
    const { status, body } = await api.post('/api/v1/agents', openai());
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(UUID),
      provider: 'openai',
      name: 'Triage assistant',
      description: null,
      config: { base_url: 'http://127.0.0.1:9/v1', api_key: 'sk-0123456789abcdef' },
      is_active: true,
      warnings: [],
      baseline_test_run_id: null,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: expect.stringMatching(TIMESTAMP),
    });
    expect((await api.get(`/api/v1/agents/${body.id}`)).body).toEqual(body);
  });

  it('keeps the config as it was sent: spelling, order, unknown keys, nesting, odd values', async () => {
    const config = {
      zeta: 1,
      assistantId: 'asst_1',
      apiKey: 'k',
      unknown_key: { nested: [1, 'two', null, { three: 3.5 }], empty: {}, '': 'empty key' },
      constructor: 'a key like any other',
      emoji: '🩺 العربية',
      large: 1e300,
      off: false,
    };
    const { status, body } = await api.post('/api/v1/agents', openai({ provider: 'vapi', config }));
    expect(status).toBe(201);
    const read = await api.get(`/api/v1/agents/${body.id}`);
    expect(JSON.stringify(read.body.config)).toBe(JSON.stringify(config));
  });

  it.each(['vapi', 'openai', 'livekit', 'pipecat', 'browser', 'http'])('accepts provider %s', async (provider) => {
    expect((await api.post('/api/v1/agents', openai({ provider, config: {} }))).status).toBe(201);
  });

  it('takes a description, and null for none', async () => {
    const described = await api.post('/api/v1/agents', openai({ description: 'Of the night shift' }));
    expect(described.body.description).toBe('Of the night shift');
    const without = await api.post('/api/v1/agents', openai({ description: null }));
    expect(without.body.description).toBeNull();
  });

  it('ignores fields it does not know, and fields the service assigns', async () => {
    const { status, body } = await api.post(
      '/api/v1/agents',
      openai({ id: UNKNOWN_ID, is_active: false, colour: 'red' }),
    );
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('colour');
    expect(body.id).not.toBe(UNKNOWN_ID);
    expect(body.is_active).toBe(true);
  });

  it('refuses a provider it does not support, naming those it does', async () => {
    const { status, body } = await api.post('/api/v1/agents', openai({ provider: 'fax' }));
    expect(status).toBe(400);
    expect(body).toEqual({
      error:
        'Unsupported provider: fax. Supported providers: vapi, openai, livekit, pipecat, browser, http, media-stream',
    });
  });

  it.each([
    [{ provider: undefined }, /provider: is required/],
    [{ name: undefined }, /name: is required/],
    [{ name: '' }, /name: must not be empty/],
    [{ name: ' \n' }, /name: must not be empty/],
    [{ name: 7 }, /name: expected string, got number/],

    [{ name: 'a\u0000b' }, /name: must not contain NUL characters/],
    [{ name: 'a\ud800b' }, /name: must be well-formed Unicode/],
    [{ provider: null }, /provider: expected string, got null/],
    [{ config: undefined }, /config: is required/],
    [{ config: { api_key: 'ab'.repeat(8_193) } }, /config\.api_key: holds a secret of more than 16384 characters/],
    [{ config: { headers: { 'x-team': '-x'.repeat(8_193) } } }, /config\.headers: holds a secret of more than 16384/],
    [{ config: [] }, /config: expected object, got a list/],
    [{ config: 'key=value' }, /config: expected object, got string/],
    [{ config: { deep: { inner: 'a\u0000b' } } }, /config\.deep\.inner: must not contain NUL characters/],
    [{ description: 5 }, /description: expected string, got number/],
  ])('refuses %j: %s', async (changes, error) => {
    const { status, body } = await api.post('/api/v1/agents', openai(changes));
    expect(status).toBe(400);
    expect(body).toEqual({ error: expect.stringMatching(error) });
  });

  it('refuses a name of more than 500 characters', async () => {
    const { status, body } = await api.post('/api/v1/agents', openai({ name: 'x'.repeat(501) }));
    expect(status).toBe(400);
    expect(body.error).toBe('name: must have at most 500 characters');
    expect((await api.post('/api/v1/agents', openai({ name: 'x'.repeat(500) }))).status).toBe(201);
  });

  it('names every offending field at once', async () => {
    const { body } = await api.post('/api/v1/agents', { description: 1 });
    for (const field of ['name', 'provider', 'config', 'description']) expect(body.error).toContain(`${field}:`);
  });

  it.each([[undefined], [null], [[]], ['text'], [7]])('refuses %j as a body', async (body) => {
    expect((await api.post('/api/v1/agents', body)).status).toBe(400);
  });
});

describe('GET /api/v1/agents', () => {
  it('lists a bare array by name, without the deleted ones', async () => {
    const own = await startTestService();
    const client = new ApiClient(own.url);
    for (const name of ['Cedar', 'Alder', 'Birch', 'Dogwood']) await client.post('/api/v1/agents', openai({ name }));
    const listed = (await client.get('/api/v1/agents')).body;
    await client.delete(`/api/v1/agents/${listed[3].id}`);
    const { status, body } = await client.get('/api/v1/agents');
    expect(status).toBe(200);
    const agents: { id: string; name: string }[] = body;
    expect(agents.map((agent) => agent.name)).toEqual(['Alder', 'Birch', 'Cedar']);
    expect(agents[0]).toEqual((await client.get(`/api/v1/agents/${agents[0]?.id}`)).body);
    await own.close();
  });

  it('may be kept by nobody: it shows credentials', async () => {
    expect((await api.get('/api/v1/agents')).headers.get('cache-control')).toBe('no-store');
  });
});

describe('GET /api/v1/agents/{id}', () => {
  it.each([
    ['an unknown id', UNKNOWN_ID],
    ['a word', 'not-a-uuid'],
    ['NUL', '\u0000'],
    ['SQL', "' OR 1=1 --"],
    ['a long text', 'x'.repeat(5_000)],
    ['a UUID without hyphens', '7d3f6c1e52a94b0e9a570d5c1f8e2b34'],
  ])('answers 404 for %s', async (_kind, id) => {
    expect((await api.get(`/api/v1/agents/${encodeURIComponent(id)}`)).status).toBe(404);
  });

  it('says "Agent not found"', async () => {
    expect(await api.get(`/api/v1/agents/${UNKNOWN_ID}`)).toMatchObject({
      status: 404,
      body: { error: 'Agent not found' },
    });
  });

  it('finds an id in upper case', async () => {
    const { body } = await api.post('/api/v1/agents', openai());
    expect((await api.get(`/api/v1/agents/${String(body.id).toUpperCase()}`)).body).toEqual(body);
  });
});

describe('PATCH /api/v1/agents/{id}', () => {
  it('changes what is named and leaves the rest', async () => {
    const { body: created } = await api.post('/api/v1/agents', openai({ description: 'Old' }));
    const { status, body } = await api.patch(`/api/v1/agents/${created.id}`, { name: 'New', is_active: false });
    expect(status).toBe(200);
    expect(body).toEqual({ ...created, name: 'New', is_active: false, updated_at: body.updated_at });
    expect(Date.parse(body.updated_at)).toBeGreaterThanOrEqual(Date.parse(created.updated_at));
    expect((await api.get(`/api/v1/agents/${created.id}`)).body).toEqual(body);
  });

  it('merges config key by key; null removes a key', async () => {
    const config = { api_key: 'sk-old', model: 'a', headers: { 'x-a': '1', 'x-b': '2' } };
    const { body: created } = await api.post('/api/v1/agents', openai({ config }));
    const { body } = await api.patch(`/api/v1/agents/${created.id}`, {
      config: { model: null, api_key: 'sk-new', temperature: 0, headers: { 'x-c': '3' } },
    });
    expect(body.config).toEqual({ api_key: 'sk-new', temperature: 0, headers: { 'x-c': '3' } });
  });

  it('loses none of many changes made at the same time', async () => {
    const { body: created } = await api.post('/api/v1/agents', openai({ config: {} }));
    const keys = Array.from({ length: 20 }, (_, index) => `key_${index}`);
    await Promise.all(keys.map((key) => api.patch(`/api/v1/agents/${created.id}`, { config: { [key]: true } })));
    const { body } = await api.get(`/api/v1/agents/${created.id}`);
    expect(Object.keys(body.config).sort()).toEqual(keys.sort());
  });

  it('takes null as no description, and nothing as no change', async () => {
    const { body: created } = await api.post('/api/v1/agents', openai({ description: 'Old' }));
    expect((await api.patch(`/api/v1/agents/${created.id}`, {})).body.description).toBe('Old');
    expect((await api.patch(`/api/v1/agents/${created.id}`, { description: null })).body.description).toBeNull();
  });

  it('answers 404 for an unknown agent and 400 for a wrong field', async () => {
    expect((await api.patch(`/api/v1/agents/${UNKNOWN_ID}`, { name: 'x' })).body).toEqual({ error: 'Agent not found' });
    const { body: created } = await api.post('/api/v1/agents', openai());
    const { status, body } = await api.patch(`/api/v1/agents/${created.id}`, {
      is_active: 'yes',
      config: 1,
      name: null,
    });
    expect(status).toBe(400);
    for (const field of ['is_active', 'config', 'name']) expect(body.error).toContain(`${field}:`);
  });
});

describe('DELETE /api/v1/agents/{id}', () => {
  it('answers 204 with no body; then the agent is 404 everywhere', async () => {
    const { body: created } = await api.post('/api/v1/agents', openai());
    const path = `/api/v1/agents/${created.id}`;
    expect(await api.delete(path)).toMatchObject({ status: 204, body: null });
    expect((await api.get(path)).status).toBe(404);
    expect((await api.patch(path, { name: 'x' })).status).toBe(404);
    expect((await api.delete(path)).status).toBe(404);
  });
});

describe('PATCH of a field in another spelling', () => {
  it.each([
    ['camelCase for snake_case', 'openai', { api_key: 'old', keep: 1 }, { apiKey: 'new' }, { keep: 1, apiKey: 'new' }],
    ['snake_case for camelCase', 'openai', { apiKey: 'old' }, { api_key: 'new' }, { api_key: 'new' }],
    ['a removal', 'openai', { apiKey: 'old', model: 'm' }, { api_key: null }, { model: 'm' }],
    ['another name', 'vapi', { assistant_id: 'a' }, { providerId: 'b' }, { providerId: 'b' }],
    [
      'no other name of this kind',
      'openai',
      { assistant_id: 'a' },
      { provider_id: 'b' },
      { assistant_id: 'a', provider_id: 'b' },
    ],
  ])('%s leaves one spelling', async (_, provider, config, change, expected) => {
    const { body: created } = await api.post('/api/v1/agents', { name: 'Spelled', provider, config });
    const { status, body } = await api.patch(`/api/v1/agents/${created.id}`, { config: change });
    expect(status).toBe(200);
    expect(body.config).toEqual(expected);
  });
});

describe('with MASK_CREDENTIALS=true', () => {
  const config = {
    api_key: 'sk-0123456789abcdef',
    apiSecret: 'secret-0123456789',
    short_token: 'abc',
    headers: { authorization: 'Bearer 0123456789abcdef', 'x-tenant': 'clinic-number-seven' },
    storage_state: { cookies: [{ name: 'session', value: '0123456789abcdef' }] },
    token_body: { user: { pin: 'pin-0123456789' }, attempts: 3 },
    max_tokens: 512,
    base_url: 'http://127.0.0.1:9/v1',
    keyboard: 'qwertyqwertyqwerty',
  };
  let masked: TestService;
  let client: ApiClient;
  beforeAll(async () => {
    masked = await startTestService({ MASK_CREDENTIALS: 'true' }, { database: service.database });
    client = new ApiClient(masked.url);
  });
  afterAll(() => masked.close());

  it('shows secrets as four characters and bullets, everything else as stored, and stores them whole', async () => {
    const { body } = await client.post('/api/v1/agents', openai({ config }));
    expect(body.config).toEqual({
      ...config,
      api_key: 'sk-0••••••••',
      apiSecret: 'secr••••••••',
      short_token: '••••••••',
      headers: { authorization: 'Bear••••••••', 'x-tenant': 'clin••••••••' },
      storage_state: { cookies: [{ name: '••••••••', value: '0123••••••••' }] },
      token_body: { user: { pin: 'pin-••••••••' }, attempts: '••••••••' },
    });
    for (const path of [`/api/v1/agents/${body.id}`, '/api/v1/agents']) {
      const { body: read } = await client.get(path);
      expect(JSON.stringify(read)).not.toContain('0123456789');
    }
    expect((await client.patch(`/api/v1/agents/${body.id}`, { name: 'Renamed' })).body.config.api_key).toBe(
      'sk-0••••••••',
    );
    expect((await api.get(`/api/v1/agents/${body.id}`)).body.config).toEqual(config);
  });

  it('keeps every secret that is not edited, also beside one that is', async () => {
    const stored = {
      ...config,
      base_url: 'http://user:long-password-1@127.0.0.1:9/v1?api-key=address-secret-1&tenant=clinic',
      headers: { authorization: 'Bearer 0123456789', 'x-env': 'production-eu' },
    };
    const { body: created } = await client.post('/api/v1/agents', openai({ config: stored }));
    expect(created.config.base_url).toBe(
      'http://••••••••:long••••••••@127.0.0.1:9/v1?api-key=addr••••••••&tenant=clinic',
    );
    const edited = { ...created.config, headers: { ...created.config.headers, 'x-env': 'staging' } };
    await client.patch(`/api/v1/agents/${created.id}`, { config: edited });
    expect((await api.get(`/api/v1/agents/${created.id}`)).body.config).toEqual({
      ...stored,
      headers: { authorization: 'Bearer 0123456789', 'x-env': 'staging' },
    });
  });

  it('does not store a mask that a client sends back', async () => {
    const { body: created } = await client.post('/api/v1/agents', openai({ config }));
    const edited = { ...created.config, base_url: 'http://127.0.0.1:9/v2', apiSecret: 'another-secret-9876' };
    await client.patch(`/api/v1/agents/${created.id}`, { config: edited });
    expect((await api.get(`/api/v1/agents/${created.id}`)).body.config).toEqual({
      ...config,
      base_url: 'http://127.0.0.1:9/v2',
      apiSecret: 'another-secret-9876',
    });
  });
});
