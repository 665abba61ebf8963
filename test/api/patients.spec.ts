import { startFakeAnthropic, type FakeAnthropic } from '../fakes/anthropic-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

let agent: FakeAgent;
beforeAll(async () => {
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
});
afterAll(() => agent.close());

async function started(api: ApiClient, patients: unknown): Promise<Answer> {
  const agent_id = await createAgent(api, agent.baseUrl);
  const scenario_ids = await createScenarios(api, 2);
  return api.post('/start-run', { agent_id, scenario_ids, max_turns: 5, patients });
}

describe('with the offline tester', () => {
  let service: TestService;
  let api: ApiClient;
  beforeAll(async () => {
    service = await startTestService();
    api = new ApiClient(service.url);
  });
  afterAll(() => service.close());

  test.each([
    [
      'another style',
      [{ style: 'anxious' }],
      'the offline tester recites its script, so it cannot play "anxious patient"',
    ],
    ['another language', [{ style: 'cooperative', language: 'de' }], '"cooperative patient, de"'],
    ['one of several', [{}, { style: 'low_literacy' }], '"low literacy patient"'],
    ['an unknown style', [{ style: 'rude' }], 'patients[0].style: expected one of cooperative'],
    ['no language', [{ language: 'not a language' }], 'must be a language tag'],
    ['the same twice', [{ language: 'EN' }, { style: 'cooperative' }], 'must name each patient once'],
    ['nobody', [], 'patients'],
  ])('refuses %s with a sentence', async (_, patients, sentence) => {
    const { status, body } = await started(api, patients);
    expect(status).toBe(400);
    expect(body.error).toContain(sentence);
  });

  test('examines with the usual patient, and says so', async () => {
    for (const patients of [undefined, null, [{}]]) {
      const { status, body } = await started(api, patients);
      expect(status).toBe(200);
      expect(body.total_scenarios).toBe(2);
      await untilFinal(api, body.id);
      const runs = await scenarioRunsOf(api, body.id);
      expect(runs.map(({ patient }) => patient)).toEqual(Array(2).fill({ style: 'cooperative', language: 'en' }));
    }
  });
});

describe('with a language model', () => {
  let service: TestService;
  let model: FakeAnthropic;
  let api: ApiClient;
  beforeAll(async () => {
    model = await startFakeAnthropic();
    service = await startTestService({ ANTHROPIC_API_KEY: 'sk-ant-secret', ANTHROPIC_BASE_URL: model.url });
    api = new ApiClient(service.url);
  });
  afterAll(async () => {
    await service.close();
    await model.close();
  });

  test('each scenario is examined with each patient, which is told how to be and stands in every answer', async () => {
    const { body } = await started(api, [{}, { style: 'evasive' }, { style: 'anxious', language: 'de-ch' }]);
    expect(body).toMatchObject({ total_scenarios: 6, scenarios_launched: 6 });
    expect(await untilFinal(api, body.id)).toMatchObject({ status: 'completed', passed_count: 6 });
    const runs = await scenarioRunsOf(api, body.id);
    const patients = [
      { style: 'cooperative', language: 'en' },
      { style: 'evasive', language: 'en' },
      { style: 'anxious', language: 'de-CH' },
    ];
    expect(runs.map(({ patient }) => patient)).toEqual([...patients, ...patients]);
    const openings = await Promise.all(
      runs.map(async ({ id }) => (await api.get(`/api/v1/scenario-runs/${id}`)).body.transcript[0].content),
    );
    // Who speaks English opens with the words of the scenario.
    expect(openings.map((words) => words === 'My chest hurts.')).toEqual([true, true, false, true, true, false]);
    const systems = model.requests.flatMap(({ purpose, body: { system } }) =>
      purpose === 'patient' ? [system ?? ''] : [],
    );
    expect(systems.filter((system) => system.includes('avoid answering'))).toHaveLength(8);
    expect(systems.filter((system) => system.includes('You speak Swiss High German (de-CH)'))).toHaveLength(10);
    const csv = await (await fetch(`${api.url}/api/v1/tests/${body.id}/export?format=csv`)).text();
    expect(csv).toContain('patient_style,patient_language');
    expect(csv).toContain('anxious,de-CH');
    const junit = await (await fetch(`${api.url}/api/v1/tests/${body.id}/export?format=junit`)).text();
    expect(junit).toContain('(anxious patient, de-CH)');
  });
});
