import { Client } from 'pg';
import { AuditTrail } from '../../src/features/audit/audit-trail';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { startHttpStub, type HttpStub } from '../fakes/http-stub';
import { ApiClient, type Answer } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { scrape, total } from '../setup/scrape';
import { startTestService, type TestService } from '../setup/service';
import { startServiceProcess } from '../setup/service-process';

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let silent: HttpStub;
let sql: Client;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  agent = await startFakeOpenAi();
  silent = await startHttpStub(() => undefined);
  sql = new Client({ connectionString: service.database.url });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await service.close();
  await agent.close();
  await silent.close();
});

const anAgent = (baseUrl: string) => ({ name: 'An agent', provider: 'openai', config: { base_url: baseUrl } });

async function newest(): Promise<Answer['body']> {
  return (await api.get('/api/v1/audit?limit=1')).body.records[0];
}

const nobody = { test_run_id: '00000000-0000-4000-8000-000000000000' };

/** Of a request that no client sent. */
const draftOf = (resource: string) => ({
  ...{ who: 'somebody', role: 'admin', address: null, method: 'POST', route: `/${resource}`, resource },
  ...{ resource_ids: [], fields: [], request_id: null, status: null },
});

async function agents(): Promise<number> {
  return (await api.get('/api/v1/agents')).body.length;
}

it('A change that cannot be recorded is refused, and nothing is done; what is read goes on', async () => {
  const before = await agents();
  await sql.query('ALTER TABLE audit_records RENAME TO audit_records_away');
  const { status, body } = await api.post('/api/v1/agents', anAgent(agent.baseUrl));
  const read = await agents();
  await sql.query('ALTER TABLE audit_records_away RENAME TO audit_records');
  expect({ status, body }).toEqual({
    status: 503,
    body: { error: expect.stringContaining('Nothing was done: the audit trail could not be written') },
  });
  expect(read).toBe(before);
  // Nor is there a record later on that would say that something may have been done.
  const { records } = (await api.get('/api/v1/audit?limit=100')).body;
  expect(records.filter((record: Answer['body']) => record.status >= 500)).toEqual([]);
  expect((await api.post('/api/v1/agents', anAgent(agent.baseUrl))).status).toBe(201);
});

it('A change whose ending cannot be recorded is answered at once, under way in the trail, and completed when that is possible', async () => {
  await sql.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not now'; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE ON audit_records FOR EACH ROW EXECUTE FUNCTION refuse()`);
  const created = await api.post('/api/v1/agents', anAgent(agent.baseUrl));
  expect(created.status).toBe(201);
  expect(await newest()).toMatchObject({ outcome: 'under_way', status: null, completed_at: null, resource_ids: [] });
  await sql.query('DROP TRIGGER refuse ON audit_records');
  await eventually(async () => {
    expect(await newest()).toMatchObject({ outcome: 'done', status: 201, resource_ids: [created.body.id] });
  });
});

it('A process that stops writes how its last changes ended', async () => {
  const stopping = await startTestService({}, { database: service.database });
  const stoppingApi = new ApiClient(stopping.url);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => stoppingApi.post('/api/v1/agents', anAgent(agent.baseUrl))),
  );
  await stopping.close();
  const { records } = (await api.get('/api/v1/audit?limit=20')).body;
  const made = answers.map(({ body }) => body.id);
  expect(records.flatMap(({ resource_ids: ids }: Answer['body']) => ids).sort()).toEqual(made.sort());
  expect(new Set(records.map(({ outcome }: Answer['body']) => outcome))).toEqual(new Set(['done']));
});

it('A process that stops waits a moment for what is still under way, and writes how that ended', async () => {
  const stopping = await startTestService({}, { database: service.database });
  const trail = stopping.app.get(AuditTrail);
  const request = {};
  await trail.begin(request, draftOf('late'));
  // The last connection was cut, and its handler needs a moment to notice.
  const server = stopping.app.getHttpServer();
  server.once('close', () =>
    setTimeout(() => trail.end(request, { status: 200, replayed: false, resource_ids: [] }), 100),
  );
  await stopping.close();
  const { records } = (await api.get('/api/v1/audit?resource=late')).body;
  expect(records).toMatchObject([{ outcome: 'done', status: 200 }]);
});

