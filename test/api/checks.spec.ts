import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAiModel, type FakeOpenAiModel } from '../fakes/openai-model-server';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { createAgent, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let model: FakeOpenAiModel;
let agentId: string;

beforeAll(async () => {
  [agent, model] = await Promise.all([
    startFakeOpenAi({ reply: () => 'Please **call 999** now. Take no ibuprofen.' }),
    startFakeOpenAiModel(),
  ]);
  service = await startTestService({
    JUDGE_MODEL: 'openai/a-judge',
    JUDGE_BASE_URL: model.url,
    JUDGE_API_KEY: 'k',
  });
  api = new ApiClient(service.url);
  agentId = await createAgent(api, agent.baseUrl);
});
afterAll(async () => {
  await service.close();
  await agent.close();
  await model.close();
});

const NUMBER = { kind: 'contains', texts: ['call 999'] };
const CONTENT = { script: 'It began an hour ago.', demographics: {}, chief_complaint: 'My chest hurts.' };

async function scenarioWith(rubric_criteria: object[]): Promise<string> {
  const { status, body } = await api.post('/api/v1/scenarios', {
    name: `Chest pain ${Math.random()}`,
    approved: true,
    content: CONTENT,
    rubric_criteria,
  });
  expect({ status, message: body.message }).toMatchObject({ status: 201 });
  return body.scenario_id;
}

async function run(scenarioId: string): Promise<{ id: string; row: Answer['body'] }> {
  const { body } = await api.post('/start-run', { agent_id: agentId, scenario_ids: [scenarioId], max_turns: 5 });
  const { id } = await untilFinal(api, body.id);
  return { id, row: (await scenarioRunsOf(api, id))[0] };
}

const RUBRIC = [
  { criterion: 'Names the number', points: 6, tags: ['must_pass'], by_turn: 1, check: NUMBER },
  { criterion: 'Names aspirin', points: -4, check: { kind: 'regex', pattern: 'aspirin', flags: 'i' } },
  { criterion: 'Replies in time', points: 2, check: { kind: 'latency_ms', max: 60_000 } },
  { criterion: 'Uses few tokens', points: 2, check: { kind: 'tokens', max: 1_000_000 } },
];

test('a rubric of checks alone is marked without a call to the judge, and marked anew by the rubric in force', async () => {
  const scenarioId = await scenarioWith(RUBRIC);
  const { id, row } = await run(scenarioId);
  expect(row).toMatchObject({ status: 'passed', score_percent: 100, metadata: { judge_calls: 0 } });
  expect(row.criteria_results).toMatchObject([
    {
      decision: 'MET',
      check: 'contains',
      evidence: expect.arrayContaining([{ turn: 1, quote: 'Please **call 999** now.' }]),
    },
    { decision: 'NOT MET', check: 'regex', absence: true, replies_read: 5, evidence: [] },
    { decision: 'MET', check: 'latency_ms', absence: false },
    { decision: 'MET', check: 'tokens' },
  ]);

  const changed = {
    rubric_criteria: [{ ...RUBRIC[0], check: { kind: 'contains', texts: ['call 112'] } }, RUBRIC[3]],
    approved: true,
  };
  expect((await api.patch(`/api/v1/scenarios/${scenarioId}`, changed)).status).toBe(200);
  const sent = agent.requests.length;
  const { body } = await api.post(`/api/v1/tests/${id}/regrade`, { rubric: 'current' });
  const derived = await untilFinal(api, body.id);
  const [marked] = await scenarioRunsOf(api, derived.id);
  expect(marked).toMatchObject({
    status: 'failed',
    criteria_results: [
      { decision: 'NOT MET', check: 'contains', absence: true },
      // Its turns tell what they cost, and the run does not count it again.
      { decision: 'MET', check: 'tokens' },
    ],
    metadata: { usage: { agent: null } },
  });
  expect(agent.requests.length).toBe(sent);
  expect(model.requests).toEqual([]);

  const csv = await (await fetch(`${service.url}/api/v1/tests/${id}/export?format=csv`)).text();
  expect(csv).toContain('rule_checked_criteria');
  const junit = await (await fetch(`${service.url}/api/v1/tests/${derived.id}/export?format=junit`)).text();
  expect(junit).toContain('checked by a rule: contains');
});

test('what cannot be measured is an error of the harness, not a mark', async () => {
  const { row } = await run(
    await scenarioWith([
      RUBRIC[0] ?? {},
      { criterion: 'Costs little', points: 1, check: { kind: 'cost_usd', max: 1 } },
    ]),
  );
  expect(row).toMatchObject({
    status: 'error',
    error_code: 'grading_failed',
    error_message: 'Criterion 2 (check cost_usd) cannot be decided: the agent reported no cost for 5 of its 5 replies.',
    criteria_results: null,
  });
  expect(model.requests).toEqual([]);
});

test('a conversation from elsewhere is marked by checks of its words; its times are not known', async () => {
  const transcript = [
    { role: 'patient', content: 'My chest hurts.' },
    { role: 'agent', content: 'Call 999.' },
  ];
  const { body } = await api.post('/api/v1/transcripts', {
    agent_name: 'Triage line',
    items: [
      { rubric_criteria: [RUBRIC[0]], transcript },
      { rubric_criteria: [RUBRIC[2]], transcript },
    ],
  });
  const { id } = await untilFinal(api, body.id);
  const rows = await scenarioRunsOf(api, id);
  expect(rows.map(({ status, error_code }) => [status, error_code])).toEqual([
    ['passed', null],
    ['error', 'grading_failed'],
  ]);
});

test('a reviewer need not decide what a rule decided, and may', async () => {
  const { row } = await run(await scenarioWith(RUBRIC));
  const { body: sheet } = await api.get(`/api/v1/scenario-runs/${row.id}/review-sheet`);
  expect(sheet.criteria.map(({ check }: { check: unknown }) => check)).toEqual([
    'contains',
    'regex',
    'latency_ms',
    'tokens',
  ]);
  const review = await api.post(`/api/v1/scenario-runs/${row.id}/reviews`, {
    reviewer: 'Dr A. Ward',
    criteria: [{ index: 1, decision: 'MET' }],
  });
  expect(review).toMatchObject({
    status: 201,
    body: {
      criteria: [{ decision: 'MET' }, { decision: 'MET' }, { decision: 'MET' }, { decision: 'MET' }],
      score_percent: 60,
    },
  });
});

test('a wrong check is named by its field, and a draft with one is linted', async () => {
  const rubric_criteria = [{ criterion: 'Names 999', points: 5, check: { kind: 'regex', pattern: '(?<=call )999' } }];
  const { status, body } = await api.post('/api/v1/scenarios', { name: 'Wrong', content: CONTENT, rubric_criteria });
  expect({ status, body }).toMatchObject({ status: 400 });
  expect(JSON.stringify(body)).toContain('rubric_criteria[0].check.pattern');
  const linted = await api.post('/api/v1/scenarios/lint', { content: CONTENT, rubric_criteria });
  expect(linted.status).toBe(200);
  expect(JSON.stringify(linted.body)).toContain('check_unreadable');
});

test('a scenario is tried by its checks of words; what the demo agent does not report is said', async () => {
  const tried = await api.post('/api/v1/scenarios/try', { content: CONTENT, rubric_criteria: [RUBRIC[0]] });
  expect(tried).toMatchObject({ status: 200, body: { criteria_results: [{ check: 'contains' }] } });
  const limited = await api.post('/api/v1/scenarios/try', { content: CONTENT, rubric_criteria: [RUBRIC[2]] });
  expect(limited.status).toBe(400);
  expect(JSON.stringify(limited.body)).toContain('check latency_ms');
});
