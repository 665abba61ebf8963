import { randomUUID } from 'node:crypto';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let run: { id: string; test_run_id: string };

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  const agentId = await createAgent(api, agent.baseUrl);
  const scenario_ids = await createScenarios(api, 60);
  await api.patch(`/api/v1/scenarios/${scenario_ids[0]}`, { name: '=HYPERLINK("http://evil")' });
  const { body } = await api.post('/start-run', { agent_id: agentId, scenario_ids, concurrency_limit: 20 });
  run = await untilFinal(api, body.id);
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

describe('GET /api/v1/tests/{id}/export', () => {
  test.each([
    ['csv', 'text/csv; charset=utf-8', 'csv'],
    ['json', 'application/json; charset=utf-8', 'json'],
    ['junit', 'application/xml; charset=utf-8', 'xml'],
  ])('%s is an attachment named after the run', async (format, type, extension) => {
    const response = await fetch(`${service.url}/api/v1/tests/${run.id}/export?format=${format}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${run.test_run_id}.${extension}"`);
    expect((await response.text()).length).toBeGreaterThan(1_000);
  });

  test('json holds the run, every scenario run and every transcript', async () => {
    const { body } = await api.get(`/api/v1/tests/${run.test_run_id}/export?format=json`);
    const text = JSON.stringify(body);
    expect(text).toContain(run.id);
    expect(text.match(/"transcript":\[\{/g)).toHaveLength(60);
  });

  test('csv has a row a scenario run, and no cell that a spreadsheet would run', async () => {
    const text = await (await fetch(`${service.url}/api/v1/tests/${run.id}/export-csv`)).text();
    expect(text).toBe(await (await fetch(`${service.url}/api/v1/tests/${run.id}/export?format=csv`)).text());
    expect(text.trim().split('\r\n')).toHaveLength(61);
    expect(text).not.toMatch(/(^|,|")=HYPERLINK/m);
  });

  test('says what is wrong', async () => {
    expect(await api.get(`/api/v1/tests/${run.id}/export`)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('format') },
    });
    expect((await api.get(`/api/v1/tests/${run.id}/export?format=pdf`)).status).toBe(400);
    expect((await api.get(`/api/v1/tests/${randomUUID()}/export-csv`)).status).toBe(404);
  });
});
