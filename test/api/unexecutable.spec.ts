import { Client } from 'pg';
import { createLog } from '../../src/platform/config/log';
import { MAX_FAILED_SUPERVISIONS } from '../../src/engine/ledger/lease';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let database: Client;
let log = '';

beforeAll(async () => {
  service = await startTestService({}, { log: createLog('info', { write: (line) => (log += line) }) });
  api = new ApiClient(service.url);
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  database = new Client({ connectionString: service.database.url });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await service.close();
  await agent.close();
});

/** A run of three that is due in a moment: until then its rows can be spoiled. Answers the ids of its scenario runs. */
async function scheduleRun() {
  const { body } = await api.post('/start-run', {
    agent_id: await createAgent(api, agent.baseUrl),
    scenario_ids: await createScenarios(api, 3),
    scheduled_at: new Date(Date.now() + 1_500).toISOString(),
  });
  const ids = (await scenarioRunsOf(api, String(body.id))).map(({ id }) => String(id));
  return { id: String(body.id), spoiled: ids[1] ?? '' };
}

describe('a scenario run that cannot be executed', () => {
  test.each([
    ['has no scenario in its row', `UPDATE scenario_runs SET scenario = 'null' WHERE id = $1`],
    [
      'has a scenario of no known shape',
      `UPDATE scenario_runs SET scenario = '{"name":1,"content":null}' WHERE id = $1`,
    ],
    [
      'has a turn that no reader understands',
      `WITH begun AS (UPDATE scenario_runs SET turns = 1 WHERE id = $1)
       INSERT INTO turns (scenario_run_id, conversation, turn, patient_message, patient_at, agent_message, agent_at, latency_ms)
       VALUES ($1, 1, 1, '', 'infinity', '', 'infinity', 0)`,
    ],
  ])('because it %s ends as its own error, once, and the others go on', async (_what, spoil) => {
    const { id, spoiled } = await scheduleRun();
    await database.query(spoil, [spoiled]);
    log = '';

    expect(await untilFinal(api, id)).toMatchObject({ status: 'completed', passed_count: 2, error_count: 1 });
    const { body } = await api.get(`/api/v1/scenario-runs?test_run_id=${id}`);
    expect(body.results[1]).toMatchObject({ id: spoiled, status: 'error', error_code: 'internal', attempt: 1 });
    const lines = log.split('\n').filter((line) => line.includes(spoiled));
    expect(lines).toEqual([expect.stringContaining(`"testRunId":"${id}"`)]);
  });
});

describe('a run that cannot be carried on', () => {
  test('ends as failed when it has failed too often, with what was found out', async () => {
    const { id } = await scheduleRun();
    await database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON test_runs FOR EACH ROW WHEN (NEW.status = 'completed')
        EXECUTE FUNCTION refuse();`);
    await database.query('UPDATE test_runs SET failed_supervisions = $2 WHERE id = $1', [
      id,
      MAX_FAILED_SUPERVISIONS - 1,
    ]);
    log = '';
    expect(await untilFinal(api, id)).toMatchObject({
      status: 'failed',
      passed_count: 3,
      error_message: expect.stringContaining('Given up'),
    });
    await database.query('DROP TRIGGER refuse ON test_runs');
    const lines = log.split('\n').filter((line) => line.includes(id));
    expect(lines).toEqual([
      expect.stringContaining('"effect":"recordFinish"'),
      expect.stringContaining('A test run failed too often'),
    ]);
  });
});
