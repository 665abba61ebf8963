import { ModelSpend } from '../../src/examiners/model/model-spend';
import { Database } from '../../src/platform/database/database';
import { startFakeAnthropic, type FakeAnthropic } from '../fakes/anthropic-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { eventually } from '../setup/eventually';
import { untilDeclined } from '../setup/passing-time';
import { osce, OsceCommand } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

const SENTENCE =
  "Waiting: today's spend limit of $5.00 for language models is reached. " +
  'It continues at 00:00 UTC, or when MAX_SPEND_USD_PER_DAY is raised.';

let agent: FakeAgent;
let model: FakeAnthropic;
let database: TestDatabase;
const services: TestService[] = [];
beforeEach(async () => {
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  model = await startFakeAnthropic({});
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
  await agent.close();
  await model.close();
  await database.drop();
});

async function start(limit: string | null = '5', variables: Record<string, string> = {}) {
  const service = await startTestService(
    {
      ANTHROPIC_API_KEY: 'sk-ant-secret',
      ANTHROPIC_BASE_URL: model.url,
      TESTER_MODEL: 'claude-haiku-4-5',
      JUDGE_MODEL: 'claude-opus-4-5',
      ...(limit === null ? {} : { MAX_SPEND_USD_PER_DAY: limit }),
      ...variables,
    },
    { database },
  );
  services.push(service);
  return { service, api: new ApiClient(service.url) };
}

/** What other processes have spent today, or another day. */
async function spend(service: TestService, usd: number, day = 'now()'): Promise<void> {
  await service.app
    .get(Database)
    .query(`INSERT INTO model_spend (day, usd) VALUES ((${day} AT TIME ZONE 'UTC')::date, $1)`, [usd]);
}

async function spent(service: TestService): Promise<number> {
  const [row] = await service.app
    .get(Database)
    .query<{ usd: number }>('SELECT sum(usd)::float8 AS usd FROM model_spend');
  return row?.usd ?? 0;
}

async function startRun(api: ApiClient): Promise<string> {
  const agent_id = await createAgent(api, agent.baseUrl);
  const scenario_ids = await createScenarios(api, 2);
  return String((await api.post('/start-run', { agent_id, scenario_ids, max_turns: 5 })).body.id);
}

test('what every model call cost is counted, repaired answers and generation too', async () => {
  const { service, api } = await start('500');
  const run = await untilFinal(api, await startRun(api), 60_000);
  expect(run).toMatchObject({ status: 'completed', waiting: null });
  const costs = (await scenarioRunsOf(api, run.id)).map(
    ({ metadata: { usage } }) => usage.tester.cost_usd + usage.judge.cost_usd,
  );
  const cost = costs.reduce((sum: number, one: number) => sum + one, 0);
  expect(cost).toBeGreaterThan(0);
  await eventually(async () => expect(await spent(service)).toBeCloseTo(cost, 6));
  expect((await api.post('/api/v1/scenarios/generate', { text: 'Chest pain: call an ambulance.' })).status).toBe(201);
  await eventually(async () => expect(await spent(service)).toBeGreaterThan(cost * 1.01));
  // A run that is deleted has been paid for all the same.
  const before = await spent(service);
  await api.delete(`/api/v1/tests/${run.id}`);
  expect(await spent(service)).toBe(before);
});

