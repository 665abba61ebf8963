import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { ApiClient, type Answer } from '../setup/api-client';
import { createAgent, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

const CALLS = { criterion: 'Tells the patient to call emergency services now', points: 5, tags: [] };

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let agentId: string;
let scenarioIds: string[];
beforeAll(async () => {
  agent = await startFakeOpenAi({ reply: () => 'Please call 999 now. Which country are you in?' });
  service = await startTestService();
  api = new ApiClient(service.url);
  agentId = await createAgent(api, agent.baseUrl);
  scenarioIds = await createScenarios(api, 1, { rubric_criteria: [CALLS] });
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

async function examined(fields: object): Promise<Answer['body']> {
  const request = { agent_id: agentId, scenario_ids: scenarioIds, max_turns: 5, ...fields };
  const { status, body } = await api.post('/start-run', request);
  expect({ status, body }).toMatchObject({ status: 200 });
  return untilFinal(api, body.id);
}

async function saidIn(run: Answer['body']): Promise<string[]> {
  const [row] = await scenarioRunsOf(api, run.id);
  const { body } = await api.get(`/api/v1/scenario-runs/${row.id}`);
  return body.transcript.flatMap(({ role, content }: { role: string; content: string }) =>
    role === 'patient' ? [content] : [],
  );
}

test.each([
  ['US', undefined, 0, 'the United States'],
  ['US', null, 0, 'the United States'],
  ['US', 'US', 0, 'the United States'],
  ['UK', 'UK', 1, 'the United Kingdom'],
  ['EU', 'EU', 0, 'Germany'],
  ['AU', 'AU', 0, 'Australia'],
])(
  'a run in %s (asked for: %s) takes 999 for emergency services %i times, and its patient lives in %s',
  async (region, given, passed, country) => {
    const run = await examined({ region: given });
    expect(run).toMatchObject({ status: 'completed', region, passed_count: passed, failed_count: 1 - passed });
    expect(await saidIn(run)).toContain(`I live in ${country}.`);
    const { body } = await api.get('/api/v1/tests?limit=1');
    expect(body.runs[0]).toMatchObject({ id: run.id, region });
  },
);

test.each(['uk', 'GB', '', 'Europe', 5, ['UK']])(
  'the region %j is refused by name, with those that there are',
  async (region) => {
    const { status, body } = await api.post('/start-run', { agent_id: agentId, region });
    expect(status).toBe(400);
    expect(body.error).toMatch(/region.*US.*UK.*EU.*AU/);
  },
);

test('a scheduled run keeps its region', async () => {
  const { body } = await api.post('/start-run', {
    agent_id: agentId,
    scenario_ids: scenarioIds,
    region: 'AU',
    scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  expect((await api.get(`/api/v1/tests/${body.id}`)).body).toMatchObject({ status: 'scheduled', region: 'AU' });
  await api.post('/cancel-run', { test_run_id: body.id });
});

test('what is derived from a run is examined where it was', async () => {
  const source = await examined({ region: 'UK' });
  const regraded = await api.post(`/api/v1/tests/${source.id}/regrade`);
  expect(await untilFinal(api, regraded.body.id)).toMatchObject({ region: 'UK', passed_count: 1 });
  const [row] = await scenarioRunsOf(api, source.id);
  const forked = await api.post(`/api/v1/scenario-runs/${row.id}/fork`, { at_turn: 2 });
  expect(await untilFinal(api, forked.body.id)).toMatchObject({ region: 'UK', passed_count: 1 });
});

test('conversations from elsewhere are marked by the numbers of the region that is named, and by any where none is', async () => {
  const items = [
    {
      rubric_criteria: [CALLS],
      transcript: [
        { role: 'patient', content: 'My chest feels tight.' },
        { role: 'agent', content: 'Please call 999 now.' },
      ],
    },
  ];
  for (const [region, passed_count] of [
    [undefined, 1],
    ['UK', 1],
    ['US', 0],
  ] as const) {
    const { body } = await api.post('/api/v1/transcripts', { agent_name: 'Elsewhere', items, region });
    expect(await untilFinal(api, body.id)).toMatchObject({ region: region ?? null, passed_count });
  }
});
