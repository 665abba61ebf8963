import type { FakeAgent } from '../fakes/fake-agent';
import { completion, startFakeOpenAi } from '../fakes/openai-server';
import { sendJson, type Step } from '../fakes/http-stub';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

const KEY = 'sk-0123456789abcdef';
const HEADER = 'tenant-credential-4711';
const SERVICE_KEY = 'service-key-of-the-night-shift';
const MODEL_KEY = 'sk-ant-0123456789-of-the-judge';

/** Says what it was sent, the way a debugging server or a leaking prompt would, and what it can have heard elsewhere. */
const echo: Step = (response, { headers }) => {
  const sent = JSON.stringify(headers);
  const basic = Buffer.from(`user:${KEY}`).toString('base64');
  const said = `I was sent ${sent}, in other words ${basic}; and I know ${SERVICE_KEY} and ${MODEL_KEY}.`;
  const body = completion(said, `chat-${KEY}`);
  sendJson(response, 200, { ...body, model: HEADER, usage: { [KEY]: 1, total_tokens: 3 } });
};

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let id: string;
beforeAll(async () => {
  service = await startTestService({ SERVICE_API_KEY: SERVICE_KEY, OPENAI_API_KEY: MODEL_KEY });
  api = new ApiClient(service.url, { 'x-api-key': SERVICE_KEY });
  agent = await startFakeOpenAi();
  id = await createAgent(api, agent.baseUrl, { api_key: KEY, max_retries: 0, headers: { 'x-tenant': HEADER } });
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

function expectClean(whole: string): void {
  expect(whole).toContain('[removed]');
  for (const secret of [KEY, HEADER, SERVICE_KEY, MODEL_KEY, Buffer.from(`user:${KEY}`).toString('base64')]) {
    expect(whole).not.toContain(secret);
  }
}

test('an agent that echoes its headers leaves no secret in rows, events and exports', async () => {
  agent.next(...Array.from({ length: 5 }, () => echo));
  const scenarios = await createScenarios(api, 1);
  const { body: run } = await api.post('/start-run', { agent_id: id, scenario_ids: scenarios, max_turns: 5 });
  await untilFinal(api, run.id);
  const [scenarioRun] = await scenarioRunsOf(api, run.id);
  const detail = (await api.get(`/api/v1/scenario-runs/${scenarioRun?.id}`)).body;
  expect(detail.transcript).toHaveLength(10);
  expectClean(JSON.stringify(detail));
  const events = await fetch(`${service.url}/events?run_id=${run.id}&access_token=${SERVICE_KEY}`);
  expectClean(await events.text());
  for (const format of ['json', 'csv', 'junit']) {
    const { body } = await api.get(`/api/v1/tests/${run.id}/export?format=${format}`);
    const whole = typeof body === 'string' ? body : JSON.stringify(body);
    for (const secret of [KEY, HEADER, SERVICE_KEY, MODEL_KEY]) expect(whole).not.toContain(secret);
  }
});

test('neither does an answer to a try, nor an error', async () => {
  agent.next(echo);
  const tried = await api.post(`/api/v1/agents/${id}/try`);
  expect(tried.body.ok).toBe(true);
  expectClean(JSON.stringify(tried.body));
  agent.next((response, { headers }) =>
    sendJson(response, 400, { error: { message: JSON.stringify(headers) + MODEL_KEY } }),
  );
  const failed = await api.post(`/api/v1/agents/${id}/try`);
  expect(failed.body.ok).toBe(false);
  expectClean(JSON.stringify(failed.body));
});