test('a run waits once the day has cost as much as it may, says so everywhere, and goes on when the limit is raised', async () => {
  const first = await start();
  await spend(first.service, 5);
  const id = await startRun(first.api);
  await untilDeclined(first.service, id);
  const { body: run } = await first.api.get(`/api/v1/tests/${id}`);
  expect(run).toMatchObject({ status: 'running', waiting: SENTENCE });
  expect((await first.api.get('/api/v1/tests')).body.runs[0].waiting).toBe(SENTENCE);
  const scenarioRuns = await scenarioRunsOf(first.api, id);
  expect(scenarioRuns.map(({ status }) => status)).toEqual(['pending', 'pending']);
  const { body: actors } = await first.api.get(`/api/v1/inspect/actors?run_id=${id}`);
  expect(actors.actors.map(({ waiting }: { waiting: unknown }) => waiting)).toContain(SENTENCE);
  const { body: health } = await first.api.get('/health');
  expect(health).toMatchObject({ status: 'ok', checks: { spend: { status: 'warning', detail: SENTENCE } } });
  expect((await osce(['runs', 'show', id], { url: first.service.url })).stdout).toContain(
    "today's spend limit of $5.00",
  );
  const watching = OsceCommand.start(['runs', 'watch', id], { url: first.service.url });
  await watching.writes(SENTENCE);
  await watching.kill();
  const refused = await first.api.post('/api/v1/scenarios/generate-preview', { text: 'Chest pain.' });
  expect(refused).toMatchObject({ status: 429, body: { error: SENTENCE } });
  const retryAfter = Number(refused.headers.get('retry-after'));
  expect(retryAfter).toBeGreaterThan(0);
  expect(retryAfter).toBeLessThanOrEqual(86_400);
  // A restart changes nothing.
  await first.service.close();
  const second = await start();
  await untilDeclined(second.service, id);
  expect((await second.api.get(`/api/v1/tests/${id}`)).body).toMatchObject({ status: 'running', waiting: SENTENCE });
  expect([agent.requests.length, model.requests.length]).toEqual([0, 0]);
  await second.service.close();
  const third = await start('6');
  const ended = await untilFinal(third.api, id, 60_000);
  expect(ended).toMatchObject({ status: 'completed', passed_count: 2, waiting: null });
  expect((await scenarioRunsOf(third.api, id)).map(({ attempt }) => attempt)).toEqual([1, 1]);
  expect((await third.api.get('/health')).body.checks.spend).toMatchObject({
    status: 'ok',
    detail: expect.stringMatching(/^\$5\.\d\d of \$6\.00 spent today \(UTC\)\.$/),
  });
});

test('a run that waits can be canceled, and what another day cost does not count', async () => {
  const { service, api } = await start();
  await spend(service, 5);
  const id = await startRun(api);
  await eventually(async () => expect((await api.get(`/api/v1/tests/${id}`)).body.waiting).toBe(SENTENCE));
  expect((await api.post('/cancel-run', { test_run_id: id })).body).toEqual({
    status: 'canceled',
    canceled_scenarios: 2,
  });
  expect((await api.get(`/api/v1/tests/${id}`)).body).toMatchObject({ status: 'canceled', waiting: null });
  // As if it were tomorrow.
  await service.app.get(Database).query(`UPDATE model_spend SET day = day - 1`);
  // Runs that start before the service has noticed ask again seconds later.
  await eventually(async () => expect(await service.app.get(ModelSpend).reached()).toBeNull());
  const agent_id = await createAgent(api, agent.baseUrl);
  const { body } = await api.post('/start-run', { agent_id, max_turns: 5 });
  expect(await untilFinal(api, body.id, 60_000)).toMatchObject({ status: 'completed' });
});

test('without a limit nothing waits; offline nothing costs', async () => {
  const unlimited = await start(null);
  await spend(unlimited.service, 1_000_000);
  expect(await untilFinal(unlimited.api, await startRun(unlimited.api), 60_000)).toMatchObject({ status: 'completed' });
  expect((await unlimited.api.get('/health')).body.checks).not.toHaveProperty('spend');
  await unlimited.service.close();
  const offline = await start('5', { ANTHROPIC_API_KEY: '' });
  expect(await untilFinal(offline.api, await startRun(offline.api))).toMatchObject({ status: 'completed' });
});

test('a model without a known price cannot be held to a limit: the start says so', async () => {
  await expect(start('5', { JUDGE_MODEL: 'our-own-model' })).rejects.toThrow(
    'MAX_SPEND_USD_PER_DAY is set, but the price of JUDGE_MODEL "our-own-model" is not known: ' +
      'name a model of the published price list, or leave MAX_SPEND_USD_PER_DAY out.',
  );
});
