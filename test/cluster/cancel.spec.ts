import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { createAgent, createScenarios, untilFinal } from '../setup/examination';
import { Cluster } from './cluster';

/** What invariant 6 allows on another process. */
const ABORTED_WITHIN_MS = 1_000;

let cluster: Cluster;
let slow: FakeAgent;

beforeEach(async () => {
  // Never answers within a test: every turn is in flight until somebody aborts it.
  slow = await startFakeOpenAi({ delayMs: 600_000 });
  cluster = await Cluster.start({ processes: 1 });
});
afterEach(async () => {
  await cluster.close();
  await slow.close();
});

/** A run of which the first process, alone so far, has six scenario runs in flight. */
async function startRun(): Promise<string> {
  const { api } = cluster.process(0);
  const agent_id = await createAgent(api, slow.baseUrl, { turn_timeout_ms: 600_000 });
  const scenario_ids = await createScenarios(api, 10);
  const { body } = await api.post('/start-run', { agent_id, scenario_ids, concurrency_limit: 6 });
  await slow.until(() => slow.inFlight === 6);
  return String(body.id);
}

/** Cancels on a process and answers how long the requests in flight lived on. */
async function cancelOn(number: number, id: string): Promise<number> {
  const { body } = await cluster.process(number).api.post('/cancel-run', { test_run_id: id });
  expect(body).toEqual({ status: 'canceled', canceled_scenarios: 10 });
  const answered = performance.now();
  await slow.until(() => slow.inFlight === 0);
  return performance.now() - answered;
}

test('a process that owns nothing of the run cancels it', async () => {
  const id = await startRun();
  await cluster.addProcess();
  expect(await cancelOn(1, id)).toBeLessThan(ABORTED_WITHIN_MS);
  const sent = slow.requests.length;
  await sleep(2_000);
  expect(slow.requests).toHaveLength(sent);
  for (const number of [0, 1]) {
    expect(await untilFinal(cluster.process(number).api, id)).toMatchObject({ status: 'canceled', canceled_count: 10 });
  }
});

test('a process that cannot hear of it by NATS finds the cancellation in the rows', async () => {
  const id = await startRun();
  await cluster.addProcess();
  cluster.member(0).toNats.cut();
  expect(await cancelOn(1, id)).toBeLessThan(ABORTED_WITHIN_MS);
});

test('a run whose owner is dead is canceled', async () => {
  const id = await startRun();
  await cluster.addProcess();
  await cluster.process(0).end('SIGKILL');
  const sent = slow.requests.length;
  await cancelOn(1, id);
  await sleep(2_000);
  expect(slow.requests).toHaveLength(sent);
  expect(await untilFinal(cluster.process(1).api, id)).toMatchObject({ status: 'canceled', canceled_count: 10 });
});
