import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import { AuditStore } from '../../src/features/audit/audit.store';
import { CONFIG_FIELDS } from '../../src/agents/config';
import { ApiClient, type Answer } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios } from '../setup/examination';
import { storeGradedRun } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';

/** Nobody answers there, and nothing here calls it. */
const NOWHERE = 'http://127.0.0.1:9/v1';

let service: TestService;
let api: ApiClient;
let agentId: string;
let scenarioId: string;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  agentId = await createAgent(api, NOWHERE);
  [scenarioId = ''] = await createScenarios(api, 1);
});
afterAll(() => service.close());

/** The records that match, once the newest says how it ended. */
async function recordsOf(query: string): Promise<Answer['body'][]> {
  let records: Answer['body'][] = [];
  await eventually(async () => {
    ({ records } = (await api.get(`/api/v1/audit?${query}`)).body);
    expect(records[0]).toMatchObject({ status: expect.any(Number) });
  });
  return records;
}

async function scheduledRun(): Promise<{ readonly id: string; readonly label: string }> {
  const { status, body } = await api.post('/start-run', {
    agent_id: agentId,
    scenario_ids: [scenarioId],
    scheduled_at: '9000-01-31T09:00:00Z',
  });
  expect(status).toBe(200);
  return { id: body.id, label: body.test_run_id };
}

function storedRun(): Promise<string> {
  const scenario = { id: scenarioId, name: 'Scenario', outcomes: ['passed'] };
  return storeGradedRun(service.app.get(Database), [scenario], { agentId });
}

it('What a change named is recorded in full, however many names stand in front of it', async () => {
  const named = ['base_url', 'api_key', 'headers'];
  const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const others = [...CONFIG_FIELDS].filter((name) => !named.includes(name) && name !== 'model');
  const padding = Object.fromEntries(others.flatMap((name) => [name, camelCase(name)]).map((name) => [name, null]));
  expect(Object.keys(padding).length).toBeGreaterThan(64);
  const config = { ...padding, base_url: NOWHERE, api_key: 'sk-named-0123456789', headers: { 'x-team': 'b' } };
  expect((await api.patch(`/api/v1/agents/${agentId}`, { config })).status).toBe(200);
  const [{ fields }] = await recordsOf('method=PATCH&resource=agents');
  expect(fields).toEqual(expect.arrayContaining(named.map((name) => `config.${name}`)));
  // Once each, whichever way it was spelled.
  expect([...fields].sort()).toEqual(['config', ...[...others, ...named].map((name) => `config.${name}`)].sort());
});

it('Of several runs that a cancellation names, the trail names the one that it is about', async () => {
  const [first, second, third] = [await scheduledRun(), await scheduledRun(), await scheduledRun()];
  const routesOf = async ({ id }: { readonly id: string }) =>
    (await recordsOf(`resource_id=${id}`)).map(({ route }) => route);
  await api.post('/cancel-run', { test_run_id: third.label, run_id: second.id, id: first.id });
  await api.post('/cancel-run', { test_run_id: null, run_id: second.id, id: first.id });
  const statuses = [first, second, third].map(async ({ id }) => (await api.get(`/api/v1/tests/${id}`)).body.status);
  expect(await Promise.all(statuses)).toEqual(['scheduled', 'canceled', 'canceled']);
  expect(await routesOf(third)).toEqual(['/cancel-run', '/start-run']);
  expect(await routesOf(second)).toEqual(['/cancel-run', '/start-run']);
  expect(await routesOf(first)).toEqual(['/start-run']);
  await api.post('/cancel-run', { id: first.id });
  expect(await routesOf(first)).toEqual(['/cancel-run', '/start-run']);
});

it('Which run was made an agent’s baseline is in the trail, under the agent and under the run', async () => {
  const [testRunId, other] = [await storedRun(), await storedRun()];
  for (const test_run_id of [testRunId, other]) {
    const answer = await api.send('PUT', `/api/v1/agents/${agentId}/baseline`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ test_run_id }),
    });
    expect(answer.status).toBe(200);
  }
  const [newest] = await recordsOf(`resource_id=${agentId}`);
  expect(newest).toMatchObject({ method: 'PUT', resource_ids: [agentId, other] });
  expect(await recordsOf(`resource_id=${testRunId}`)).toMatchObject([{ resource_ids: [agentId, testRunId] }]);
});

describe('A 404 leaves in the record', () => {
  it('what the path names and there is', async () => {
    const answer = await api.send('PUT', `/api/v1/agents/${agentId}/baseline`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ test_run_id: 'run_20261121103000_1f0c9a2e' }),
    });
    expect(answer.status).toBe(404);
    expect((await recordsOf('method=PUT'))[0]).toMatchObject({ status: 404, resource_ids: [agentId] });
  });

  it('a run, under its id and its label, and any other that there is', async () => {
    const { id, label } = await scheduledRun();
    const store = service.app.get(AuditStore);
    const names = [label, scenarioId, randomUUID(), agentId, 'run_20261121103000_1f0c9a2e'];
    const request = { method: 'POST', route: '/made-up', resource: 'made-up', request_id: null, address: null };
    const [number = ''] = await store.begin([
      { ...request, who: 'somebody', role: 'admin', resource_ids: names, fields: [], status: null },
    ]);
    await store.complete([{ number, status: 404, replayed: false, resource_ids: [] }]);
    expect((await recordsOf('resource=made-up'))[0].resource_ids).toEqual([label, scenarioId, agentId, id]);
  });

  it('nothing else: a key may look like an id', async () => {
    expect((await api.patch(`/api/v1/agents/${randomUUID()}`, { name: 'x' })).status).toBe(404);
    expect((await recordsOf('method=PATCH'))[0]).toMatchObject({ status: 404, resource_ids: [] });
  });
});

it('No one on the way keeps a page of the trail', async () => {
  const { headers } = await api.get('/api/v1/audit');
  expect(headers.get('cache-control')).toBe('no-store');
});
