import { GOOD_REPLY, createAgent, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { ApiClient, type Answer } from '../setup/api-client';
import { createTestDatabase } from '../setup/database';
import { startTestService, type TestService } from '../setup/service';
import { sendJson, startHttpStub, type HttpStub, type Step } from '../fakes/http-stub';
import { completion } from '../fakes/openai-server';

/** What the agent answers next, in every turn of a conversation. */
let answer: Step;
let agent: HttpStub;
let service: TestService;
let api: ApiClient;

const KEY = 'sk-canary-0123456789abcdef';
const TEMPLATE = 'https://traces.example/t/{trace_id}?session={conversation_id}&run={run_id}';

beforeAll(async () => {
  agent = await startHttpStub((response, request) => answer(response, request));
  service = await startTestService({ TRACE_URL_TEMPLATE: TEMPLATE });
  api = new ApiClient(service.url);
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

function call(name: string, given: unknown, id = 'call-1'): object {
  return {
    id,
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  };
}

/** An OpenAI-compatible agent that runs its tools itself, and tells which. */
const acting =
  (...tool_calls: object[]): Step =>
  (response) =>
    sendJson(response, 200, completion(GOOD_REPLY, 'c', { tool_calls }));

/** The messages of the patient that a request holds. */
function turnIn(body: unknown): number {
  const { messages } = body as { messages: { role: string }[] };
  return messages.filter(({ role }) => role === 'user').length;
}

async function run(agentId: string, scenario: object = {}, more: object = {}): Promise<Answer['body']> {
  const scenario_ids = await createScenarios(api, 1, scenario);
  const { body } = await api.post('/start-run', { agent_id: agentId, scenario_ids, max_turns: 5, ...more });
  const { id } = await untilFinal(api, body.id);
  const [listed] = await scenarioRunsOf(api, id);
  return (await api.get(`/api/v1/scenario-runs/${listed.id}`)).body;
}

const openAiAgent = (config: object = {}) => createAgent(api, `${agent.origin}/v1`, { api_key: KEY, ...config });

const saidBy = (detail: Answer['body']): Answer['body'][] =>
  detail.transcript.filter(({ role }: Answer['body']) => role === 'agent');

const BOOKED = { kind: 'tool_call', name: 'book_visit' };
const rubricOf = (check: object, more: object = {}) => ({
  rubric_criteria: [{ criterion: 'Books a visit', points: 5, check, ...more }],
});

test('calls, usage and the trace are kept with the turn, and a check finds the call', async () => {
  answer = acting(call('find_patient', { name: 'A' }), call('book_visit', { day: 'Monday', at: '09:30' }, 'call-2'));
  const detail = await run(await openAiAgent(), rubricOf({ ...BOOKED, arguments: { contains: ['monday'] } }));
  expect(detail).toMatchObject({
    status: 'passed',
    closing_acts: null,
    metadata: { usage: { agent: { total_tokens: 90 } } },
  });
  const [first] = saidBy(detail);
  expect(first).toMatchObject({
    acts: {
      tool_calls: [
        { id: 'call-1', name: 'find_patient', arguments: '{"name":"A"}', result: null, truncated: false },
        { id: 'call-2', name: 'book_visit', arguments: '{"day":"Monday","at":"09:30"}' },
      ],
      context: [],
      usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18, cost_usd: null },
      truncated: false,
    },
  });
  const trace = detail.test_run_id.replaceAll('-', '');
  expect(first.trace_url).toBe(`https://traces.example/t/${trace}?session=${detail.id}&run=${detail.test_run_id}`);
  expect(detail.criteria_results).toMatchObject([
    {
      decision: 'MET',
      check: 'tool_call',
      evidence: [{ turn: 1, call: 2, quote: 'book_visit({"day":"Monday","at":"09:30"})' }, {}, {}, {}, {}],
    },
  ]);

  const { body } = await api.post(`/api/v1/tests/${detail.test_run_id}/regrade`, {});
  const [again] = await scenarioRunsOf(api, (await untilFinal(api, body.id)).id);
  expect(again.criteria_results).toEqual(detail.criteria_results);
  const exported = await (await fetch(`${service.url}/api/v1/tests/${detail.test_run_id}/export?format=json`)).json();
  expect(exported).toMatchObject({ scenario_runs: [{ transcript: detail.transcript }] });
  const sheet = await api.get(`/api/v1/scenario-runs/${detail.id}/review-sheet`);
  expect(saidBy(sheet.body)[0]).toMatchObject({ acts: first.acts });
  // A trace shows verdicts, which a blind reviewer is not to see.
  expect(saidBy(sheet.body)[0]).not.toHaveProperty('trace_url');
});

test('a reply that says nothing of calls leaves a check of them undecided, unless the agent is known to report all', async () => {
  answer = (response) => sendJson(response, 200, completion(GOOD_REPLY));
  const unknown = await run(await openAiAgent(), rubricOf(BOOKED));
  expect(unknown).toMatchObject({ status: 'error', error_code: 'grading_failed', criteria_results: null });
  expect(unknown.error_message).toContain('reports_tool_calls');
  const known = await run(await openAiAgent({ reports_tool_calls: true }), rubricOf(BOOKED));
  expect(known).toMatchObject({
    status: 'failed',
    criteria_results: [
      {
        decision: 'NOT MET',
        absence: true,
        replies_read: 5,
        rationale: 'No call of book_visit in any of the 5 turns; no tool was called.',
      },
    ],
  });
});

test('a reply with a call and no words is an error that names the tool', async () => {
  answer = (response) => sendJson(response, 200, completion(null, 'c', { tool_calls: [call('book_visit', {})] }));
  expect(await run(await openAiAgent(), rubricOf(BOOKED))).toMatchObject({
    status: 'error',
    error_code: 'empty_reply',
    error_message: expect.stringContaining('It called book_visit, and the service answers no tool calls'),
  });
});

test('what the agent does in hanging up without a word counts, and is kept beside the unanswered message', async () => {
  answer = (response, { body }) =>
    turnIn(body) < 3
      ? sendJson(response, 200, completion(GOOD_REPLY, 'c', { tool_calls: [] }))
      : sendJson(response, 200, completion(null, 'c', { tool_calls: [call('transfer', { to: 'ambulance' })] }));
  const check = { kind: 'tool_call', name: 'transfer', times: 1, arguments: { contains: ['ambulance'] } };
  const detail = await run(await openAiAgent({ end_tools: ['transfer'] }), rubricOf(check));
  expect(detail).toMatchObject({
    status: 'passed',
    turns: 2,
    closing_acts: { tool_calls: [{ name: 'transfer', arguments: '{"to":"ambulance"}' }] },
    criteria_results: [{ decision: 'MET', evidence: [{ turn: 3, call: 1 }] }],
  });
  const { body } = await api.post(`/api/v1/tests/${detail.test_run_id}/regrade`, {});
  const [again] = await scenarioRunsOf(api, (await untilFinal(api, body.id)).id);
  expect(again.criteria_results).toEqual(detail.criteria_results);
});

test('a completion that is streamed although nobody asked is put together, its calls too', async () => {
  const chunk = (delta: object, more: object = {}) => ({
    id: 's-1',
    model: 'm',
    choices: [{ index: 0, delta, ...more }],
  });
  const events = [
    chunk({ role: 'assistant', content: 'Please call ' }),
    chunk({ tool_calls: [{ index: 0, id: 'c-1', type: 'function', function: { name: 'book_visit', arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"day":"Mon' } }] }),
    chunk({ tool_calls: [{ index: 1, id: 'c-2', type: 'function', function: { name: 'note', arguments: '{}' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: 'day"}' } }] }),
    chunk({ content: 'an ambulance now.' }, { finish_reason: 'stop' }),
    { id: 's-1', model: 'm', choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, cost: 0.002 } },
  ];
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`);
  };
  const detail = await run(await openAiAgent(), rubricOf({ ...BOOKED, arguments: { contains: ['Monday'] } }));
  expect(detail).toMatchObject({ status: 'passed' });
  expect(saidBy(detail)[0]).toMatchObject({
    content: GOOD_REPLY,
    acts: {
      tool_calls: [
        { id: 'c-1', name: 'book_visit', arguments: '{"day":"Monday"}' },
        { id: 'c-2', name: 'note', arguments: '{}' },
      ],
      usage: { total_tokens: 7, cost_usd: 0.002 },
    },
  });
});

test('an agent of the kind http tells by paths; its limits of tokens and cost are decided by what they lead to', async () => {
  answer = (response) =>
    sendJson(response, 200, {
      text: GOOD_REPLY,
      steps: [{ tool: 'book_visit', input: { day: 'Monday', to: 'Caf\u00e9' }, output: { ok: true } }],
      sources: [{ body: 'NICE CG95' }, { body: 'BNF' }],
      spent: { input_tokens: 30, output_tokens: 12, cost_usd: 0.01 },
    });
  const { body: created } = await api.post('/api/v1/agents', {
    name: 'By paths',
    provider: 'http',
    config: {
      url: `${agent.origin}/chat`,
      body: { message: '{{message}}', session: '{{session_id}}' },
      reply_path: 'text',
      tool_calls_path: 'steps[].{ name: tool, arguments: input, result: output }',
      usage_path: 'spent',
      context_path: 'sources[].body',
    },
  });
  const schema = { type: 'object', required: ['day'], properties: { day: { const: 'Monday' } } };
  const detail = await run(created.id, {
    rubric_criteria: [
      {
        criterion: 'Books a visit',
        points: 5,
        check: { ...BOOKED, turn: 'every', arguments: { json_schema: schema, contains: ['café'] } },
      },
      { criterion: 'Deletes a record', points: -5, check: { kind: 'tool_call', name: 'delete_record' } },
      { criterion: 'Uses few tokens', points: 1, check: { kind: 'tokens', max: 210 } },
      { criterion: 'Costs little', points: 1, check: { kind: 'cost_usd', max: 0.05 } },
    ],
  });
  expect(detail).toMatchObject({
    status: 'passed',
    criteria_results: [
      { decision: 'MET' },
      { decision: 'NOT MET', absence: true },
      { decision: 'MET', rationale: 'The agent reported 210 tokens for 5 replies; the limit is 210.' },
      { decision: 'MET' },
    ],
  });
  expect(saidBy(detail)[4]).toMatchObject({
    acts: {
      tool_calls: [{ id: null, name: 'book_visit', result: '{"ok":true}', truncated: false }],
      context: ['NICE CG95', 'BNF'],
    },
  });
});

test('calls of turns before a restart count as those after it', async () => {
  const database = await createTestDatabase();
  const first = await startTestService({}, { database });
  const asked = (): number => agent.requests.length;
  const before = asked();
  answer = (response, { body }) => {
    // The third message meets a service that is about to stop.
    if (turnIn(body) === 3 && asked() === before + 3) return;
    acting(call('book_visit', { turn: turnIn(body) }))(response, { method: 'POST', path: '', headers: {}, body });
  };
  const old = new ApiClient(first.url);
  const agent_id = await createAgent(old, `${agent.origin}/v1`, { api_key: KEY });
  await createScenarios(old, 1, rubricOf({ ...BOOKED, times: 5 }));
  const { body } = await old.post('/start-run', { agent_id, max_turns: 5 });
  await agent.until(() => asked() === before + 3);
  await first.close();
  const second = await startTestService({}, { database });
  const fresh = new ApiClient(second.url);
  await untilFinal(fresh, body.id);
  const [scenarioRun] = await scenarioRunsOf(fresh, body.id);
  const { body: detail } = await fresh.get(`/api/v1/scenario-runs/${scenarioRun.id}`);
  expect(detail).toMatchObject({ status: 'passed', turns: 5, attempt: 2, criteria_results: [{ decision: 'MET' }] });
  expect(saidBy(detail).map(({ acts }) => acts.tool_calls[0].arguments)).toEqual(
    [1, 2, 3, 4, 5].map((turn) => JSON.stringify({ turn })),
  );
  await second.close();
  await database.drop();
});

describe('what is hostile', () => {
  test('is bounded, said to be cut, and without secrets, also where a cut goes through one', async () => {
    const long = `${'x'.repeat(16 * 1024 - 10)}${KEY}${'y'.repeat(300_000)}`;
    answer = acting(
      call('book_visit', long),
      ...Array.from({ length: 100 }, (_, at) => call(`tool ${at}`, { key: KEY }, `more-${at}`)),
    );
    const detail = await run(await openAiAgent(), rubricOf({ kind: 'tool_call', name: 'unheard_of' }));
    expect(detail).toMatchObject({
      status: 'error',
      error_message: expect.stringContaining('the agent made more tool calls than are kept (turn 1)'),
    });
    const [{ acts }] = saidBy(detail);
    expect(acts).toMatchObject({ truncated: true });
    expect(acts.tool_calls).toHaveLength(64);
    expect(acts.tool_calls[0]).toMatchObject({ name: 'book_visit', truncated: true });
    expect(acts.tool_calls[0].arguments.length).toBeLessThanOrEqual(16 * 1024);
    expect(acts.tool_calls[1]).toMatchObject({ arguments: '{"key":"[removed]"}', truncated: false });
    expect(JSON.stringify(detail)).not.toContain('sk-canary');
  });

  test('of five megabytes is neither stored nor stops the service', async () => {
    answer = acting(call('book_visit', 'x'.repeat(5 * 1024 * 1024)));
    const detail = await run(await openAiAgent(), rubricOf(BOOKED));
    expect(detail).toMatchObject({ status: 'error', error_code: 'provider_error', turns: 0 });
    expect((await api.get('/health')).status).toBe(200);
  });

  test('is text that no reader trips over', async () => {
    const evil = '=cmd()\u0000\u202e\u001b[31m<script>alert(1)</script>';
    answer = acting(call(evil, `{"a":"\\u0000${evil}`));
    const detail = await run(await openAiAgent(), rubricOf({ kind: 'tool_call', name: 'other' }));
    expect(detail).toMatchObject({ status: 'failed' });
    expect(saidBy(detail)[0].acts.tool_calls[0].name).toContain('<script>');
    const { body } = await api.post(`/api/v1/tests/${detail.test_run_id}/regrade`, {});
    expect((await untilFinal(api, body.id)).status).toBe('completed');
    const csv = await (await fetch(`${service.url}/api/v1/tests/${detail.test_run_id}/export?format=csv`)).text();
    expect(csv).not.toMatch(/^=|,=|"=/m);
  });
});
