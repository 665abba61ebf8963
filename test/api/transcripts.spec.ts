import { ApiClient, type Answer } from '../setup/api-client';
import { printsOf } from '../setup/derived-runs';
import { CALLS_AMBULANCE, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let scenarioId: string;

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  [scenarioId = ''] = await createScenarios(api, 1);
});
afterAll(() => service.close());

const patient = (content: string) => ({ role: 'patient', content });
const agent = (content: string) => ({ role: 'agent', content });
const GOOD = [patient('My chest hurts.'), agent(GOOD_REPLY)];
const BAD = [patient('My chest hurts.'), agent('Take a walk.')];
const OWN = { rubric_criteria: [CALLS_AMBULANCE], transcript: GOOD };

const send = (items: readonly object[], fields: object = {}): Promise<Answer> =>
  api.post('/api/v1/transcripts', { name: 'October', agent_name: 'Triage line', items, ...fields });

async function grade(items: readonly object[], fields: object = {}): Promise<Answer['body']> {
  const { status, body } = await send(items, fields);
  expect({ status, body }).toMatchObject({ status: 200, body: { derivation: 'import', derived_from: null } });
  return untilFinal(api, body.id);
}

const detailsOf = async (id: string): Promise<Answer['body'][]> =>
  Promise.all(
    (await scenarioRunsOf(api, id)).map(async (one) => (await api.get(`/api/v1/scenario-runs/${one.id}`)).body),
  );

test('conversations are marked by a scenario of the library, or by a rubric of their own; nobody is called', async () => {
  const run = await grade([
    { scenario_id: scenarioId, transcript: GOOD },
    { scenario_id: scenarioId, transcript: BAD },
    { ...OWN, name: 'Call 17', transcript: BAD },
    OWN,
  ]);
  expect(run).toMatchObject({
    status: 'completed',
    name: 'October',
    agent_name: 'Triage line',
    agent_provider: 'import',
    agent_config: null,
    agent_config_hash: null,
    derivation: 'import',
    derived_from: null,
    total_scenarios: 4,
    trials: 2,
    max_turns: 1,
    passed_count: 2,
    failed_count: 2,
    pass_rate: 50,
    examiners: { tester: { name: 'elsewhere', model: null }, judge: { name: 'offline' }, clinical: false },
  });
  const details = await detailsOf(run.id);
  expect(details).toMatchObject([
    { scenario_name: 'Scenario 001', trial: 1, status: 'passed', scenario_revision: 1 },
    { scenario_name: 'Scenario 001', trial: 2, status: 'failed', scenario_revision: 1 },
    { scenario_name: 'Call 17', trial: 1, status: 'failed', scenario_revision: null, scenario_category: null },
    { scenario_name: 'Conversation 4', trial: 1, status: 'passed', scenario_revision: null },
  ]);
  expect(details[0]).toMatchObject({
    source_scenario_run_id: null,
    carried: false,
    kept_turns: 1,
    turns: 1,
    transcript: [
      { turn: 1, role: 'patient', content: 'My chest hurts.' },
      { turn: 1, role: 'agent', content: GOOD_REPLY },
    ],
    metadata: { provider: 'import', tester: { name: 'elsewhere' } },
  });
  // How long the agent took is not known, and is not 0 ms.
  expect(details[0].transcript[1]).not.toHaveProperty('latency_ms');
  expect(details[0].metadata.timings.turns).toMatchObject([{ turn: 1, agent_ms: null }]);
  const { body: statistics } = await api.get(`/api/v1/tests/${run.id}/statistics`);
  expect(statistics).toMatchObject({ scenarios: 3, graded: 4, passed: 2, unstable: [{ scenario_id: scenarioId }] });
});

test('messages in a row are one, whoever begins may begin, and an unanswered last message is left out', async () => {
  const transcript = [
    { role: 'assistant', content: 'Hello, how can I help?' },
    { role: 'user', content: 'My chest' },
    { role: 'user', content: 'hurts.' },
    { role: 'assistant', content: 'Listen.' },
    { role: 'assistant', content: GOOD_REPLY },
    { role: 'user', content: 'Thank you.' },
  ];
  const { id } = await grade([{ ...OWN, transcript }]);
  const [{ transcript: stored, turns } = { transcript: [], turns: 0 }] = await detailsOf(id);
  expect(turns).toBe(2);
  expect(stored).toMatchObject([
    { turn: 1, role: 'agent', content: 'Hello, how can I help?' },
    { turn: 2, role: 'patient', content: 'My chest\n\nhurts.' },
    { turn: 2, role: 'agent', content: `Listen.\n\n${GOOD_REPLY}` },
  ]);
});

