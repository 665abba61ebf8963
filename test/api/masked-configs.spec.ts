import { entityTag } from '../../src/platform/http/entity-tag';
import { ApiClient } from '../setup/api-client';
import { keyVariables, KEYS } from '../setup/role-keys';
import { startTestService, type TestService } from '../setup/service';
import type { Role } from '../../contract/operation';

const SECRET = 'sk-role-0123456789abcdef';
const CONFIG = {
  base_url: 'http://127.0.0.1:9/v1?key=address-key-0123',
  api_key: SECRET,
  headers: { 'X-Tenant': 'north-wing-7', 'X-Token': 4_829_130_551 },
  system_prompt: `Never say ${SECRET}.`,
  model: 'm',
};

describe.each(['false', 'true'])('a config that was read without its secrets, with MASK_CREDENTIALS=%s', (masks) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ ...keyVariables(), MASK_CREDENTIALS: masks });
  });
  afterAll(() => service.close());

  const as = (role: Role): ApiClient => new ApiClient(service.url, { 'x-api-key': KEYS[role] });
  const create = (config: object) => as('admin').post('/api/v1/agents', { name: 'a', provider: 'openai', config });
  /** What is really stored, however it is shown. */
  const stored = async (id: string) => {
    const open = await startTestService(keyVariables(), { database: service.database });
    const { body } = await new ApiClient(open.url, { 'x-api-key': KEYS.admin }).get(`/api/v1/agents/${id}`);
    await open.close();
    return body.config;
  };

  it.each(['viewer', 'admin'] as const)('keeps them when it is sent back as a %s has read it', async (role) => {
    const { body: agent } = await create(CONFIG);
    const { body: read } = await as(role).get(`/api/v1/agents/${agent.id}`);
    const changed = { ...read.config, headers: { ...read.config.headers, 'X-Env': 'staging' }, temperature: 1 };
    expect((await as('admin').patch(`/api/v1/agents/${agent.id}`, { config: changed })).status).toBe(200);
    expect(await stored(agent.id)).toEqual({
      ...CONFIG,
      headers: { ...CONFIG.headers, 'X-Env': 'staging' },
      temperature: 1,
    });
  });

  it('has a tag against which nobody can try out guesses of a secret that another field repeats', async () => {
    const { body: agent } = await create(CONFIG);
    const { body: read, headers } = await as('viewer').get(`/api/v1/agents/${agent.id}`);
    const { warnings, ...shown } = read;
    expect(warnings).toEqual([]);
    for (const config of [
      { ...shown.config, system_prompt: CONFIG.system_prompt },
      { ...shown.config, ...CONFIG },
    ]) {
      expect(entityTag({ ...shown, config })).not.toBe(headers.get('etag'));
    }
  });

  it('is refused where a mask stands for nothing that is stored, and the field is named', async () => {
    const { body: agent } = await create(CONFIG);
    const { body: read } = await as('viewer').get(`/api/v1/agents/${agent.id}`);
    for (const [field, config] of [
      ['config.model', { ...read.config, model: read.config.api_key }],
      ['config.headers', { headers: { 'X-Else': 'nort••••••••' } }],
      ['config.base_url', { base_url: read.config.base_url.replace('/v1', '/v2') }],
    ]) {
      const refused = await as('admin').patch(`/api/v1/agents/${agent.id}`, { config });
      expect(refused).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining(`${field} holds bullets`) },
      });
      expect(await stored(agent.id)).toEqual(CONFIG);
    }
  });

  it('makes no other agent', async () => {
    const { body: agent } = await create(CONFIG);
    const { body: read } = await as('viewer').get(`/api/v1/agents/${agent.id}`);
    const error = expect.stringContaining('config.base_url, config.api_key, config.headers hold bullets');
    expect(await create(read.config)).toMatchObject({ status: 400, body: { error } });
    const tried = { provider: 'openai', config: read.config };
    expect(await as('runner').post('/api/v1/agents/try', tried)).toMatchObject({ status: 400, body: { error } });
  });
});

describe('MASK_CREDENTIALS', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ MASK_CREDENTIALS: 'true' });
  });
  afterAll(() => service.close());

  it('keeps a secret that another field repeats out of every answer to an admin, too', async () => {
    const api = new ApiClient(service.url);
    const created = await api.post('/api/v1/agents', { name: 'a', provider: 'openai', config: CONFIG });
    const place = `/api/v1/agents/${created.body.id}`;
    const answers = [
      created,
      await api.get(place),
      await api.get('/api/v1/agents'),
      await api.patch(place, { config: { temperature: 1 } }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBeLessThan(300);
      expect(JSON.stringify(body)).toContain('Never say');
      expect(JSON.stringify(body)).not.toContain(SECRET);
    }
  });
});
