import { ApiClient } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { EventClient } from '../setup/event-client';
import { createAgent, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startServiceProcess, type ServiceProcess } from '../setup/service-process';

/** 60,000 header names that no HTTP header can have: each is worth a sentence of its own. */
const BAD_HEADERS = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [` ${index}`, 1]));
/** Of every sentence that tells of a failure. */
const LONGEST_SENTENCE = 2_000;

let database: TestDatabase;
let service: ServiceProcess;
let api: ApiClient;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'info' });
  api = new ApiClient(service.url);
});
afterAll(async () => {
  await service.end('SIGTERM');
  await database.drop();
});

test('a config with sixty thousand mistakes ends as one short sentence, and the process goes on', async () => {
  const agentId = await createAgent(api, 'http://127.0.0.1:9', { headers: BAD_HEADERS });
  const scenarioIds = await createScenarios(api, 2);
  const { body } = await api.post('/start-run', {
    agent_id: agentId,
    scenario_ids: scenarioIds,
    // Somebody listens when the news comes: only then it travels.
    scheduled_at: new Date(Date.now() + 1_500).toISOString(),
  });
  const events = await EventClient.open(`${service.url}/events?run_id=${body.test_run_id}`);
  const run = await untilFinal(api, body.test_run_id);
  expect(run.status).toBe('failed');
  expect(run.error_message.length).toBeLessThanOrEqual(LONGEST_SENTENCE);

  const scenarioRuns = await scenarioRunsOf(api, body.test_run_id);
  expect(scenarioRuns.map(({ error_code }) => error_code)).toEqual(['config_invalid', 'config_invalid']);
  for (const { error_message } of scenarioRuns) {
    expect(error_message).toMatch(/headers\. 0 holds characters.*and 59\d\d\d more/);
    expect(error_message.length).toBeLessThanOrEqual(LONGEST_SENTENCE);
  }

  expect(await events.ended).toBe(true);
  const errors = events.events.filter(({ data }) => data['type'] === 'scenario_error');
  expect(errors).toHaveLength(2);
  for (const { data } of errors) expect(String(data['error']).length).toBeLessThanOrEqual(LONGEST_SENTENCE);

  const tried = await api.post(`/api/v1/agents/${agentId}/try`, { message: 'Hello' });
  expect(tried.body).toMatchObject({ ok: false, error_code: 'config_invalid' });
  expect(tried.body.error.length).toBeLessThanOrEqual(LONGEST_SENTENCE);

  expect(await api.get('/health/live')).toMatchObject({ status: 200 });
  expect(service.process.exitCode).toBeNull();
  expect(service.output()).not.toContain('Uncaught exception');
  expect(
    Math.max(
      ...service
        .output()
        .split('\n')
        .map((line) => line.length),
    ),
  ).toBeLessThan(16_000);
});

test('what a client did wrong is told it in one short sentence too', async () => {
  const { status, body } = await api.post('/api/v1/scenarios', {
    name: 'Scenario',
    rubric_criteria: Array.from({ length: 200 }, () => ({ criterion: 5, points: 'many', tags: 'none' })),
  });
  expect(status).toBe(400);
  expect(body.error).toMatch(/rubric_criteria.*; and \d+ more$/);
  expect(body.error.length).toBeLessThanOrEqual(LONGEST_SENTENCE);
});