test('the same conversations of another agent are compared with these, scenario by scenario', async () => {
  const items = [OWN, { ...OWN, name: 'Call 18' }];
  const [before, after] = [
    await grade(items),
    await grade(
      items.map((item) => ({ ...item, transcript: BAD })),
      { agent_name: 'Other line' },
    ),
  ];
  expect(before.agent_id).not.toBe(after.agent_id);
  const { status, body } = await api.get(`/api/v1/tests/${after.id}/comparison?before=${before.id}`);
  expect({ status, body }).toMatchObject({ status: 200, body: { scenarios: { compared: 2, changed: 0 } } });
  expect(body.worse).toHaveLength(2);
  expect((await grade(items)).agent_id).toBe(before.agent_id);
});

test('it can be marked again and is no source for a fork of a rubric alone', async () => {
  const source = await grade([OWN]);
  const before = await printsOf(service, source.id);
  const { body } = await api.post(`/api/v1/tests/${source.id}/regrade`, { rubric: 'current' });
  expect(await untilFinal(api, body.id)).toMatchObject({
    status: 'completed',
    passed_count: 1,
    derivation: 'regrade',
    examiners: { tester: { name: 'elsewhere' } },
  });
  const [row] = await scenarioRunsOf(api, source.id);
  expect(await api.post(`/api/v1/scenario-runs/${row?.id}/fork`, { at_turn: 1 })).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('has no script') },
  });
  expect(await printsOf(service, source.id)).toEqual(before);
});

test('the same key makes one run', async () => {
  const request = {
    headers: { 'idempotency-key': 'transcripts-1', 'content-type': 'application/json' },
    body: JSON.stringify({ agent_name: 'Triage line', items: [OWN] }),
  };
  const [first, second] = [
    await api.send('POST', '/api/v1/transcripts', request),
    await api.send('POST', '/api/v1/transcripts', request),
  ];
  expect(second.body).toEqual(first.body);
});

describe('what cannot be marked is refused by path, and nothing is stored', () => {
  const many = (count: number) => Array.from({ length: count }, () => patient('x'));
  test.each<[string, object[], object, RegExp]>([
    ['no items', [], {}, /^items: must have at least 1/],
    ['no agent', [OWN], { agent_name: ' ' }, /^agent_name: must not be empty/],
    ['neither scenario nor rubric', [{ transcript: GOOD }], {}, /^items\[0\]\.scenario_id: is required, or else/],
    ['both', [OWN, { ...OWN, scenario_id: 'x' }], {}, /^items\[1\]\.scenario_id: is required, or else/],
    [
      'an unknown scenario',
      [OWN, { scenario_id: 'x', transcript: GOOD }],
      {},
      /^items\[1\]\.scenario_id: no such scenario/,
    ],
    [
      'an unknown role',
      [{ ...OWN, transcript: [{ role: 'nurse', content: 'x' }] }],
      {},
      /^items\[0\]\.transcript\[0\]\.role: /,
    ],
    [
      'no words of the agent',
      [{ ...OWN, transcript: [patient('x'), agent(' ')] }],
      {},
      /^items\[0\]\.transcript: holds no words/,
    ],
    ['too many messages', [{ ...OWN, transcript: many(201) }], {}, /^items\[0\]\.transcript: must have at most 200/],
    ['an empty rubric', [{ ...OWN, rubric_criteria: [] }], {}, /^items\[0\]\.rubric_criteria: must have at least 1/],
    ['a judge that is none', [OWN], { judge_model: 'm' }, /^judge_model: /],
  ])('%s', async (_, items, fields, error) => {
    const { body: before } = await api.get('/api/v1/tests?limit=1');
    expect(await send(items, fields)).toMatchObject({ status: 400, body: { error: expect.stringMatching(error) } });
    expect((await api.get('/api/v1/tests?limit=1')).body.total).toBe(before.total);
  });
});
