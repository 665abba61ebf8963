import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cancellations } from '../../src/engine/actors/cancellations';
import { Heartbeat } from '../../src/engine/actors/heartbeat';
import { WorkIntake } from '../../src/engine/actors/work-intake';
import { Bus, subjects } from '../../src/engine/bus/bus';
import { Database } from '../../src/platform/database/database';
import { TestRunLedger } from '../../src/engine/ledger/test-run.ledger';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { eventually } from '../setup/eventually';
import { startTestService, type TestService } from '../setup/service';

/** 250 ms on this process and 1 s by a look at the rows (invariant 6), and what a busy machine adds to them. */
const ABORTED_WITHIN_MS = 1_000;
const SEEN_IN_ROWS_WITHIN_MS = 4_000;

let service: TestService;
let api: ApiClient;
let slow: FakeAgent;
let scenarioIds: string[];
let agentId: string;

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  // Never answers within a test: every turn is in flight until somebody aborts it.
  slow = await startFakeOpenAi({ delayMs: 600_000 });
  agentId = await createAgent(api, slow.baseUrl, { turn_timeout_ms: 600_000 });
  scenarioIds = await createScenarios(api, 8);
});
afterAll(async () => {
  await service.close();
  await slow.close();
});

const startSlowRun = async (fields: object = {}) => {
  const { body } = await api.post('/start-run', { agent_id: agentId, scenario_ids: scenarioIds, ...fields });
  return String(body.id);
};

