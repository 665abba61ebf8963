import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { ApiClient } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { startTestService } from '../setup/service';
import { startTcpProxy } from '../setup/tcp-proxy';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  // The last opened first: services before what they stand on.
  while (opened.length > 0) await opened.pop()?.close();
});

async function ownDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  opened.push({ close: () => database.drop() });
  return database;
}

async function start(variables: Record<string, string> = {}, database?: TestDatabase): Promise<ApiClient> {
  const service = await startTestService(variables, database === undefined ? {} : { database });
  opened.push(service);
  // Who shows no key to a service that has one is told less (health-for-strangers.spec.ts).
  const key = variables['SERVICE_API_KEY'];
  return new ApiClient(service.url, key === undefined ? {} : { 'x-api-key': key });
}

const check = (status: string) => ({ status, detail: expect.stringMatching(/\w/) });

describe('GET /health', () => {
  it('answers 200 with every check and what to set up next', async () => {
    const { status, body } = await (await start()).get('/health');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'ok',
      timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      version,
      checks: {
        database: check('ok'),
        bus: check('ok'),
        tester: check('warning'),
        judge: check('warning'),
        browser: check(body.checks.browser.status),
      },
      setup: {
        ANTHROPIC_API_KEY: expect.stringMatching(/^Set ANTHROPIC_API_KEY to .*\.$/),
        SERVICE_API_KEY: expect.stringMatching(/^Set SERVICE_API_KEY before .*\.$/),
        SECRETS_KEY: expect.stringMatching(/^Set SECRETS_KEY .* to have .*\.$/),
      },
    });
    expect(body.checks.tester.detail).toMatch(/offline/i);
    expect(body.checks.judge.detail).toMatch(/offline/i);
  });

  it('warns of another process on the database that this one cannot hear, until it is gone', async () => {
    const database = await ownDatabase();
    const api = await start({ NATS_URL: '' }, database);
    const bus = async () => (await api.get('/health')).body.checks.bus;
    const client = new Client({ connectionString: database.url });
    await client.connect();
    opened.push({ close: () => client.end() });
    expect(await bus()).toMatchObject({ status: 'ok' });
    await eventually(async () => {
      const { rowCount } = await client.query(`UPDATE processes SET started_at = started_at - interval '5 minutes'`);
      expect(rowCount).toBe(1);
    });
    await client.query(
      `INSERT INTO processes (id, bus, testers, judges, seen_at) VALUES (gen_random_uuid(), 'in_process', '[]', '[]', now() + interval '1 minute')`,
    );
    await eventually(async () => {
      const { status, body } = await api.get('/health');
      expect([status, body.status]).toEqual([200, 'ok']);
      expect(body.checks.bus).toEqual({
        status: 'warning',
        detail: expect.stringMatching(/^1 other process works on this database, .* Set NATS_URL for all of them/),
      });
    }, 20_000);
    await client.query(`DELETE FROM processes WHERE bus = 'in_process' AND seen_at > now() + interval '10 seconds'`);
    await eventually(async () => expect(await bus()).toMatchObject({ status: 'ok' }), 20_000);
  }, 60_000);

  it('has nothing to say about what is set up', async () => {
    const api = await start({
      ANTHROPIC_API_KEY: 'sk-ant-0123456789',
      SERVICE_API_KEY: 'a-service-key-of-the-clinic',
      SECRETS_KEY: randomBytes(32).toString('base64'),
    });
    const { body } = await api.get('/health');
    expect(body.setup).toEqual({});
    expect(body.checks).toMatchObject({ tester: check('ok'), judge: check('ok') });
    expect(JSON.stringify(body)).not.toContain('0123456789');
  });

  it('answers 503 when the database is out of reach, and /health/live goes on answering 200', async () => {
    const database = await ownDatabase();
    const proxy = await startTcpProxy(database.url);
    opened.push(proxy);
    const api = await start({}, { ...database, url: proxy.url });
    proxy.cut();
    expect(await api.get('/health')).toMatchObject({
      status: 503,
      body: { status: 'error', checks: { database: check('error'), bus: check('ok') } },
    });
    expect(await api.get('/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('does not wait for a database that does not answer', async () => {
    const database = await ownDatabase();
    const proxy = await startTcpProxy(database.url);
    opened.push(proxy);
    const api = await start({}, { ...database, url: proxy.url });
    proxy.drop();
    const { status, body } = await api.get('/health');
    expect(status).toBe(503);
    expect(body.checks.database.detail).toMatch(/did not answer within 2 seconds/);
    await proxy.restore();
    await eventually(async () => expect((await api.get('/health')).status).toBe(200));
  });

  it('reads what agents there are and what was spent once, however many ask, and waits no longer than for the database', async () => {
    const database = await ownDatabase();
    const api = await start({ ANTHROPIC_API_KEY: 'sk-ant-0123456789', MAX_SPEND_USD_PER_DAY: '5' }, database);
    // Two: within one transaction PostgreSQL shows the same activity for ever.
    const blocker = new Client({ connectionString: database.url });
    const observer = new Client({ connectionString: database.url });
    for (const client of [blocker, observer]) {
      await client.connect();
      opened.push({ close: () => client.end() });
    }
    await blocker.query('BEGIN; LOCK TABLE agents, model_spend IN ACCESS EXCLUSIVE MODE');
    const asked = Promise.all(Array.from({ length: 20 }, () => api.get('/health')));
    const reading = async (): Promise<number> => {
      const { rows } = await observer.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%AS model FROM agents%'`,
      );
      return rows.length;
    };
    await eventually(async () => expect(await reading()).toBe(1));
    let most = 0;
    let isAsking = true;
    const watching = (async () => {
      while (isAsking) most = Math.max(most, await reading());
    })();
    const answers = await asked;
    isAsking = false;
    await watching;
    expect(most).toBe(1);
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 200,
        body: { checks: { database: check('ok'), examiners: check('ok'), spend: check('warning') } },
      });
    await blocker.query('COMMIT');
    await eventually(async () => expect((await api.get('/health')).body.checks.spend).toEqual(check('ok')), 15_000);
  });

  it('is well while requests wait for each other', async () => {
    const database = await ownDatabase();
    const api = await start({ DATABASE_POOL_SIZE: '3' }, database);
    const blocker = new Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE agents IN ACCESS EXCLUSIVE MODE');
    const stuck = [api.get('/api/v1/agents'), api.get('/api/v1/agents'), api.get('/api/v1/agents')];
    expect((await api.get('/health')).status).toBe(200);
    await blocker.end();
    expect((await Promise.all(stuck)).map((answer) => answer.status)).toEqual([200, 200, 200]);
  });
});
