import { Database } from '../../src/platform/database/database';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { EventClient } from '../setup/event-client';
import { eventually } from '../setup/eventually';
import { startTestService, type TestService } from '../setup/service';

const HOUR_MS = 3_600_000;

let agent: FakeAgent;
const services: TestService[] = [];
beforeAll(async () => {
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
});
afterAll(() => agent.close());

async function start(variables: Record<string, string> = {}, database?: TestDatabase) {
  const service = await startTestService(variables, database && { database });
  services.push(service);
  return { service, api: new ApiClient(service.url) };
}

const inAnHour = () => new Date(Date.now() + HOUR_MS).toISOString();

describe('A run', () => {
  it('has at most 20,000 scenario runs', async () => {
    const { service, api } = await start();
    const agent_id = await createAgent(api, agent.baseUrl);
    await service.app.get(Database).query(
      `INSERT INTO scenarios (name, category, scenario_type, content, content_hash, rubric_criteria, approved)
       SELECT 'Scenario ' || n, 'cough', 'full', '{"script":"","demographics":{},"chief_complaint":""}', repeat('0', 64), '[]', true
       FROM generate_series(1, 20001) n`,
    );
    const refused = await api.post('/start-run', { agent_id });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toBe(
      'This run would have 20,001 scenario runs; a run has at most 20,000. Set max_scenarios, or start several runs with tags or test suites.',
    );
    const started = await api.post('/start-run', { agent_id, max_scenarios: 20_000, scheduled_at: inAnHour() });
    expect(started).toMatchObject({ status: 200, body: { total_scenarios: 20_000 } });
  });
});

describe('MAX_SCHEDULED_RUNS', () => {
  it('refuses one more with 409, also of those who come together, until one is gone', async () => {
    const { api } = await start({ MAX_SCHEDULED_RUNS: '3' });
    await createScenarios(api, 1);
    const agent_id = await createAgent(api, agent.baseUrl);
    const schedule = () => api.post('/start-run', { agent_id, scheduled_at: inAnHour() });
    const answers = await Promise.all(Array.from({ length: 8 }, schedule));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409, 409, 409]);
    expect((await schedule()).body).toEqual({
      error:
        '3 runs are scheduled already, as many as MAX_SCHEDULED_RUNS allows: cancel one of them, wait until one has started, or raise it.',
    });
    expect((await api.get('/api/v1/tests')).body.total).toBe(3);
    // What starts at once is no scheduled run.
    const { body } = await api.post('/start-run', { agent_id });
    await untilFinal(api, body.id);
    const [first] = answers.filter(({ status }) => status === 200);
    await api.post('/cancel-run', { test_run_id: first?.body.id });
    expect((await schedule()).status).toBe(200);
  });
});

describe('MAX_EVENT_STREAMS', () => {
  it('answers 503 beyond, for runs and inspected actors together, until one has ended', async () => {
    const { service, api } = await start({ MAX_EVENT_STREAMS: '2' });
    await createScenarios(api, 1);
    const agent_id = await createAgent(api, agent.baseUrl);
    const { body: run } = await api.post('/start-run', { agent_id, scheduled_at: inAnHour() });
    const open = (path: string) => EventClient.open(service.url + path);
    const ofRun = await open(`/events?run_id=${run.id}`);
    const ofActor = await open(`/api/v1/inspect/actors/${run.id}/events`);
    expect([ofRun.status, ofActor.status]).toEqual([200, 200]);
    for (const path of [`/events?run_id=${run.id}`, `/api/v1/inspect/actors/${run.id}/events`, '/events?run_id=none']) {
      const one = await open(path);
      one.close();
      expect(one.status).toBe(503);
      const refused = await api.get(path);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.body.error).toBe(
        'This process already serves 2 event streams, as many as MAX_EVENT_STREAMS allows: close one, try again later, or raise it.',
      );
    }
    // What is no stream in the end gives its place back.
    ofRun.close();
    await eventually(async () => {
      const { status } = await api.get('/events?run_id=');
      expect(status).toBe(400);
    });
    for (let times = 0; times < 5; times += 1) {
      await eventually(async () => {
        const again = await open(`/events?run_id=${run.id}`);
        again.close();
        expect(again.status).toBe(200);
      });
    }
    ofActor.close();
  });
});

describe('SCHEDULE_GRACE', () => {
  async function foundLate(hours: number, variables: Record<string, string> = {}) {
    const database = await createTestDatabase();
    const first = await start({}, database);
    await createScenarios(first.api, 2);
    const agent_id = await createAgent(first.api, agent.baseUrl);
    const { body } = await first.api.post('/start-run', { agent_id, scheduled_at: inAnHour() });
    await first.service.close();
    const before = agent.requests.length;
    const second = await start(variables, database);
    await second.service.app
      .get(Database)
      .query(`UPDATE test_runs SET scheduled_at = now() - make_interval(hours => $1), owner = NULL`, [hours]);
    // The process that waits for the time as it was read gives up, as after a restart.
    await second.service.close();
    const third = await start(variables, database);
    const run = await untilFinal(third.api, body.id);
    return { ...third, run, database, requests: agent.requests.length - before };
  }

  it('fails a run that is found a day too late, and tells so', async () => {
    const { api, run, requests, service, database } = await foundLate(26);
    expect(run).toMatchObject({ status: 'failed', started_at: null, canceled_count: 2, error_count: 0, pass_rate: 0 });
    expect(run.error_message).toBe(
      `This run was scheduled for ${run.scheduled_at}, when the service could not start it. ` +
        'It was found 26 hours later; SCHEDULE_GRACE allows 24 hours, so it was not started.',
    );
    expect(requests).toBe(0);
    const scenarioRuns = await scenarioRunsOf(api, run.id);
    expect(scenarioRuns.map(({ status }) => status)).toEqual(['canceled', 'canceled']);
    const events = await (await fetch(`${service.url}/events?run_id=${run.id}`)).text();
    const types = [...events.matchAll(/"type":"(\w+)"/g)].map(([, type]) => type);
    expect(types).toEqual([
      'connected',
      'test_run_scheduled',
      'scenario_canceled',
      'scenario_canceled',
      'test_run_failed',
    ]);
    const { transitions } = (await api.get(`/api/v1/inspect/actors/${run.id}`)).body;
    expect(transitions.at(-1)).toMatchObject({ from: 'live.pending', to: 'failed', event: 'record start done' });
    await service.close();
    await database.drop();
  });

  it.each([
    ['within the default', 23, {}],
    ['within a longer one', 72, { SCHEDULE_GRACE: '7d' }],
  ])('starts a run that is found late but %s', async (_what, hours, variables) => {
    const { run, service, database } = await foundLate(hours, variables);
    expect(run).toMatchObject({ status: 'completed', passed_count: 2 });
    await service.close();
    await database.drop();
  });
});
