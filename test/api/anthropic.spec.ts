import { likesEverything } from '../../bench/attacks/answered-sheet';
import {
  readJudgePrompt,
  startFakeAnthropic,
  type FakeAnswer,
  type FakeAnthropic,
  type RecordedRequest,
} from '../fakes/anthropic-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { EventClient } from '../setup/event-client';
import {
  CALLS_AMBULANCE,
  createAgent,
  createScenarios,
  GOOD_REPLY,
  scenarioRunsOf,
  untilFinal,
} from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

/** The service with Anthropic's tester and judge, on a stub of the Messages API that says what a test wants. */
async function withModel(
  answers: (purpose: string, call: number, request: RecordedRequest) => FakeAnswer | undefined,
  work: (api: ApiClient, model: FakeAnthropic) => Promise<void>,
  variables: Record<string, string> = {},
): Promise<void> {
  const callsOf = new Map<string, number>();
  const model = await startFakeAnthropic({
    answer: (request) => {
      const { purpose } = request;
      const call = (callsOf.get(purpose) ?? 0) + 1;
      callsOf.set(purpose, call);
      return answers(purpose, call, request);
    },
  });
  const service: TestService = await startTestService({
    ANTHROPIC_API_KEY: 'sk-ant-secret',
    ANTHROPIC_BASE_URL: model.url,
    TESTER_MODEL: 'claude-haiku-4-5',
    JUDGE_MODEL: 'claude-opus-4-5',
    ...variables,
  });
  try {
    await work(new ApiClient(service.url), model);
  } finally {
    await service.close();
    await model.close();
  }
}

let agent: FakeAgent;
beforeAll(async () => {
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
});
afterAll(() => agent.close());

async function examine(api: ApiClient, fields: object = {}): Promise<{ run: Answer['body']; result: Answer['body'] }> {
  const agentId = await createAgent(api, agent.baseUrl);
  const scenario_ids = await createScenarios(api, 1, fields);
  const { body } = await api.post('/start-run', { agent_id: agentId, scenario_ids, max_turns: 5 });
  const run = await untilFinal(api, body.id, 40_000);
  const [listed] = await scenarioRunsOf(api, body.id);
  return { run, result: (await api.get(`/api/v1/scenario-runs/${listed.id}`)).body };
}

test('a run is played and graded by the models, and says so', async () => {
  await withModel(
    () => undefined,
    async (api, model) => {
      const { run, result } = await examine(api);
      expect(run).toMatchObject({ status: 'completed', passed_count: 1, pass_rate: 100 });
      expect(result).toMatchObject({
        status: 'passed',
        metadata: {
          offline: false,
          tester: { name: 'anthropic', model: 'claude-haiku-4-5' },
          judge: { name: 'anthropic', model: 'claude-opus-4-5' },
        },
      });
      expect(result.metadata.usage.tester.input_tokens).toBeGreaterThan(0);
      expect(result.metadata.usage.tester.cost_usd).toBeGreaterThan(0);
      expect(result.metadata.usage.judge.output_tokens).toBeGreaterThan(0);
      // The first message stands in the scenario.
      // The judge reads the proof a second time.
      expect(model.calls).toMatchObject({ patient: 4, audit: 1, judge: 2 });
      expect(result.metadata.patient_audit).toBe('done');
      expect(result.metadata.usage.tester.input_tokens).toBe(500);
      expect(result.metadata).toMatchObject({
        judge: {
          prompt_version: expect.stringMatching(/^[0-9a-f]{12}$/),
          answered_by: ['fake'],
          seed: expect.any(Number),
        },
        judge_calls: 2,
        judge_votes: 1,
        judge_controls: { asked: 4, wrong: 0 },
      });
      expect(result.criteria_results).toMatchObject([
        { absence: false, replies_read: null, votes: ['MET', 'MET'], disputed: false },
      ]);
      expect(JSON.stringify([run, result])).not.toContain('sk-ant-secret');
      const { body: health } = await api.get('/health');
      expect(health.checks).toMatchObject({ tester: { status: 'ok' }, judge: { status: 'ok' } });
    },
  );
});

test('an answer of another shape is repaired once', async () => {
  await withModel(
    (purpose, call) => (purpose === 'judge' && call === 1 ? { kind: 'json', value: { verdict: 'fine' } } : undefined),
    async (api, model) => {
      expect((await examine(api)).result).toMatchObject({ status: 'passed' });
      // The second is the repair, the third reads the proof again.
      expect(model.calls.judge).toBe(3);
    },
  );
});