describe('POST /cancel-run', () => {
  test('stores the cancellation, aborts what is in flight and sends nothing more', async () => {
    const id = await startSlowRun({ concurrency_limit: 4 });
    await slow.until(() => slow.inFlight === 4);
    const sent = slow.requests.length;

    expect(await api.post('/cancel-run', { test_run_id: id })).toMatchObject({
      status: 200,
      body: { status: 'canceled', canceled_scenarios: 8 },
    });
    const { body: run } = await api.get(`/api/v1/tests/${id}`);
    expect(run).toMatchObject({ status: 'canceled', canceled_count: 8, passed_count: 0, pass_rate: 0 });
    expect(run.canceled_at).not.toBeNull();
    expect((await scenarioRunsOf(api, id)).every((result) => result.status === 'canceled')).toBe(true);

    await slow.until(() => slow.inFlight === 0);
    await sleep(300);
    expect(slow.requests.length).toBe(sent);
  });

  test('needs nothing but its own answer to abort what is in flight on this process', async () => {
    const id = await startSlowRun({ concurrency_limit: 4 });
    await slow.until(() => slow.inFlight === 4);
    // Neither the bus nor a look at the rows tells of it now.
    service.app.get(Cancellations).stop();
    await service.app.get(Heartbeat).stop();
    await api.post('/cancel-run', { id });
    await slow.until(() => slow.inFlight === 0, ABORTED_WITHIN_MS);
    service.app.get(Cancellations).start();
    service.app.get(Heartbeat).start();
  });

  test('that cannot be stored stops nobody', async () => {
    const id = await startSlowRun({ concurrency_limit: 4 });
    await slow.until(() => slow.inFlight === 4);
    const database = service.app.get(Database);
    await database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON test_runs FOR EACH ROW WHEN (NEW.status = 'canceled')
        EXECUTE FUNCTION refuse();`);
    expect((await api.post('/cancel-run', { id })).status).toBe(500);
    await database.query('DROP TRIGGER refuse ON test_runs; DROP FUNCTION refuse');
    // A socket that is closed is seen to be closed within some turns of the event loop.
    await sleep(100);
    expect(slow.inFlight).toBe(4);
    expect((await api.get(`/api/v1/tests/${id}`)).body.status).toBe('running');
    await api.post('/cancel-run', { id });
    await slow.until(() => slow.inFlight === 0);
  });

  test('dispatches nothing more, whoever hears of it first', async () => {
    const id = await startSlowRun({ concurrency_limit: 2 });
    await slow.until(() => slow.inFlight === 2);
    // Whatever is dispatched from here on comes to this consumer.
    service.app.get(WorkIntake).stop();
    const dispatched: unknown[] = [];
    const bus = service.app.get(Bus);
    const work = bus.consume(subjects.scenarioRunWork, 100, (delivery) => {
      dispatched.push(delivery.payload);
      delivery.ack();
    });
    await api.post('/cancel-run', { id });
    await slow.until(() => slow.inFlight === 0);
    await bus.enqueue(subjects.scenarioRunWork, 'the end', { messageId: randomUUID() });
    await eventually(() => expect(dispatched).toContain('the end'));
    expect(dispatched).toEqual(['the end']);
    work.unsubscribe();
    service.app.get(WorkIntake).start();
  });

  test('is seen in the rows when the bus loses the command', async () => {
    const id = await startSlowRun({ concurrency_limit: 4 });
    await slow.until(() => slow.inFlight === 4);
    await service.app.get(Heartbeat).stop();
    // As another process would: the cancellation is stored, and nobody is told.
    await service.app.get(TestRunLedger).cancel(id);
    await slow.until(() => slow.inFlight === 0, SEEN_IN_ROWS_WITHIN_MS);
    service.app.get(Heartbeat).start();
  });

  test('leaves what was settled before as it is', async () => {
    const quick = await startFakeOpenAi({ reply: () => GOOD_REPLY });
    const mixedAgent = await createAgent(api, quick.baseUrl);
    const { body } = await api.post('/start-run', {
      agent_id: mixedAgent,
      scenario_ids: scenarioIds,
      concurrency_limit: 1,
    });
    await eventually(async () => {
      expect((await api.get(`/api/v1/tests/${body.id}`)).body.passed_count).toBeGreaterThanOrEqual(2);
    });
    await api.post('/cancel-run', { id: body.id });
    const run = await untilFinal(api, body.id);
    const results = await scenarioRunsOf(api, body.id);
    expect(results.filter((result) => result.status === 'passed')).toHaveLength(run.passed_count);
    expect(run.passed_count + run.canceled_count).toBe(8);
    await sleep(200);
    expect(await untilFinal(api, body.id)).toEqual(run);
    await quick.close();
  });

  test('a second time answers that it is final', async () => {
    const id = await startSlowRun();
    await api.post('/cancel-run', { test_run_id: id });
    expect(await api.post('/cancel-run', { test_run_id: id })).toMatchObject({
      status: 200,
      body: { status: 'canceled', message: 'Test run already finalized' },
    });
  });

  test.each(['run_id', 'id', 'test_run_id'])('takes the run as %s, by label too', async (field) => {
    const id = await startSlowRun();
    const { body } = await api.get(`/api/v1/tests/${id}`);
    expect((await api.post('/cancel-run', { [field]: body.test_run_id })).body.status).toBe('canceled');
  });

  test('says what is missing or unknown', async () => {
    expect(await api.post('/cancel-run', {})).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('test_run_id') },
    });
    expect(await api.post('/cancel-run', { test_run_id: randomUUID() })).toMatchObject({
      status: 404,
      body: { error: 'Test run not found' },
    });
  });

  test('works on a scheduled run, which then never starts', async () => {
    const id = await startSlowRun({ scheduled_at: new Date(Date.now() + 400).toISOString() });
    expect((await api.post('/cancel-run', { id })).body).toEqual({ status: 'canceled', canceled_scenarios: 8 });
    const sent = slow.requests.length;
    await sleep(800);
    expect((await api.get(`/api/v1/tests/${id}`)).body.status).toBe('canceled');
    expect(slow.requests.length).toBe(sent);
  });
});

describe('scheduled_at', () => {
  test('holds the run back until then, and starts it once', async () => {
    const quick = await startFakeOpenAi({ reply: () => GOOD_REPLY });
    const id = await createAgent(api, quick.baseUrl);
    const scheduledAt = new Date(Date.now() + 1_000);
    const { body } = await api.post('/start-run', {
      agent_id: id,
      scenario_ids: scenarioIds.slice(0, 1),
      scheduled_at: scheduledAt.toISOString(),
    });
    expect(body).toMatchObject({ status: 'scheduled', total_scenarios: 1, scenarios_launched: 0 });
    expect((await api.get('/api/v1/tests?status=scheduled')).body.runs.map((run: { id: string }) => run.id)).toContain(
      body.id,
    );
    const run = await untilFinal(api, body.id);
    expect(run).toMatchObject({ status: 'completed', scheduled_at: scheduledAt.toISOString() });
    expect(new Date(run.started_at).getTime()).toBeGreaterThanOrEqual(scheduledAt.getTime());
    await quick.close();
  });

  test('in the past starts at once', async () => {
    const id = await startSlowRun({ scheduled_at: '2020-01-01T00:00:00Z' });
    expect((await api.get(`/api/v1/tests/${id}`)).body.status).toBe('running');
    await api.post('/cancel-run', { id });
  });
});

describe('DELETE /api/v1/tests/{id}', () => {
  test('cancels a live run and removes it', async () => {
    const id = await startSlowRun({ concurrency_limit: 2 });
    await slow.until(() => slow.inFlight === 2);
    const [result] = await scenarioRunsOf(api, id);
    expect((await api.delete(`/api/v1/tests/${id}`)).status).toBe(204);
    await slow.until(() => slow.inFlight === 0);
    expect((await api.get(`/api/v1/tests/${id}`)).status).toBe(404);
    expect((await api.get(`/api/v1/scenario-runs/${result.id}`)).status).toBe(404);
    expect((await api.delete(`/api/v1/tests/${id}`)).status).toBe(404);
  });
});

describe('DELETE /api/v1/agents/{id}', () => {
  test('lets live runs of the agent finish', async () => {
    const quick = await startFakeOpenAi({ reply: () => GOOD_REPLY, delayMs: 30 });
    const id = await createAgent(api, quick.baseUrl);
    const { body } = await api.post('/start-run', { agent_id: id, scenario_ids: scenarioIds, concurrency_limit: 2 });
    expect((await api.delete(`/api/v1/agents/${id}`)).status).toBe(204);
    expect((await api.get(`/api/v1/agents/${id}`)).status).toBe(404);
    expect(await untilFinal(api, body.id)).toMatchObject({ status: 'completed', passed_count: 8, agent_id: id });
    await quick.close();
  });
});
