import { Client } from 'pg';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { eventually } from '../setup/eventually';

const KEY = 'canary-service-key-0123456789abcdef';
/** What keys look like; one is a plain word, as a name of a field is. */
const SECRETS = [
  'canary-sk-live-51H8xYzABCDEFGHIJKLMNOP',
  'canary_9f86d081884c7d659a2feaa0c55ad015',
  'canarypassword',
  `canary${'x'.repeat(3_000)}`,
];

let service: TestService;
let agent: FakeAgent;
let api: ApiClient;
let sql: Client;
beforeAll(async () => {
  service = await startTestService({ SERVICE_API_KEY: KEY });
  agent = await startFakeOpenAi();
  api = new ApiClient(service.url, { 'x-api-key': KEY });
  sql = new Client({ connectionString: service.database.url });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await service.close();
  await agent.close();
});

it('No value that was sent is in the trail, and no name that a client chose, wherever it stood', async () => {
  const agentId = await createAgent(api, agent.baseUrl);
  const [scenarioId = ''] = await createScenarios(api, 1);
  for (const secret of SECRETS) {
    const config = { base_url: agent.baseUrl, api_key: secret, headers: { [secret]: secret }, [secret]: secret };
    await api.post('/api/v1/agents', { name: secret, provider: 'openai', config, [secret]: secret });
    await api.post('/api/v1/agents', { name: 'x', provider: secret, config: { [secret]: null }, [secret]: 1 });
    await api.patch(`/api/v1/agents/${agentId}`, { config, description: secret, [secret]: secret });
    await api.post(`/api/v1/agents/${agentId}/try`, { message: secret, config });
    await api.post('/api/v1/webhooks', { url: `https://user:${secret}@127.0.0.1/${secret}?token=${secret}` });
    await api.patch(`/api/v1/scenarios/${scenarioId}`, { name: secret, approved_by: secret, [secret]: [] });
    await api.post('/start-run', { agent_id: secret, id: secret, test_run_id: secret });
    await api.post('/cancel-run', { id: secret });
    await api.post('/api/v1/agents', [secret]);
    await api.post('/api/v1/agents', secret);
    const path = encodeURIComponent(secret);
    await api.patch(`/api/v1/agents/${path}`, { name: 'x' });
    await api.delete(`/api/v1/tests/${path}?${path}=${path}&access_token=${path}`);
    await api.post(`/api/v1/${path}`, { name: 'x' });
    const short = secret.slice(0, 200);
    await api.send('POST', `/api/v1/test-suites?key=${path}`, {
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${short}`,
        cookie: `session=${short}`,
        'idempotency-key': short,
        'if-match': `"${short}"`,
        'x-forwarded-for': short,
        'user-agent': short,
        referer: `http://127.0.0.1/${short}`,
      },
      body: JSON.stringify({ name: 'Suite', scenario_ids: [scenarioId] }),
    });
    await fetch(`${service.url}/api/v1/agents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': short },
      body: JSON.stringify({ name: short }),
    });
    await api.send('POST', '/api/v1/agents', {
      headers: { 'content-type': 'application/json' },
      body: `{"${secret}": `,
    });
  }
  await eventually(async () => {
    const { rows } = await sql.query('SELECT count(*)::int AS open FROM audit_records WHERE status IS NULL');
    expect(rows).toEqual([{ open: 0 }]);
  });
  const { rows } = await sql.query<{ record: string }>('SELECT row_to_json(r)::text AS record FROM audit_records r');
  expect(rows.length).toBeGreaterThan(SECRETS.length * 12);
  expect(rows.filter(({ record }) => /canary/i.test(record))).toEqual([]);
  const { rows: fields } = await sql.query<{ name: string }>(
    `SELECT DISTINCT unnest(fields) AS name FROM audit_records WHERE route = '/api/v1/agents/{id}' ORDER BY name`,
  );
  expect(fields.map(({ name }) => name)).toEqual(
    ['config', 'config.*', 'config.api_key', 'config.base_url', 'config.headers', 'description', 'name'].sort(),
  );
});

it('Who shows no valid key leaves no record', async () => {
  const count = async () => (await sql.query('SELECT count(*)::int AS all FROM audit_records')).rows;
  const before = await count();
  const presented: readonly Record<string, string>[] = [
    {},
    { 'x-api-key': 'a wrong key' },
    { authorization: `Bearer ${SECRETS[0]}` },
  ];
  for (const headers of presented) {
    expect((await new ApiClient(service.url, headers).post('/api/v1/agents', {})).status).toBe(401);
  }
  expect(await count()).toEqual(before);
});