test('what a patient says is told live as it is stored, also characters no row can hold', async () => {
  await withModel(
    (purpose, call) =>
      purpose === 'patient' && call === 1 ? { kind: 'text', text: 'It hurts \ud800 here.' } : undefined,
    async (api) => {
      const agentId = await createAgent(api, agent.baseUrl);
      const scenario_ids = await createScenarios(api, 1);
      const { body: run } = await api.post('/start-run', { agent_id: agentId, scenario_ids, max_turns: 5 });
      const live = await EventClient.open(`${api.url}/events?run_id=${run.id}`);
      expect(await live.ended).toBe(true);
      const [, told] = live.events.filter(({ data }) => data['type'] === 'transcript_update');
      expect(told?.data).toMatchObject({ patient_message: 'It hurts \ufffd here.' });
      const later = await EventClient.open(`${api.url}/events?run_id=${run.id}`);
      expect(await later.ended).toBe(true);
      expect(later.events).toEqual(live.events);
    },
  );
});

test('an overloaded model (529) is asked again', async () => {
  await withModel(
    (purpose, call) => (call === 1 ? { kind: 'status', status: 529, headers: { 'retry-after-ms': '10' } } : undefined),
    async (api) => {
      expect((await examine(api)).result).toMatchObject({ status: 'passed' });
    },
  );
});

test('a judge that refuses, or never answers in shape, is an error of the harness and no failure of the agent', async () => {
  // What was answered is paid for, whatever it was worth.
  const useless: readonly (readonly [answer: FakeAnswer, why: string, paid: number])[] = [
    [{ kind: 'refusal' }, 'answer_refused', 1],
    [{ kind: 'json', value: 'no' }, 'answer_unusable', 2],
    [{ kind: 'status', status: 401 }, 'key_refused', 0],
  ];
  for (const [answer, why, paid] of useless) {
    await withModel(
      (purpose) => (purpose === 'judge' ? answer : undefined),
      async (api) => {
        const { run, result } = await examine(api);
        expect(result).toMatchObject({ status: 'error', error_code: 'grading_failed', passed: null, turns: 5 });
        expect(result.metadata).toMatchObject({ judge_failure: why, usage: { judge: { calls: paid } } });
        expect(run).toMatchObject({ status: 'failed', failed_count: 0, error_count: 1 });
      },
    );
  }
});

test('a patient that refuses is an error of the harness', async () => {
  await withModel(
    (purpose) => (purpose === 'patient' ? { kind: 'refusal' } : undefined),
    async (api) => {
      const { result } = await examine(api);
      expect(result).toMatchObject({ status: 'error', error_code: 'tester_failed' });
      expect(result.metadata).toMatchObject({ usage: { tester: { calls: 1 } } });
    },
  );
});

test('a message that breaks the role is written again, and twice is an error of the harness', async () => {
  const advice = { kind: 'text', text: 'You should call an ambulance.' } as const;
  await withModel(
    (purpose, call) => (purpose === 'patient' && call === 1 ? advice : undefined),
    async (api, model) => {
      const { result } = await examine(api);
      expect(result).toMatchObject({ status: 'passed', metadata: { patient_retries: 1 } });
      expect(result.metadata).not.toHaveProperty('patient_faults');
      expect(model.calls.patient).toBe(5);
      expect(result.metadata.usage.tester.input_tokens).toBe(600);
    },
  );
  await withModel(
    (purpose) => (purpose === 'patient' ? advice : undefined),
    async (api) => {
      const { result } = await examine(api);
      expect(result).toMatchObject({ status: 'error', error_code: 'tester_failed', passed: null, turns: 1 });
      expect(result.metadata).toMatchObject({
        patient_faults: [{ turn: 2, kind: 'role_reversal', severity: 'helped', text: advice.text }],
        usage: { tester: { input_tokens: 200 } },
      });
    },
  );
});

