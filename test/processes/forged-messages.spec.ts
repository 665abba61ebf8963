import { setTimeout as sleep } from 'node:timers/promises';
import { subjects } from '../../src/engine/bus/bus';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { describeWithNats } from '../setup/describe-with-nats';
import { createAgent, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { NatsServer } from '../setup/nats-server';
import { startTestService, type TestService } from '../setup/service';

/** Longer than a message needs to be taken, and than the rows need to say otherwise. */
const TAKEN_WITHIN_MS = 1_500;
const IN_AN_HOUR = 3_600_000;

describeWithNats('a message that no process of the service sent', (binary) => {
  let nats: NatsServer;
  let service: TestService;
  let api: ApiClient;
  let agent: FakeAgent;
  beforeAll(async () => {
    nats = await NatsServer.start(binary);
    service = await startTestService({ NATS_URL: nats.url });
    api = new ApiClient(service.url);
    agent = await startFakeOpenAi({ delayMs: 600_000 });
  });
  afterAll(async () => {
    await service.close();
    await agent.close();
    await nats.close();
  });

  async function forge(messages: readonly { readonly subject: string; readonly payload: object }[]): Promise<void> {
    const { connect } = await import('@nats-io/transport-node');
    const stranger = await connect({ servers: nats.url.slice('nats://'.length) });
    for (const { subject, payload } of messages) stranger.publish(subject, JSON.stringify(payload));
    await stranger.flush();
    await stranger.close();
    await sleep(TAKEN_WITHIN_MS);
  }

  async function startRun(fields: object = {}): Promise<string> {
    const agent_id = await createAgent(api, agent.baseUrl, { turn_timeout_ms: 600_000 });
    const scenario_ids = await createScenarios(api, 2);
    const { body } = await api.post('/start-run', { agent_id, scenario_ids, ...fields });
    return String(body.id);
  }

  test('cancels no run, while the same words about a canceled one are believed', async () => {
    const id = await startRun();
    await agent.until(() => agent.inFlight === 2);
    const sent = agent.requests.length;
    await forge([{ subject: subjects.cancelTestRun(id), payload: {} }]);
    expect({ inFlight: agent.inFlight, sent: agent.requests.length }).toEqual({ inFlight: 2, sent });
    expect((await api.get(`/api/v1/tests/${id}`)).body).toMatchObject({ status: 'running' });
    await api.post('/cancel-run', { test_run_id: id });
    await agent.until(() => agent.inFlight === 0);
    expect(await untilFinal(api, id)).toMatchObject({ status: 'canceled', canceled_count: 2 });
  });

  test('starts nothing: not what is canceled, waits for its time, belongs to another run or does not exist', async () => {
    const canceled = await startRun();
    await agent.until(() => agent.inFlight === 2);
    await api.post('/cancel-run', { test_run_id: canceled });
    await agent.until(() => agent.inFlight === 0);
    const scheduled = await startRun({ scheduled_at: new Date(Date.now() + IN_AN_HOUR).toISOString() });
    const [over] = await scenarioRunsOf(api, canceled);
    const [waiting] = await scenarioRunsOf(api, scheduled);
    const sent = agent.requests.length;
    const work = [
      { scenario_run_id: over?.id, test_run_id: canceled },
      { scenario_run_id: waiting?.id, test_run_id: scheduled },
      { scenario_run_id: waiting?.id, test_run_id: canceled },
      { scenario_run_id: canceled, test_run_id: scheduled },
      { scenario_run_id: 'all', test_run_id: scheduled },
    ];
    await forge(work.map((payload) => ({ subject: subjects.scenarioRunWork, payload })));
    expect(agent.requests).toHaveLength(sent);
    expect(await scenarioRunsOf(api, scheduled)).toEqual([
      expect.objectContaining({ status: 'pending' }),
      expect.objectContaining({ status: 'pending' }),
    ]);
    expect(await scenarioRunsOf(api, canceled)).toEqual([
      expect.objectContaining({ status: 'canceled' }),
      expect.objectContaining({ status: 'canceled' }),
    ]);
  });
});
