import { sendJson, startHttpStub, type HttpStub } from '../fakes/http-stub';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createAgent } from '../setup/examination';
import { keyVariables, KEYS } from '../setup/role-keys';
import { startTestService, type TestService } from '../setup/service';
import type { Role } from '../../contract/operation';

const SECRET = 'sk-role-0123456789abcdef';

let service: TestService;
let vendor: HttpStub;
beforeAll(async () => {
  service = await startTestService(keyVariables());
  vendor = await startHttpStub((response, { headers }) => {
    sendJson(response, 200, { reply: `I was called with ${headers.authorization}` });
  });
});
afterAll(async () => {
  await service.close();
  await vendor.close();
});

const as = (role: Role): ApiClient => new ApiClient(service.url, { 'x-api-key': KEYS[role] });
const body = { text: '{{message}}' };
const httpAgent = async (): Promise<string> => {
  const headers = { Authorization: `Bearer ${SECRET}` };
  const config = { url: `${vendor.origin}/chat`, headers, body, reply_path: 'reply' };
  const made = await as('admin').post('/api/v1/agents', { name: 'a', provider: 'http', config });
  return made.body.id;
};
const tryAs = (role: Role, id: string, config: object) =>
  as(role).post(`/api/v1/agents/${id}/try`, { message: 'Hello.', config });

describe('a runner that tries a stored agent with changes', () => {
  it.each<[string, object]>([
    ['another path', { url: '/admin/keys?for=runner' }],
    ['another method', { method: 'PUT' }],
    ['another body', { body: { role: 'owner', note: '{{message}}' } }],
    ['another place of the reply', { reply_path: 'made' }],
    ['another body, the masks sent back', { body: { role: 'owner' }, headers: { Authorization: 'Bear••••••••' } }],
    ['a field that nobody knows', { '0': { token: 'mine-0123456789' } }],
  ])('cannot use its stored secrets for %s', async (_, change) => {
    const id = await httpAgent();
    const config = 'url' in change ? { url: `${vendor.origin}${String(change.url)}` } : change;
    const before = vendor.requests.length;
    expect(await tryAs('runner', id, config)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/config\.headers/) },
    });
    expect(vendor.requests).toHaveLength(before);
    const own = { ...config, headers: { Authorization: 'Bearer mine-0123456789' } };
    expect((await tryAs('runner', id, own)).status).toBe(200);
    expect(vendor.requests.at(-1)?.headers.authorization).toBe('Bearer mine-0123456789');
  });

  it('may change what is harmless, with them', async () => {
    const agent = await startFakeOpenAi();
    const id = await createAgent(as('admin'), agent.baseUrl, { api_key: SECRET, model: 'm' });
    const changes = {
      targetModel: 'n',
      system_prompt: 'Be brief.',
      temperature: 0,
      max_tokens: 100,
      turn_timeout_ms: 5_000,
      max_retries: 0,
      requests_per_minute: 600,
    };
    expect((await tryAs('runner', id, changes)).body).toMatchObject({ ok: true });
    expect(agent.requests.at(-1)).toMatchObject({
      headers: { authorization: `Bearer ${SECRET}` },
      body: { model: 'n' },
    });
    await agent.close();
  });

  it('may change anything of an agent without secrets', async () => {
    const config = { url: `${vendor.origin}/chat`, body, reply_path: 'reply' };
    const made = await as('admin').post('/api/v1/agents', { name: 'a', provider: 'http', config });
    expect((await tryAs('runner', made.body.id, { method: 'PUT' })).body).toMatchObject({ ok: true });
  });
});

it('an admin may try them with any change', async () => {
  const id = await httpAgent();
  expect((await tryAs('admin', id, { url: `${vendor.origin}/v2` })).body).toMatchObject({ ok: true });
  expect(vendor.requests.at(-1)).toMatchObject({ path: '/v2', headers: { authorization: `Bearer ${SECRET}` } });
});

it('a stored secret is removed from the reply, however many others a change brings', async () => {
  const id = await httpAgent();
  const token = Array.from({ length: 120 }, (_, n) => `filler-secret-${1_000 + n}`);
  const { body: tried } = await tryAs('admin', id, { '0': { token } });
  expect(tried).toMatchObject({ ok: true, reply: expect.not.stringContaining(SECRET) });
});