describe('the audit of the patient', () => {
  const fault = { sentence: 'p2.1', reason: 'Not on the card.', kind: 'invented', severity: 'helped', criterion: 1 };

  test.each([
    ['in something that decides', ['must_pass'], 'error', 'tester_failed'],
    ['in something else', [], 'passed', null],
  ])('a fault that helped %s', async (_, tags, status, error_code) => {
    await withModel(
      (purpose) => (purpose === 'audit' ? { kind: 'json', value: { faults: [fault] } } : undefined),
      async (api, model) => {
        const { result } = await examine(api, { rubric_criteria: [{ ...CALLS_AMBULANCE, tags }] });
        expect(result).toMatchObject({ status, error_code });
        expect(result.metadata.patient_faults).toEqual([
          { turn: 2, kind: 'invented', severity: 'helped', text: 'It is getting worse.' },
        ]);
        expect(model.calls).toMatchObject({ audit: 1, judge: status === 'passed' ? 2 : 1 });
        expect(result.criteria_results).toEqual(status === 'passed' ? [expect.anything()] : null);
      },
    );
  });

  test('that fails is noted, and the conversation is marked', async () => {
    await withModel(
      (purpose) => (purpose === 'audit' ? { kind: 'json', value: 'no' } : undefined),
      async (api) => {
        const { result } = await examine(api);
        // Four messages, and two answers of the audit that could not be used.
        const usage = { tester: { calls: 6 } };
        expect(result).toMatchObject({ status: 'passed', metadata: { patient_audit: 'failed', usage } });
      },
    );
  });

  test('is not made with PATIENT_AUDIT=off', async () => {
    await withModel(
      () => undefined,
      async (api, model) => {
        const { result } = await examine(api);
        expect(result.status).toBe('passed');
        expect(result.metadata).not.toHaveProperty('patient_audit');
        expect(model.calls.audit).toBe(0);
      },
      { PATIENT_AUDIT: 'off' },
    );
  });
});

test('praise without evidence is asked about once more, and then no mark but an error, with what it cost', async () => {
  await withModel(
    (purpose, _call, request) => {
      if (purpose !== 'judge') return undefined;
      const { answers, ...rest } = likesEverything(readJudgePrompt(request));
      const praising = answers.map((answer) => ({ ...answer, evidence: [] }));
      return { kind: 'json', value: { ...rest, answers: praising } };
    },
    async (api, model) => {
      const { result } = await examine(api);
      expect(result).toMatchObject({
        status: 'error',
        error_code: 'grading_failed',
        passed: null,
        criteria_results: null,
      });
      expect(result.error_message).toContain('No sentence was named');
      expect(result.metadata).toMatchObject({
        judge_calls: 2,
        judge_failure: 'marks_unusable',
        usage: { judge: { input_tokens: 200 } },
      });
      expect(model.calls.judge).toBe(2);
    },
  );
});

test('a judge that marks everything as met fails its control questions', async () => {
  await withModel(
    (purpose, _call, request) => {
      if (purpose !== 'judge') return undefined;
      const { answers, ...rest } = likesEverything(readJudgePrompt(request));
      return {
        kind: 'json',
        value: { ...rest, answers: answers.map((answer) => ({ ...answer, evidence: ['a1.1'], decision: 'MET' })) },
      };
    },
    async (api) => {
      const { result } = await examine(api);
      expect(result).toMatchObject({ status: 'error', error_code: 'grading_failed' });
      expect(result.error_message).toContain('The judge failed its control questions');
      expect(result.metadata).toMatchObject({
        judge_failure: 'controls_wrong',
        judge_controls: { asked: 4, wrong: 2 },
      });
    },
  );
});

describe('POST /api/v1/scenarios/generate', () => {
  test('stores what the model makes of the text, unapproved', async () => {
    await withModel(
      () => undefined,
      async (api) => {
        const { status, body } = await api.post('/api/v1/scenarios/generate', {
          text: 'Chest pain at rest: call emergency services.',
          category: 'emergency',
          tags: ['made'],
        });
        expect(status).toBe(201);
        expect(body).toMatchObject({ scenario_type: 'custom', approved: false, category: 'emergency', tags: ['made'] });
        expect((await api.get(`/api/v1/scenarios/${body.scenario_id}`)).body).toEqual(body);
      },
    );
  });

  test('answers 500 and stores nothing when the model fails', async () => {
    await withModel(
      () => ({ kind: 'refusal' }),
      async (api) => {
        const before = (await api.get('/api/v1/scenarios')).body.total;
        for (const path of ['generate', 'generate-batch']) {
          const { status, body } = await api.post(`/api/v1/scenarios/${path}`, { text: 'Some protocol.' });
          expect(status).toBe(500);
          expect(body).toEqual({ error: expect.stringMatching(/./) });
        }
        expect((await api.get('/api/v1/scenarios')).body.total).toBe(before);
      },
    );
  });
});
