import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { startTestService, type TestService } from '../setup/service';

const KEY = 'sk-0123456789abcdef';
const SERVICE_KEY = 'sk-of-the-service-0123456789';

let service: TestService;
let masked: TestService;
let elsewhere: FakeAgent;
beforeAll(async () => {
  service = await startTestService();
  masked = await startTestService({ MASK_CREDENTIALS: 'true' }, { database: service.database });
  elsewhere = await startFakeOpenAi();
});
afterAll(async () => {
  await masked.close();
  await service.close();
  await elsewhere.close();
});

const create = async (api: ApiClient, provider: string, config: object) => {
  const { status, body } = await api.post('/api/v1/agents', { name: 'Moving', provider, config });
  expect(status).toBe(201);
  return body;
};
const change = (api: ApiClient, id: string, config: object) => api.patch(`/api/v1/agents/${id}`, { config });

describe.each([
  ['as stored', () => new ApiClient(service.url)],
  ['masked', () => new ApiClient(masked.url)],
])('an agent whose address is changed, credentials shown %s', (_, client) => {
  it('keeps its key from the new server', async () => {
    const api = client();
    const agent = await create(api, 'openai', { base_url: 'http://127.0.0.1:9/v1', api_key: KEY });
    const { status, body } = await change(api, agent.id, { base_url: elsewhere.baseUrl });
    expect(status).toBe(400);
    expect(body.error).toMatch(/config\.base_url.*api_key/);
    expect(body.error).not.toContain(KEY);
    // What was masked and sent back is the stored secret too.
    const whole = { ...agent.config, base_url: elsewhere.baseUrl };
    if (whole.api_key !== KEY) expect((await change(api, agent.id, whole)).status).toBe(400);
    await api.post(`/api/v1/agents/${agent.id}/try`);
    expect(elsewhere.requests).toEqual([]);
  });

  it('takes the new address with the secrets, or without those that are removed', async () => {
    const api = client();
    const config = { base_url: 'http://127.0.0.1:9/v1', api_key: KEY, headers: { 'x-tenant': 'clinic' }, model: 'm' };
    const agent = await create(api, 'openai', config);
    const only = await change(api, agent.id, { base_url: 'https://b.example', api_key: 'sk-another-key-of-mine' });
    expect(only).toMatchObject({ status: 400, body: { error: expect.stringContaining('headers') } });
    expect(only.body.error).not.toContain('api_key');
    const both = { base_url: 'https://b.example', api_key: 'sk-another-key-of-mine', headers: null };
    expect((await change(api, agent.id, both)).status).toBe(200);
  });
});

