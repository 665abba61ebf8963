import { setTimeout as sleep } from 'node:timers/promises';
import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, untilFinal } from '../setup/examination';
import { Cluster } from './cluster';
import { eventsOf, expectWhole, replyTo } from './expectations';

const SCENARIOS = 36;
const TURNS = 5;

let cluster: Cluster;
let agent: FakeAgent;

beforeEach(async () => {
  agent = await startFakeOpenAi({ reply: (messages) => replyTo((messages.length + 1) / 2), delayMs: 250 });
  cluster = await Cluster.start(3);
});
afterEach(async () => {
  await cluster.close();
  await agent.close();
});

/** Starts a run on the first process. */
async function startRun(fields: object = {}): Promise<string> {
  const { api } = cluster.process(0);
  const agent_id = await createAgent(api, agent.baseUrl);
  const scenario_ids = await createScenarios(api, SCENARIOS);
  const { status, body } = await api.post('/start-run', {
    agent_id,
    scenario_ids,
    concurrency_limit: 12,
    max_turns: TURNS,
    ...fields,
  });
  if (status !== 200) throw new Error(`The run was not started: ${JSON.stringify(body)}`);
  return String(body.id);
}

async function untilTurns(id: string, turns: number): Promise<void> {
  await eventually(async () => {
    const [row] = await cluster.query<{ turns: number }>(
      'SELECT coalesce(sum(turns), 0)::int AS turns FROM scenario_runs WHERE test_run_id = $1',
      [id],
    );
    expect(row?.turns).toBeGreaterThanOrEqual(turns);
  }, 60_000);
}

/** How many processes own scenario runs that are under way. */
async function countOwners(id: string): Promise<number> {
  const rows = await cluster.query(
    `SELECT DISTINCT owner FROM scenario_runs
     WHERE test_run_id = $1 AND owner IS NOT NULL AND status IN ('running', 'grading')`,
    [id],
  );
  return rows.length;
}

test('three processes share the work of one run', async () => {
  const id = await startRun();
  await eventually(async () => expect(await countOwners(id)).toBe(3));
  await untilFinal(cluster.process(1).api, id, 60_000);
  await expectWhole(cluster.process(2).api, id, SCENARIOS, TURNS);
  // Each message is sent once.
  expect(agent.requests).toHaveLength(SCENARIOS * TURNS);
});

test('a killed supervisor costs seconds and nothing else', async () => {
  const undisturbed = await startRun();
  const began = Date.now();
  await untilFinal(cluster.process(1).api, undisturbed, 60_000);
  const undisturbedMs = Date.now() - began;

  const id = await startRun();
  await untilTurns(id, 40);
  await cluster.process(0).end('SIGKILL');
  const killed = Date.now();
  await untilFinal(cluster.process(1).api, id, 90_000);
  // A lease is 15 s and the reconciler looks every 3 s.
  expect(Date.now() - killed).toBeLessThan(undisturbedMs + 25_000);
  await expectWhole(cluster.process(2).api, id, SCENARIOS, TURNS);
  const resumed = (await eventsOf(cluster.process(1).api, id)).filter((event) => (event.attempt ?? 1) > 1);
  expect(resumed.length).toBeGreaterThan(0);
});

test('a paused owner wakes up and its writes are refused', async () => {
  const id = await startRun();
  await untilTurns(id, 40);
  cluster.process(0).pause();
  await sleep(20_000);
  cluster.process(0).resume();
  await untilFinal(cluster.process(1).api, id, 90_000);
  await expectWhole(cluster.process(1).api, id, SCENARIOS, TURNS);
  // It is one of the cluster again.
  await eventually(async () => expect((await cluster.process(0).api.get('/health')).status).toBe(200), 30_000);
  const [row] = await cluster.query<{ attempts: number }>(
    'SELECT count(*)::int AS attempts FROM scenario_runs WHERE test_run_id = $1 AND attempt > 1',
    [id],
  );
  expect(row?.attempts).toBeGreaterThan(0);
});

test('NATS comes back without its storage in the middle of a run', async () => {
  const id = await startRun();
  await untilTurns(id, 40);
  await cluster.nats.kill();
  await cluster.nats.deleteStorage();
  await eventually(async () => {
    const { status, body } = await cluster.process(1).api.get('/health');
    expect(status).toBe(503);
    expect(body.checks.bus.status).toBe('error');
  }, 30_000);
  await cluster.nats.start();
  await untilFinal(cluster.process(1).api, id, 90_000);
  await expectWhole(cluster.process(2).api, id, SCENARIOS, TURNS);
  await eventually(async () => expect((await cluster.process(0).api.get('/health')).status).toBe(200), 30_000);
});

test('a scheduled run starts once, although the process that took it is dead', async () => {
  const inThreeSeconds = new Date(Date.now() + 3_000).toISOString();
  const id = await startRun({ scheduled_at: inThreeSeconds });
  await cluster.process(0).end('SIGKILL');
  await untilFinal(cluster.process(1).api, id, 120_000);
  await expectWhole(cluster.process(2).api, id, SCENARIOS, TURNS);
  const events = await eventsOf(cluster.process(1).api, id);
  expect(events.filter(({ type }) => type === 'test_run_started')).toHaveLength(1);
  expect(agent.requests).toHaveLength(SCENARIOS * TURNS);
});
