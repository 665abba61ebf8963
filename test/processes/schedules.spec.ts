import { Client } from 'pg';
import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { ApiClient } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { startServiceProcess, type ServiceProcess } from '../setup/service-process';

let database: TestDatabase;
let observer: Client;
let agent: FakeAgent;
let running: ServiceProcess[];

beforeEach(async () => {
  running = [];
  database = await createTestDatabase();
  observer = new Client({ connectionString: database.url });
  await observer.connect();
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
});
afterEach(async () => {
  for (const process of running) await process.end('SIGKILL');
  await observer.end();
  await agent.close();
  await database.drop();
});

async function start(): Promise<ServiceProcess> {
  const started = await startServiceProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' });
  running.push(started);
  return started;
}

/** A schedule that starts once a year; answers its id. */
async function createSchedule(api: ApiClient): Promise<string> {
  const agent_id = await createAgent(api, agent.baseUrl);
  await createScenarios(api, 1);
  const run = { agent_id, max_turns: 5 };
  const { body } = await api.post('/api/v1/schedules', { name: 'Yearly', run, cron: '0 3 1 1 *', time_zone: 'UTC' });
  return body.id;
}

const makeDue = (id: string) => observer.query('UPDATE schedules SET next_at = now() WHERE id = $1', [id]);

async function isStartedOnce(api: ApiClient, id: string): Promise<void> {
  await eventually(async () => {
    const { starts, total } = (await api.get(`/api/v1/schedules/${id}/starts`)).body;
    expect(total).toBe(1);
    expect(starts[0]).toMatchObject({ outcome: 'started', is_manual: false });
    expect(await untilFinal(api, starts[0].test_run_id)).toMatchObject({ status: 'completed', passed_count: 1 });
  });
  expect((await api.get('/api/v1/tests')).body.total).toBe(1);
}

test('a process that is killed between the claim of a start and its commit leaves the start to another, which makes it once', async () => {
  const first = await start();
  const id = await createSchedule(new ApiClient(first.url));
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE scenario_runs IN EXCLUSIVE MODE');
  await makeDue(id);
  // It has moved the schedule on and noted the start; its run waits to be stored.
  await eventually(async () => {
    const { rowCount } = await observer.query(
      `SELECT FROM pg_stat_activity WHERE query LIKE '%INSERT INTO scenario_runs%' AND wait_event_type = 'Lock'`,
    );
    expect(rowCount).toBe(1);
  });
  await first.end('SIGKILL');
  await holder.query('COMMIT');
  await holder.end();

  const second = await start();
  await isStartedOnce(new ApiClient(second.url), id);
});

test('a run whose process is killed as soon as it was started is finished by another, and not started again', async () => {
  const first = await start();
  const id = await createSchedule(new ApiClient(first.url));
  await makeDue(id);
  await eventually(async () => {
    expect((await observer.query('SELECT FROM schedule_starts WHERE schedule_id = $1', [id])).rowCount).toBe(1);
  });
  await first.end('SIGKILL');

  const second = await start();
  await isStartedOnce(new ApiClient(second.url), id);
});
