import { randomUUID } from 'node:crypto';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { ApiDescription } from '../setup/api-description';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let description: ApiDescription;
let agentId: string;
let scenarioId: string;

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  agent = await startFakeOpenAi();
  description = await ApiDescription.of(service.url);
  agentId = await createAgent(api, agent.baseUrl);
  [scenarioId = ''] = await createScenarios(api, 1);
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

async function recordsOf(query: Readonly<Record<string, string>>): Promise<Answer['body'][]> {
  const { status, body } = await api.get(`/api/v1/audit?${new URLSearchParams(query).toString()}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.records;
}

/** What the trail says of the answer, once it says how it ended. */
async function recordOf({ headers }: Answer): Promise<Answer['body']> {
  const requestId = headers.get('x-request-id');
  let found: Answer['body'];
  await eventually(async () => {
    found = (await recordsOf({ limit: '100' })).find(({ request_id: id }) => id === requestId);
    expect(found).toMatchObject({ status: expect.any(Number) });
  });
  return found;
}

describe('A change is recorded', () => {
  it('at every endpoint that is not for reading, whatever comes of it', async () => {
    const changing = description.operations.filter(
      ({ method, path }) =>
        method !== 'GET' && !['/api/v1/scenarios/lint', '/api/v1/scenarios/try', '/api/v1/sign-out'].includes(path),
    );
    expect(changing.length).toBeGreaterThan(25);
    for (const { method, path } of changing) {
      const id = randomUUID();
      const answer = await api.send(method, path.replace(/\{[^}]+\}/g, id), {
        headers: { 'content-type': 'application/json' },
        ...(method !== 'DELETE' && { body: '{}' }),
      });
      const resource = /^[/]api[/]v1[/]([^/]+)/.exec(path)?.[1] ?? 'tests';
      expect(await recordOf(answer)).toMatchObject({
        method,
        route: path,
        resource,
        who: 'anyone',
        role: 'admin',
        address: expect.stringContaining('127.0.0.1'),
        // What is unknown names nothing, and may be a key that was pasted there.
        resource_ids: path.includes('{') && answer.status !== 404 ? [id] : [],
        status: answer.status,
        outcome: answer.status < 300 ? 'done' : 'refused',
      });
    }
  });

  it('and what only looks like one is not', async () => {
    const linted = await api.post('/api/v1/scenarios/lint', {});
    await recordOf(await api.post('/api/v1/agents', {}));
    const kept = await recordsOf({ limit: '100' });
    expect(kept.map(({ request_id: id }) => id)).not.toContain(linted.headers.get('x-request-id'));
  });

  it('with what it made, what it named, and when', async () => {
    const before = new Date();
    const created = await api.post('/api/v1/agents', {
      name: 'Recorded',
      provider: 'openai',
      config: { base_url: agent.baseUrl, apiKey: 'sk-recorded', 'my own': 1 },
    });
    const record = await recordOf(created);
    expect(record).toMatchObject({
      resource_ids: [created.body.id],
      fields: ['name', 'provider', 'config', 'config.base_url', 'config.api_key', 'config.*'],
      outcome: 'done',
      status: 201,
      replayed: false,
    });
    // Two clocks of one machine, and the milliseconds that a column keeps.
    expect(new Date(record.at).getTime()).toBeGreaterThanOrEqual(before.getTime() - 1_000);
    expect(new Date(record.completed_at).getTime()).toBeGreaterThanOrEqual(new Date(record.at).getTime());
    const changed = await api.patch(`/api/v1/agents/${created.body.id}`, { description: 'x', is_active: false });
    expect(await recordOf(changed)).toMatchObject({ fields: ['description', 'is_active'], status: 200 });
  });

  it('is found by a run’s label where every request named its id, also when the run is deleted', async () => {
    const started = await api.post('/start-run', { agent_id: agentId, scenario_ids: [scenarioId] });
    const { id, test_run_id: label } = started.body;
    await api.post('/cancel-run', { test_run_id: id });
    await untilFinal(api, id);
    const found = async () =>
      (await recordsOf({ resource_id: label })).map(({ method, route }) => `${method} ${route}`);
    // The id of what was started is known with its ending, which is written beside the answer.
    await eventually(async () => expect(await found()).toEqual(['POST /cancel-run', 'POST /start-run']));
    await api.delete(`/api/v1/tests/${id}`);
    await eventually(async () => {
      expect(await found()).toEqual(['DELETE /api/v1/tests/{id}', 'POST /cancel-run', 'POST /start-run']);
    });
  });

  it('of a run under its id and its label, however it is named', async () => {
    const started = await api.post('/start-run', { agent_id: agentId, scenario_ids: [scenarioId] });
    const { id, test_run_id: label } = started.body;
    expect(await recordOf(started)).toMatchObject({
      resource: 'tests',
      resource_ids: [id],
      fields: ['agent_id', 'scenario_ids'],
    });
    expect(await recordOf(await api.post('/cancel-run', { test_run_id: label }))).toMatchObject({
      resource_ids: [label, id],
    });
    await untilFinal(api, id);
    await api.delete(`/api/v1/tests/${label}`);
    await eventually(async () => {
      expect((await recordsOf({ resource_id: id })).map(({ method, route }) => `${method} ${route}`)).toEqual([
        'DELETE /api/v1/tests/{id}',
        'POST /cancel-run',
        'POST /start-run',
      ]);
    });
  });

  it('with all runs of a set that was started together, by whose ids it is found', async () => {
    const agents = ['1', '2'].map((agent_version) => ({ agent_id: agentId, agent_version }));
    const started = await api.post('/start-run-set', { agents, scenario_ids: [scenarioId] });
    const ids = started.body.runs.map(({ id }: { id: string }) => id);
    expect(await recordOf(started)).toMatchObject({
      resource: 'tests',
      resource_ids: [started.body.id, ...ids],
      fields: ['agents', 'scenario_ids'],
    });
    const canceled = await api.post(`/api/v1/run-sets/${started.body.id}/cancel`, {});
    expect(await recordOf(canceled)).toMatchObject({
      resource: 'run-sets',
      resource_ids: [started.body.id, ...ids],
      fields: [],
    });
  });

  it('as a repetition when the answer is one', async () => {
    const send = () =>
      api.send('POST', '/api/v1/test-suites', {
        headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
        body: JSON.stringify({ name: 'Once', scenario_ids: [scenarioId] }),
      });
    const [first, again] = [await send(), await send()];
    expect(again.body.id).toBe(first.body.id);
    expect(await recordOf(first)).toMatchObject({ replayed: false, resource_ids: [first.body.id] });
    expect(await recordOf(again)).toMatchObject({ replayed: true, resource_ids: [first.body.id] });
  });
});

it('What is read is not recorded', async () => {
  const [{ number: newest }] = await recordsOf({ limit: '1' });
  for (const path of ['/api/v1/agents', '/api/v1/tests', '/health', `/api/v1/agents/${agentId}`]) await api.get(path);
  await api.send('HEAD', '/api/v1/agents', {});
  expect((await recordsOf({ limit: '1' }))[0].number).toBe(newest);
});

describe('GET /api/v1/audit', () => {
  it('is asked by time, key, method, type and id', async () => {
    const [{ at }] = await recordsOf({ limit: '1', resource: 'test-suites' });
    const suite = await api.post('/api/v1/test-suites', { name: 'Asked for', scenario_ids: [scenarioId] });
    const { id } = suite.body;
    const { number } = await recordOf(suite);
    await recordOf(await api.patch(`/api/v1/test-suites/${id}`, { name: 'Another' }));
    const found = async (query: Readonly<Record<string, string>>) =>
      (await recordsOf({ resource_id: id, ...query })).map(({ method }) => method);
    expect(await found({})).toEqual(['PATCH', 'POST']);
    expect(await found({ resource_id: id.toUpperCase() })).toEqual(['PATCH', 'POST']);
    expect(await found({ method: 'POST' })).toEqual(['POST']);
    expect(await found({ resource: 'test-suites', who: 'anyone' })).toEqual(['PATCH', 'POST']);
    expect(await found({ resource: 'agents' })).toEqual([]);
    expect(await found({ who: 'somebody' })).toEqual([]);
    expect(await found({ since: at })).toEqual(['PATCH', 'POST']);
    expect(await found({ since: '2100-01-01T00:00:00+02:00' })).toEqual([]);
    expect(await found({ until: '0000-01-01T00:00:00Z' })).toEqual([]);
    expect(await found({ until: '9999-12-31T23:59:59Z' })).toEqual(['PATCH', 'POST']);
    expect(await found({ before: String(number) })).toEqual([]);
    expect(await found({ before: String(number + 1) })).toEqual(['POST']);
  });

  it('is paged, newest first', async () => {
    const { body: first } = await api.get('/api/v1/audit?limit=2');
    const { body: second } = await api.get('/api/v1/audit?limit=2&offset=2');
    const numbers = [...first.records, ...second.records].map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => b - a));
    expect(first.total).toBeGreaterThan(30);
  });

  it('is counted on the first page alone when its pages follow each other by number', async () => {
    const { body: first } = await api.get('/api/v1/audit?limit=2');
    const { body: next } = await api.get(`/api/v1/audit?limit=2&before=${first.records[1].number}`);
    expect(next.records).toHaveLength(2);
    expect({ first: first.total, next: next.total }).toEqual({ first: expect.any(Number), next: null });
  });

  it.each([
    ['since', 'yesterday'],
    ['until', '2026-13-01T00:00:00Z'],
    ['since', '2026-01-01'],
    ['method', 'GET'],
    ['who', ' '],
    ['resource_id', 'x'.repeat(201)],
    ['before', '0'],
    ['before', '99999999999999999999'],
    ['limit', '0'],
    ['offset', '-1'],
    ['resource', 'a\u0000b'],
  ])('refuses %s=%j in words', async (name, value) => {
    const { status, body } = await api.get(`/api/v1/audit?${new URLSearchParams({ [name]: value }).toString()}`);
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.stringContaining(`${name}: `) } });
  });

  it('can be neither written nor deleted', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await api.send(method, '/api/v1/audit', {})).status).toBe(404);
      expect((await api.send(method, '/api/v1/audit/1', {})).status).toBe(404);
    }
  });
});