describe('a changed origin', () => {
  const LIVEKIT = { api_key: 'APIkey0123456789', api_secret: 'secret-0123456789' };
  const BROWSER = { headers: { 'x-a': 'header-value-1' }, storage_state: { cookies: [], origins: [] } };

  it.each<[string, string, object, object, string[]]>([
    [
      'another host',
      'openai',
      { base_url: 'https://a.example/v1', api_key: KEY },
      { base_url: 'https://b.example/v1' },
      ['api_key'],
    ],
    [
      'another port',
      'openai',
      { base_url: 'https://a.example/v1', api_key: KEY },
      { base_url: 'https://a.example:8443/v1' },
      ['api_key'],
    ],
    [
      'another scheme',
      'openai',
      { base_url: 'https://a.example/v1', api_key: KEY },
      { base_url: 'http://a.example/v1' },
      ['api_key'],
    ],
    [
      'camelCase',
      'openai',
      { baseUrl: 'https://a.example/v1', apiKey: KEY },
      { baseUrl: 'https://b.example/v1' },
      ['apiKey'],
    ],
    [
      'the other spelling',
      'openai',
      { base_url: 'https://a.example/v1', apiKey: KEY },
      { baseUrl: 'https://b.example/v1' },
      ['apiKey'],
    ],
    ['an address where the default was', 'openai', { api_key: KEY }, { base_url: 'https://b.example/v1' }, ['api_key']],
    [
      'the default where an address was',
      'openai',
      { base_url: 'https://a.example/v1', api_key: KEY },
      { base_url: null },
      ['api_key'],
    ],
    [
      'the default by an empty text',
      'openai',
      { baseUrl: 'https://a.example/v1', base_url: 'https://b.example', api_key: KEY },
      { base_url: null },
      ['api_key'],
    ],
    [
      'an address after nonsense',
      'openai',
      { base_url: 'nonsense', api_key: KEY },
      { base_url: 'https://b.example' },
      ['api_key'],
    ],
    [
      'headers',
      'openai',
      { base_url: 'https://a.example', headers: { 'x-anything': 'v' } },
      { base_url: 'https://b.example' },
      ['headers'],
    ],
    [
      'a secret of an unknown name',
      'openai',
      { base_url: 'https://a.example', subscription_key: KEY },
      { base_url: 'https://b.example' },
      ['subscription_key'],
    ],
    ['vapi', 'vapi', { api_key: KEY, assistant_id: 'a' }, { api_base: 'https://b.example' }, ['api_key']],
    ['vapi', 'vapi', { apiKey: KEY, apiBase: 'https://a.example' }, { apiBase: 'https://b.example' }, ['apiKey']],
    [
      'http, with a key in its body',
      'http',
      { url: 'https://a.example/{{session_id}}', body: { q: '{{message}}', token: KEY }, headers: { 'x-a': 'v' } },
      { url: 'https://b.example/{{session_id}}' },
      ['body', 'headers'],
    ],
    [
      'livekit',
      'livekit',
      { url: 'wss://a.example', ...LIVEKIT },
      { url: 'wss://b.example' },
      ['api_key', 'api_secret'],
    ],
    ['livekit', 'livekit', { url: 'wss://a.example', token: 'token-0123456789' }, { url: 'ws://a.example' }, ['token']],
    [
      'token_url',
      'livekit',
      {
        url: 'wss://a.example',
        token_url: 'https://t.example',
        token_headers: { authorization: 'Bearer x' },
        tokenBody: { a: 'b' },
      },
      { tokenUrl: 'https://u.example' },
      ['token_headers', 'tokenBody'],
    ],
    ['pipecat', 'pipecat', { api_key: KEY, agent_name: 'a' }, { base_url: 'https://b.example' }, ['api_key']],
    [
      'transport_url',
      'pipecat',
      {
        api_key: KEY,
        transport_url: 'wss://a.example',
        transport_api_key: 'k-0123456789',
        livekitApiSecret: 's-0123456789',
      },
      { livekit_url: 'wss://b.example' },
      ['transport_api_key', 'livekitApiSecret'],
    ],
    ['browser', 'browser', { url: 'https://a.example', ...BROWSER }, { url: 'https://b.example' }, ['headers']],
    [
      'cookies',
      'browser',
      {
        url: 'https://a.example',
        storage_state: { cookies: [{ name: 'sid', value: 'a-session', domain: 'a.example' }] },
      },
      { url: 'https://b.example' },
      ['storage_state'],
    ],
  ])('asks for the secrets again: %s of %s', async (_, provider, config, changes, again) => {
    const api = new ApiClient(service.url);
    const agent = await create(api, provider, config);
    const { status, body } = await change(api, agent.id, changes);
    expect(status).toBe(400);
    for (const name of again) expect(body.error).toContain(name);
    expect((await api.get(`/api/v1/agents/${agent.id}`)).body).toEqual(agent);
  });

  it.each<[string, string, object, object]>([
    [
      'another path',
      'openai',
      { base_url: 'https://a.example/v1', api_key: KEY },
      { base_url: 'https://a.example/v2?x=1' },
    ],
    [
      'another way to write it',
      'openai',
      { base_url: 'https://a.example/v1', api_key: KEY },
      { base_url: ' HTTPS://A.example:443/v1 ' },
    ],
    [
      'another spelling',
      'openai',
      { base_url: 'https://a.example/v1', api_key: KEY },
      { baseUrl: 'https://a.example/v1' },
    ],
    ['the default by name', 'openai', { api_key: KEY }, { base_url: 'https://api.openai.com/v1' }],
    ['no secret stored', 'openai', { base_url: 'https://a.example', model: 'm' }, { base_url: 'https://b.example' }],
    ['no address any more', 'pipecat', { api_key: KEY, transport_url: 'wss://a.example' }, { transport_url: null }],
    ['an address that this kind does not have', 'vapi', { api_key: KEY }, { base_url: 'https://b.example' }],
    [
      'something else',
      'openai',
      { base_url: 'https://a.example/v1', api_key: KEY },
      { model: 'm', api_key: 'sk-new-0123456789' },
    ],
  ])('is not %s', async (_, provider, config, changes) => {
    const api = new ApiClient(service.url);
    const agent = await create(api, provider, config);
    expect((await change(api, agent.id, changes)).status).toBe(200);
  });

  it('cannot be hidden by removing the address first', async () => {
    const api = new ApiClient(service.url);
    const agent = await create(api, 'livekit', { url: 'wss://a.example', ...LIVEKIT });
    expect((await change(api, agent.id, { url: null })).status).toBe(200);
    expect((await change(api, agent.id, { url: 'wss://b.example' })).status).toBe(400);
  });
});

describe("the service's own OPENAI_API_KEY", () => {
  const keyless = async (variables: Record<string, string>, baseUrl: string) => {
    const own = await startTestService({ OPENAI_API_KEY: SERVICE_KEY, ...variables }, { database: service.database });
    const api = new ApiClient(own.url);
    const agent = await create(api, 'openai', { base_url: baseUrl, max_retries: 0 });
    const { body } = await api.post(`/api/v1/agents/${agent.id}/try`);
    await own.close();
    return body;
  };

  it('goes to no host that nobody named, and the error says so', async () => {
    const picky = await startFakeOpenAi({ apiKey: SERVICE_KEY });
    const body = await keyless({}, picky.baseUrl);
    expect(body).toMatchObject({ ok: false, error_code: 'auth_failed' });
    expect(body.error).toMatch(/OPENAI_API_KEY is not sent to 127\.0\.0\.1:\d+.*OPENAI_API_KEY_HOSTS/);
    expect(picky.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    await picky.close();
  });

  it('goes to the hosts of OPENAI_API_KEY_HOSTS', async () => {
    const picky = await startFakeOpenAi({ apiKey: SERVICE_KEY });
    const { host } = new URL(picky.origin);
    expect(await keyless({ OPENAI_API_KEY_HOSTS: host }, picky.baseUrl)).toMatchObject({ ok: true });
    expect(await keyless({ OPENAI_API_KEY_HOSTS: '127.0.0.1:1, *.example' }, picky.baseUrl)).toMatchObject({
      ok: false,
    });
    await picky.close();
  });

  it('is not missed by a server that asks for none', async () => {
    const open = await startFakeOpenAi();
    expect(await keyless({}, open.baseUrl)).toMatchObject({ ok: true });
    expect(open.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    await open.close();
  });
});