it('Of a change under way when its process was killed, the trail says that nobody knows how it ended', async () => {
  const killed = await startServiceProcess({ DATABASE_URL: service.database.url, LOG_LEVEL: 'silent' });
  const lost = fetch(`${killed.url}/api/v1/agents/try`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...anAgent(silent.origin), message: 'Hello?' }),
  }).catch(() => 'lost');
  await eventually(() => expect(silent.requests.length).toBeGreaterThan(0));
  expect(await newest()).toMatchObject({ route: '/api/v1/agents/try', outcome: 'under_way', status: null });
  await killed.end('SIGKILL');
  expect(await lost).toBe('lost');
  // What time does.
  await sql.query(`UPDATE audit_records SET alive_until = now() - interval '1 second' WHERE status IS NULL`);
  expect(await newest()).toMatchObject({ route: '/api/v1/agents/try', outcome: 'unknown', status: null });
});

it('A change that takes long stays under way for as long as its process lives', async () => {
  const agentId = (await api.post('/api/v1/agents', anAgent(silent.origin))).body.id;
  const leaving = new AbortController();
  const trying = fetch(`${service.url}/api/v1/agents/${agentId}/try`, { method: 'POST', signal: leaving.signal }).catch(
    () => 'left',
  );
  await eventually(async () => expect(await newest()).toMatchObject({ outcome: 'under_way' }));
  await sql.query(`UPDATE audit_records SET alive_until = now() - interval '1 second' WHERE status IS NULL`);
  expect(await newest()).toMatchObject({ outcome: 'unknown' });
  await eventually(async () => expect(await newest()).toMatchObject({ outcome: 'under_way' }), 20_000);
  leaving.abort();
  expect(await trying).toBe('left');
  // Nobody reads the answer, and it is recorded all the same.
  await eventually(async () => expect(await newest()).toMatchObject({ status: expect.any(Number) }));
});

it('A table that somebody has locked refuses changes soon, and never keeps a run from being canceled', async () => {
  const locking = new Client({ connectionString: service.database.url });
  await locking.connect();
  await locking.query('BEGIN');
  await locking.query('LOCK TABLE audit_records IN ACCESS EXCLUSIVE MODE');
  const failures = async () => total(await scrape(service.url), 'osce_audit_failures_total');
  const before = await failures();
  try {
    const [canceled, created] = await Promise.all([
      api.post('/cancel-run', nobody),
      api.post('/api/v1/agents', anAgent(agent.baseUrl)),
    ]);
    expect({ canceled: canceled.status, created: created.status }).toEqual({ canceled: 404, created: 503 });
    // What was done without a record counts as well as what was refused for want of one.
    expect(await failures()).toBe(before + 2);
  } finally {
    await locking.end();
  }
});

it('A cancellation does not stand in line behind what everybody else changes', async () => {
  const trail = service.app.get(AuditTrail);
  const locking = new Client({ connectionString: service.database.url });
  await locking.connect();
  await locking.query('BEGIN');
  await locking.query('LOCK TABLE audit_records IN ACCESS EXCLUSIVE MODE');
  const requests = Array.from({ length: 2_000 }, () => ({}));
  let settled = 0;
  const others = requests.map((request) =>
    trail
      .begin(request, draftOf('others'))
      .catch(() => undefined)
      .finally(() => (settled += 1)),
  );
  try {
    expect((await api.post('/cancel-run', nobody)).status).toBe(404);
    expect(settled).toBeLessThan(requests.length);
  } finally {
    await locking.end();
  }
  await Promise.all(others);
  for (const request of requests) trail.end(request, { status: 200, replayed: false, resource_ids: [] });
});
