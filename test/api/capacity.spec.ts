import { Heartbeat } from '../../src/engine/actors/heartbeat';
import { WorkIntake } from '../../src/engine/actors/work-intake';
import { Bus, subjects } from '../../src/engine/bus/bus';
import { Database } from '../../src/platform/database/database';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createTestDatabase } from '../setup/database';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { eventually } from '../setup/eventually';
import { startTestService, type TestService } from '../setup/service';
import { openStoredRuns } from '../setup/stored-run';

const CAPACITY = 2;

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let mostInFlight = 0;

beforeAll(async () => {
  service = await startTestService({ MAX_ACTIVE_SCENARIOS: String(CAPACITY) });
  api = new ApiClient(service.url);
  agent = await startFakeOpenAi({
    delayMs: 20,
    reply: () => {
      mostInFlight = Math.max(mostInFlight, agent.inFlight);
      return GOOD_REPLY;
    },
  });
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

async function startRun(scenarios: number): Promise<string> {
  const { body } = await api.post('/start-run', {
    agent_id: await createAgent(api, agent.baseUrl),
    scenario_ids: await createScenarios(api, scenarios),
    concurrency_limit: scenarios,
    max_turns: 5,
  });
  return String(body.id);
}

test('a process executes no more at a time than MAX_ACTIVE_SCENARIOS: each holds its place until it is done', async () => {
  mostInFlight = 0;
  const run = await untilFinal(api, await startRun(8));
  expect(run).toMatchObject({ status: 'completed', passed_count: 8 });
  expect(mostInFlight).toBe(CAPACITY);
});

test('a process that stops takes on nothing more: what it has begun ends, the rest waits for another', async () => {
  const database = await createTestDatabase();
  const stopping = await startTestService({ MAX_ACTIVE_SCENARIOS: '1' }, { database });
  const slow = await startFakeOpenAi({ delayMs: 200, reply: () => GOOD_REPLY });
  const client = new ApiClient(stopping.url);
  await client.post('/start-run', {
    agent_id: await createAgent(client, slow.baseUrl),
    scenario_ids: await createScenarios(client, 3),
    max_turns: 5,
  });
  await eventually(() => expect(slow.inFlight).toBe(1));
  await stopping.close();
  await slow.close();
  const runs = await openStoredRuns(database);
  const rows = await runs.database.query('SELECT attempt, status, owner FROM scenario_runs ORDER BY position');
  expect(rows).toEqual([
    { attempt: 1, status: 'passed', owner: null },
    { attempt: 0, status: 'pending', owner: null },
    { attempt: 0, status: 'pending', owner: null },
  ]);
  await runs.close();
  await database.drop();
});

test('work whose message was lost is offered again', async () => {
  const intake = service.app.get(WorkIntake);
  intake.stop();
  const lost: unknown[] = [];
  const thief = service.app.get(Bus).consume(subjects.scenarioRunWork, 10, (delivery) => {
    lost.push(delivery.payload);
    delivery.ack();
  });
  const id = await startRun(1);
  await eventually(() => expect(lost.length).toBe(1));
  thief.unsubscribe();
  intake.start();
  // As if an attempt had given it back meanwhile: the queue still knows the id of the message that was stolen.
  await service.app.get(Database).query('UPDATE scenario_runs SET attempt = 1 WHERE test_run_id = $1', [id]);
  expect(await untilFinal(api, id, 25_000)).toMatchObject({ status: 'completed', passed_count: 1 });
});

test('a process renews its lease on what it supervises and on what it executes', async () => {
  const held = await startFakeOpenAi({ delayMs: 600_000 });
  const { body } = await api.post('/start-run', {
    agent_id: await createAgent(api, held.baseUrl, { turn_timeout_ms: 600_000 }),
    scenario_ids: await createScenarios(api, 1),
  });
  await held.until(() => held.inFlight === 1);
  const database = service.app.get(Database);
  const fresh = (table: string, key: string) =>
    database.query(`SELECT FROM ${table} WHERE ${key} = $1 AND heartbeat_at > now() - interval '1 minute'`, [body.id]);
  await database.transaction(async (tx) => {
    const old = `SET heartbeat_at = now() - interval '1 hour'`;
    await tx.query(`UPDATE test_runs ${old} WHERE id = $1`, [body.id]);
    await tx.query(`UPDATE scenario_runs ${old} WHERE test_run_id = $1`, [body.id]);
  });
  await service.app.get(Heartbeat).beat();
  expect(await fresh('test_runs', 'id')).toHaveLength(1);
  expect(await fresh('scenario_runs', 'test_run_id')).toHaveLength(1);
  await api.post('/cancel-run', { id: body.id });
  await held.close();
});
