import { Client } from 'pg';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createTestDatabase } from '../setup/database';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { startTestService } from '../setup/service';
import { startTcpProxy } from '../setup/tcp-proxy';

/** Runs are committed slowly, so that there is time to break the connection meanwhile. */
const SLOW_COMMIT = `
  CREATE FUNCTION slow_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON test_runs DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION slow_commit();`;

it('a run whose commit lost its answer is started once, and its client is told so', async () => {
  const database = await createTestDatabase();
  const proxy = await startTcpProxy(database.url);
  const agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  const service = await startTestService({}, { database: { ...database, url: proxy.url } });
  const observer = new Client({ connectionString: database.url });
  await observer.connect();
  try {
    const api = new ApiClient(service.url);
    const agent_id = await createAgent(api, agent.baseUrl);
    const scenario_ids = await createScenarios(api, 2);
    await observer.query(SLOW_COMMIT);

    const starting = api.post('/start-run', { agent_id, scenario_ids, max_turns: 5 });
    await eventually(async () => {
      const { rowCount } = await observer.query(
        `SELECT FROM pg_stat_activity WHERE query = 'COMMIT' AND state = 'active'`,
      );
      expect(rowCount).toBe(1);
    });
    proxy.cut();
    await proxy.restore();

    const { status, body } = await starting;
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'running', total_scenarios: 2, scenarios_launched: 2 });
    expect(await untilFinal(api, body.id)).toMatchObject({ status: 'completed', passed_count: 2 });
    expect((await api.get('/api/v1/tests')).body).toMatchObject({ total: 1 });
    expect(agent.requests).toHaveLength(10);
  } finally {
    await observer.end();
    await service.close();
    await proxy.close();
    await agent.close();
    await database.drop();
  }
});
