import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import { RunsService } from '../../src/features/runs/runs.service';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { storeTurns } from '../setup/reviewed-runs';
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
  test('json holds each scenario run as it is answered by itself', async () => {
    const { scenario_runs: exported } = (await api.get(`/api/v1/tests/${run.id}/export?format=json`)).body;
    expect(exported).toHaveLength(60);
    for (const one of exported.slice(0, 3)) {
      expect((await api.get(`/api/v1/scenario-runs/${one.id}`)).body).toEqual(one);
    }
  });

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

  test('says of a comparison what is wrong with it', async () => {
    const compared = (id: string, format: string, before: string): ReturnType<typeof api.get> =>
      api.get(`/api/v1/tests/${id}/export?format=${format}&before=${before}`);
    const unknown = randomUUID();
    expect(await compared(run.id, 'csv', run.id)).toMatchObject({
      status: 400,
      body: { error: 'before: only format=junit holds a comparison; leave it out.' },
    });
    expect(await compared(unknown, 'csv', run.id)).toMatchObject({ status: 404 });
    expect(await compared(run.id, 'junit', run.id)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^before: .*itself/) },
    });
    expect(await compared(run.id, 'junit', unknown)).toMatchObject({
      status: 404,
      body: { error: expect.stringMatching(/^before: /) },
    });
    const { body: later } = await api.post('/start-run', {
      agent_id: await createAgent(api, agent.baseUrl),
      max_scenarios: 1,
      scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
    });
    expect(await compared(run.id, 'junit', String(later.id))).toMatchObject({ status: 409 });
  });
});

test('what was said is read as it is taken: long conversations are not held for a reader that pauses', async () => {
  const database = service.app.get(Database);
  const [id = ''] = await storeScenarios(database, ['Talkative']);
  const outcomes = Array.from({ length: 4 }, () => 'passed');
  const testRunId = await storeGradedRun(database, [{ id, name: 'Talkative', outcomes }]);
  await storeTurns(database, testRunId, [['Hello.', 'a'.repeat(700_000)]]);
  const said: string[] = [];
  for await (const { transcript } of service.app.get(RunsService).eachScenarioRun(testRunId)) {
    said.push(transcript.at(-1)?.content.slice(0, 5) ?? '');
    const written = `UPDATE turns SET agent_message = $2 || agent_message WHERE scenario_run_id IN
      (SELECT id FROM scenario_runs WHERE test_run_id = $1)`;
    await database.query(written, [testRunId, said.length]);
  }
  expect(said).toEqual(['aaaaa', '1aaaa', '21aaa', '321aa']);
});
