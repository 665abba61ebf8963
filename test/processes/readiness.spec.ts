import { Client } from 'pg';
import { Database } from '../../src/platform/database/database';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createTestDatabase } from '../setup/database';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { startTestService } from '../setup/service';
import { startServiceProcess } from '../setup/service-process';
import { startBehindProxy } from '../setup/service-behind-proxy';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (let close = opened.pop(); close !== undefined; close = opened.pop()) await close();
});

const check = (status: string) => ({ status, detail: expect.stringMatching(/\w/) });

describe('GET /health/ready', () => {
  it('answers 200 once the process has started, without a key', async () => {
    const service = await startTestService({ SERVICE_API_KEY: 'key-of-the-night-shift-0001' });
    opened.push(() => service.close());
    const api = new ApiClient(service.url);
    await eventually(async () => expect((await api.get('/health/ready')).status).toBe(200));
    expect((await api.get('/health/ready')).body).toEqual({
      status: 'ok',
      checks: { process: check('ok'), database: check('ok'), bus: check('ok') },
    });
  });

  it('answers 503 while the database is away, and 200 when it is back', async () => {
    const { service, proxy, close } = await startBehindProxy();
    opened.push(close);
    const api = new ApiClient(service.url);
    await eventually(async () => expect((await api.get('/health/ready')).status).toBe(200));
    proxy.cut();
    await eventually(async () =>
      expect(await api.get('/health/ready')).toMatchObject({
        status: 503,
        body: { status: 'error', checks: { process: check('ok'), database: check('error') } },
      }),
    );
    await proxy.restore();
    await eventually(async () => expect((await api.get('/health/ready')).status).toBe(200));
  });

  it('answers 200 while requests keep all of their connections busy', async () => {
    const service = await startTestService({ DATABASE_POOL_SIZE: '4' });
    opened.push(() => service.close());
    const api = new ApiClient(service.url);
    await eventually(async () => expect((await api.get('/health/ready')).status).toBe(200));
    const database = service.app.get(Database);
    const requests = () => database.pools().find(({ pool }) => pool === 'requests');
    let isBusy = true;
    const ask = async () => {
      // Those that wait for longer than a connection may take are refused, and ask again.
      while (isBusy) await database.query('SELECT pg_sleep(1)').catch(() => undefined);
    };
    const asking = Array.from({ length: 8 }, ask);
    await eventually(() => expect(requests()?.waiting).toBeGreaterThan(0));
    // What was asked before is remembered for a moment, and what was written for some seconds.
    await new Promise((resolve) => setTimeout(resolve, 5_500));
    const ready = await api.get('/health/ready');
    const waiting = requests()?.waiting;
    isBusy = false;
    await Promise.all(asking);
    expect(waiting).toBeGreaterThan(0);
    expect(ready).toMatchObject({ status: 200, body: { checks: { database: check('ok') } } });
  });

  it('answers 503 from the moment of SIGTERM, while what is under way ends and other requests are answered', async () => {
    const database = await createTestDatabase();
    opened.push(() => database.drop());
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let asked = 0;
    // The last of five turns of the second run is under way until the test has looked.
    const agent = await startFakeOpenAi({
      reply: () => GOOD_REPLY,
      mayAnswer: async () => {
        asked += 1;
        if (asked === 10) await released;
      },
    });
    opened.push(() => agent.close());
    const reader = new Client({ connectionString: database.url });
    await reader.connect();
    opened.push(() => reader.end());
    const service = await startServiceProcess({ DATABASE_URL: database.url });
    const api = new ApiClient(service.url);
    await eventually(async () => expect((await api.get('/health/ready')).status).toBe(200));
    const agentId = await createAgent(api, agent.baseUrl);
    const scenario_ids = await createScenarios(api, 1);
    const start = async () => (await api.post('/start-run', { agent_id: agentId, scenario_ids, max_turns: 5 })).body;
    // What a first conversation loads takes seconds of a busy machine, and a stopping process waits for five.
    await untilFinal(api, (await start()).id);
    const run = await start();
    await eventually(async () => expect(agent.requests.length).toBe(10));
    const toldAt = Date.now();
    const ended = service.end('SIGTERM');
    await eventually(async () =>
      expect(await api.get('/health/ready')).toMatchObject({
        status: 503,
        body: { status: 'error', checks: { process: check('error') } },
      }),
    );
    const alive = await api.get('/health/live');
    expect(alive.status).toBe(200);
    // A client that kept the connection would lose its next request with it.
    expect(alive.headers.get('connection')).toBe('close');
    release();
    expect(await ended).toBe(0);
    // What a machine does not end within the five seconds is left to another process.
    const status = Date.now() - toldAt < 5_000 ? 'completed' : expect.stringMatching(/^(running|completed)$/);
    const { rows } = await reader.query('SELECT status FROM test_runs WHERE id = $1', [run.id]);
    expect(rows).toEqual([{ status }]);
  });
});
