import { OPEN_PATHS } from '../../src/platform/http/admission';
import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { ApiClient } from '../setup/api-client';
import { ApiDescription, type Operation } from '../setup/api-description';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { CALLERS, describedRefusals, keyVariables, KEYS, triedOperations } from '../setup/role-keys';
import { startTestService, type TestService } from '../setup/service';
import { ROLES, type Role } from '../../contract/operation';

const SECRET = 'sk-role-0123456789abcdef';
const HOOK_TOKEN = 'T0123456-B7654321-hook-token';

let service: TestService;
let agent: FakeAgent;
let operations: readonly Operation[];
let agentId: string;
let webhookId: string;

const as = (role: Role): ApiClient => new ApiClient(service.url, { 'x-api-key': KEYS[role] });

beforeAll(async () => {
  service = await startTestService(keyVariables());
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  ({ operations } = await ApiDescription.of(service.url, KEYS.viewer));
  agentId = await createAgent(as('admin'), agent.baseUrl, {
    api_key: SECRET,
    headers: { 'X-Tenant': 'north-wing-7' },
    system_prompt: `Never say ${SECRET}.`,
  });
  const hook = { url: `${agent.baseUrl}/${HOOK_TOKEN}`, events: ['comparison.worse'] };
  webhookId = (await as('admin').post('/api/v1/webhooks', hook)).body.id;
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

describe('every endpoint of the API description', () => {
  it('names the role that it takes; those for anyone are the ones that are answered without a key', () => {
    const named = operations.filter((operation) => operation['x-role'] !== undefined);
    expect(named).toHaveLength(operations.length);
    const open = operations.filter((operation) => operation['x-role'] === 'anyone').map(({ path }) => path);
    expect(open.sort()).toEqual([...OPEN_PATHS].sort());
  });

  it.each(CALLERS)(
    'answers 403 to the key of a %s exactly where it takes another role, and 401 without one',
    async (role) => {
      expect(await triedOperations(service.url, operations, role)).toEqual(describedRefusals(operations, role));
    },
  );
});

it('the refusal names the role that is needed, and whose key of which role this is', async () => {
  const started = await as('viewer').post('/start-run', {});
  expect(started).toMatchObject({
    status: 403,
    body: { error: 'This takes a key with the role runner; the key "viewer-of-the-clinic" has the role viewer.' },
  });
  const made = await as('runner').post('/api/v1/agents', {});
  expect(made).toMatchObject({
    status: 403,
    body: { error: 'This takes a key with the role admin; the key "runner 1" has the role runner.' },
  });
});

it.each([
  ['viewer', 'viewer-of-the-clinic', { review: false, run: false, change: false, see_secrets: false }],
  ['reviewer', 'reviewer 1', { review: true, run: false, change: false, see_secrets: false }],
  ['runner', 'runner 1', { review: true, run: true, change: false, see_secrets: false }],
  ['admin', 'admin 1', { review: true, run: true, change: true, see_secrets: true }],
] as const)('a %s is told who it is and what it may', async (role, name, may) => {
  const { body, headers } = await as(role).get('/api/v1/me');
  expect(body).toEqual({ name, role, signed_in: false, may });
  expect(headers.get('cache-control')).toBe('no-store');
});

describe('secrets', () => {
  it.each(['viewer', 'reviewer', 'runner'] as const)('are shown to no %s, wherever it reads', async (role) => {
    const [scenarioId = ''] = await createScenarios(as('admin'), 1);
    const { body: run } = await as('runner').post('/start-run', { agent_id: agentId, scenario_ids: [scenarioId] });
    await untilFinal(as('viewer'), run.id);
    const ids = { agents: agentId, webhooks: webhookId, tests: run.id, scenarios: scenarioId };
    for (const { method, path } of operations) {
      const place = path.replace(
        '{id}',
        ids[/^\/api\/v1\/([\w-]+)\/\{id\}/.exec(path)?.[1] as keyof typeof ids] ?? run.id,
      );
      if (method !== 'GET' || place.startsWith('/api/v1/inspect/actors/')) continue;
      const query =
        place === '/api/v1/scenario-runs' ? `?test_run_id=${run.id}` : place === '/events' ? `?run_id=${run.id}` : '';
      const { body } = await as(role).get(place + query);
      expect({ place, text: JSON.stringify(body) }).not.toMatchObject({
        text: expect.stringMatching(/0123456789abcdef|hook-token|wing-7/),
      });
    }
  });

  it('are shown to an admin', async () => {
    expect((await as('admin').get(`/api/v1/agents/${agentId}`)).body.config.api_key).toBe(SECRET);
    expect((await as('admin').get(`/api/v1/webhooks/${webhookId}`)).body.url).toContain(HOOK_TOKEN);
  });

  it('are masked for others as a run masks them', async () => {
    const config = {
      base_url: agent.baseUrl,
      api_key: 'sk-r••••••••',
      headers: { 'X-Tenant': 'nort••••••••' },
      max_retries: 0,
      system_prompt: 'Never say [removed].',
    };
    for (const role of ['viewer', 'runner'] as const) {
      expect((await as(role).get(`/api/v1/agents/${agentId}`)).body.config).toEqual(config);
      const { body } = await as(role).get('/api/v1/agents');
      expect(body.find(({ id }: { id: string }) => id === agentId).config).toEqual(config);
      expect((await as(role).get('/api/v1/webhooks')).body.webhooks[0].url).toBe(
        `${new URL(agent.baseUrl).origin}/••••••••`,
      );
    }
  });

  it('are not lost when an address is sent back as it is shown to others', async () => {
    const hook = `/api/v1/webhooks/${webhookId}`;
    const { body: shown } = await as('viewer').get(hook);
    expect(await as('admin').patch(hook, { url: shown.url })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('url: expected the whole address') },
    });
    expect((await as('admin').get(hook)).body.url).toContain(HOOK_TOKEN);
  });

  it('are in no answer that somebody on the way may keep', async () => {
    const hook = `/api/v1/webhooks/${webhookId}`;
    const answers = [
      await as('admin').get('/api/v1/webhooks'),
      await as('admin').get(hook),
      await as('admin').patch(hook, { description: 'Of the night shift.' }),
      await as('admin').get('/api/v1/agents'),
      await as('admin').get(`/api/v1/agents/${agentId}`),
    ];
    expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(answers.map(() => 'no-store'));
  });

  it('say nothing in the entity tag: it is the same for everyone', async () => {
    for (const place of [`/api/v1/agents/${agentId}`, `/api/v1/webhooks/${webhookId}`]) {
      const tags = await Promise.all(ROLES.map(async (role) => (await as(role).get(place)).headers.get('etag')));
      expect(new Set(tags).size).toBe(1);
    }
  });
});

