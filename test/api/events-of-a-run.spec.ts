import { runEventFields } from '../../src/domain/run-events';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { EventClient, type StreamMessage } from '../setup/event-client';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

const TURNS = 5;
const SCENARIOS = 3;

let database: TestDatabase;
let service: TestService;
let other: TestService;
let api: ApiClient;
let agent: FakeAgent;
let agentId: string;
let scenarioIds: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startTestService({}, { database });
  other = await startTestService({}, { database });
  api = new ApiClient(service.url);
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  agentId = await createAgent(api, agent.baseUrl);
  scenarioIds = await createScenarios(api, SCENARIOS);
});
afterAll(async () => {
  await Promise.all([service.close(), other.close()]);
  await agent.close();
  await database.drop();
});

async function follow(runId: string): Promise<StreamMessage[]> {
  const [here, there] = await Promise.all(
    [service, other].map(({ url }) => EventClient.open(`${url}/events?run_id=${runId}`)),
  );
  expect([await here?.ended, await there?.ended]).toEqual([true, true]);
  expect(there?.events).toEqual(here?.events);
  return here?.events ?? [];
}

it('the first message shows the run as the list of runs does', async () => {
  const request = { agent_id: agentId, scenario_ids: scenarioIds, max_turns: TURNS, agent_version: '7' };
  const { body: ended } = await api.post('/start-run', { ...request, name: 'An ended one' });
  await follow(ended.id);
  const { body: planned } = await api.post('/start-run', { ...request, scheduled_at: '2900-01-01T00:00:00Z' });
  for (const { id, label, status } of [
    { id: ended.id, label: ended.test_run_id, status: 'completed' },
    { id: planned.id, label: planned.test_run_id, status: 'scheduled' },
  ]) {
    const { body } = await api.get(`/api/v1/tests?status=${status}`);
    for (const key of [id, label]) {
      const client = await EventClient.open(`${service.url}/events?run_id=${key}`);
      await eventually(() => expect(client.messages.length).toBeGreaterThan(0));
      expect(client.messages[0]?.data).toEqual({
        type: 'connected',
        run_id: id,
        run: body.runs.find((run: { id: string }) => run.id === id),
      });
      client.close();
    }
  }
  await api.post('/cancel-run', { id: planned.id });
});

const typesOf = (events: readonly StreamMessage[]): unknown[] => events.map(({ data }) => data['type']);

it('a run is told from its start to its end, the same by the process that executes it and by another', async () => {
  const { body: run } = await api.post('/start-run', {
    agent_id: agentId,
    scenario_ids: scenarioIds,
    max_turns: TURNS,
  });
  const events = await follow(run.id);

  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
  for (const { id, data } of events) {
    expect(data).toMatchObject({ run_id: run.id, seq: id, at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) });
    const { run_id: _run, seq: _seq, at: _at, ...fields } = data;
    expect(runEventFields.parse(fields)).toEqual(fields);
  }
  expect(events[0]?.data).toMatchObject({ type: 'test_run_started', total_scenarios: SCENARIOS });
  expect(events.at(-1)?.data).toMatchObject({
    type: 'test_run_complete',
    passed_count: SCENARIOS,
    failed_count: 0,
    error_count: 0,
    canceled_count: 0,
    pass_rate: 100,
  });

  const { body: list } = await api.get(`/api/v1/scenario-runs?test_run_id=${run.test_run_id}`);
  for (const scenarioRun of list.results) {
    const own = events.filter(({ data }) => data['scenario_run_id'] === scenarioRun.id);
    expect(typesOf(own)).toEqual([
      'scenario_started',
      ...Array.from({ length: TURNS }, () => 'transcript_update'),
      'grading_started',
      'grading_complete',
      'scenario_complete',
    ]);
    const { body: detail } = await api.get(`/api/v1/scenario-runs/${scenarioRun.id}`);
    const told = own.filter(({ data }) => data['type'] === 'transcript_update').map(({ data }) => data);
    const patient = detail.transcript.filter((entry: { role: string }) => entry.role === 'patient');
    expect(told.map(({ turn, patient_message }) => [turn, patient_message])).toEqual(
      patient.map(({ turn, content }: { turn: number; content: string }) => [turn, content]),
    );
  }

  for (const { url } of [service, other]) {
    const again = await EventClient.open(`${url}/events?run_id=${run.id}`, { 'last-event-id': String(events.length) });
    expect(again.status).toBe(204);
  }
});

it('a canceled run ends with test_run_canceled', async () => {
  const slow = await startFakeOpenAi({ reply: () => GOOD_REPLY, delayMs: 60_000 });
  const slowAgent = await createAgent(api, slow.baseUrl);
  const { body: run } = await api.post('/start-run', { agent_id: slowAgent, scenario_ids: scenarioIds });
  const told = follow(run.test_run_id);
  await api.post('/cancel-run', { test_run_id: run.id });
  const events = await told;
  expect(events.at(-1)?.data).toMatchObject({ type: 'test_run_canceled', canceled_count: SCENARIOS, pass_rate: 0 });
  expect(typesOf(events).filter((type) => type === 'scenario_canceled')).toHaveLength(SCENARIOS);
  await slow.close();
});
