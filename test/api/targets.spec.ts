import { Database } from '../../src/platform/database/database';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

/** Refusals are provoked by loopback addresses and the service's own ports: nothing here is sent anywhere else. */
describe('where agents may live', () => {
  let agent: FakeAgent;
  let service: TestService;
  let api: ApiClient;

  beforeAll(async () => {
    agent = await startFakeOpenAi();
  });
  afterAll(() => agent.close());
  afterEach(() => service.close());

  async function start(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    service = await startTestService(variables);
    api = new ApiClient(service.url);
  }
  async function tryAt(baseUrl: string): Promise<{ readonly status: number; readonly body: object }> {
    return api.post(`/api/v1/agents/${await createAgent(api, baseUrl)}/try`, { message: 'Hello.' });
  }
  const refused = (rule: RegExp) => ({
    status: 200,
    body: { ok: false, error_code: 'config_invalid', error: expect.stringMatching(rule) },
  });

  it("is loopback too unless TARGETS says otherwise, and never one of the service's own ports, however it is spelled", async () => {
    await start();
    expect(await tryAt(agent.baseUrl)).toMatchObject({ status: 200, body: { ok: true } });
    const ports = [new URL(service.url).port, service.app.get(Database).server.port];
    for (const host of ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '0.0.0.0', 'localhost'])
      for (const port of ports)
        expect(await tryAt(`http://${host}:${port}/v1`)).toMatchObject(refused(/a port of this service itself/));
  });

  it('ends a run against a forbidden address as config_invalid, and starts it as ever', async () => {
    await start({ TARGETS: 'public' });
    const [agentId, [scenario]] = [await createAgent(api, agent.baseUrl), await createScenarios(api, 1)];
    const before = agent.requests.length;
    const { status, body } = await api.post('/start-run', { agent_id: agentId, scenario_ids: [scenario] });
    expect(status).toBe(200);
    const run = String(body.test_run_id);
    await untilFinal(api, run);
    expect(await scenarioRunsOf(api, run)).toMatchObject([
      { status: 'error', error_code: 'config_invalid', error_message: expect.stringMatching(/TARGETS=public/) },
    ]);
    expect(agent.requests).toHaveLength(before);
  });

  it('is what ALLOWED_TARGETS lists, and nothing else', async () => {
    const { port } = new URL(agent.baseUrl);
    await start({ TARGETS: 'list', ALLOWED_TARGETS: `127.0.0.1:${port}` });
    expect(await tryAt(agent.baseUrl)).toMatchObject({ body: { ok: true } });
    expect(await tryAt('http://127.0.0.1:9/v1')).toMatchObject(refused(/TARGETS=list.*ALLOWED_TARGETS/));
  });
});