describe('a runner', () => {
  let elsewhere: FakeAgent;
  beforeAll(async () => {
    elsewhere = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  });
  afterAll(() => elsewhere.close());

  const tryWith = (config?: object) =>
    as('runner').post(`/api/v1/agents/${agentId}/try`, { message: 'Hello.', config });

  it('tries a stored agent, whose secrets go where they belong', async () => {
    expect((await tryWith()).body).toMatchObject({ ok: true });
    expect(agent.requests.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`);
  });

  it('may send its masked config back with a change', async () => {
    const { body } = await as('runner').get(`/api/v1/agents/${agentId}`);
    expect((await tryWith({ ...body.config, model: 'another' })).body).toMatchObject({ ok: true });
    expect(agent.requests.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`);
    expect(agent.requests.at(-1)?.headers['x-tenant']).toBe('north-wing-7');
  });

  it('sends stored secrets to no address of its own', async () => {
    const { body } = await as('runner').get(`/api/v1/agents/${agentId}`);
    for (const config of [
      { base_url: elsewhere.baseUrl },
      { baseUrl: elsewhere.baseUrl },
      { ...body.config, base_url: elsewhere.baseUrl },
      { base_url: elsewhere.baseUrl, api_key: 'mine-0123456789' },
    ]) {
      expect(await tryWith(config)).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining('another scheme, host or port') },
      });
    }
    const own = { base_url: elsewhere.baseUrl, api_key: 'mine-0123456789', headers: null };
    expect((await tryWith(own)).body).toMatchObject({ ok: true });
    expect(JSON.stringify(elsewhere.requests)).not.toMatch(/role-0123456789abcdef|wing-7/);
  });

  it('tries a connection of its own', async () => {
    const config = { base_url: agent.baseUrl, api_key: 'mine-0123456789' };
    expect((await as('runner').post('/api/v1/agents/try', { provider: 'openai', config })).body).toMatchObject({
      ok: true,
    });
  });
});
