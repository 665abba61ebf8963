import type { FakeAgent, FakeMessage } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { startFakeVapi } from '../fakes/vapi-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { printsOf } from '../setup/derived-runs';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

const SAID = 'I forgot to say: I take warfarin.';
const LATER = 'Take it and see.';

let service: TestService;
let api: ApiClient;
let agent: FakeAgent;
let agentId: string;
let source: Answer['body'];
let row: Answer['body'];
let before: string[];

const numbered = (messages: readonly FakeMessage[]) => `${GOOD_REPLY} Reply ${(messages.length + 1) / 2}.`;
const detailOf = async (id: string): Promise<Answer['body']> => (await api.get(`/api/v1/scenario-runs/${id}`)).body;
const contentsOf = ({ transcript }: Answer['body'], role: string): string[] =>
  transcript
    .filter((entry: { role: string }) => entry.role === role)
    .map(({ content }: { content: string }) => content);
const fork = (request: object, id: string = row.id): Promise<Answer> =>
  api.post(`/api/v1/scenario-runs/${id}/fork`, request);

beforeAll(async () => {
  [service, agent] = await Promise.all([startTestService(), startFakeOpenAi({ reply: numbered })]);
  api = new ApiClient(service.url);
  agentId = await createAgent(api, agent.baseUrl);
  const scenario_ids = await createScenarios(api, 1);
  const { body } = await api.post('/start-run', { agent_id: agentId, scenario_ids, max_turns: 5 });
  source = await untilFinal(api, body.id);
  const [first] = await scenarioRunsOf(api, source.id);
  row = await detailOf(first?.id);
  before = await printsOf(service, source.id);
});
afterEach(async () => expect(await printsOf(service, source.id)).toEqual(before));
afterAll(async () => {
  await service.close();
  await agent.close();
});

test('the turns before it are kept, the patient says what it was given, and the agent is sent all of it', async () => {
  const calls = agent.requests.length;
  const { status, body } = await fork({ at_turn: 3, patient_message: SAID });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      derivation: 'fork',
      derived_from: source.id,
      total_scenarios: 1,
      scenarios_launched: 1,
      scenarios_carried: 0,
    },
  });
  expect(await untilFinal(api, body.id)).toMatchObject({ status: 'completed', passed_count: 1, test_suite_id: null });
  const [forked] = await scenarioRunsOf(api, body.id);
  expect(forked).toMatchObject({
    source_scenario_run_id: row.id,
    carried: false,
    kept_turns: 2,
    given_message: SAID,
    turns: 5,
    attempt: 1,
  });
  const detail = await detailOf(forked?.id);
  expect(detail.transcript.slice(0, 4)).toEqual(row.transcript.slice(0, 4));
  expect(contentsOf(detail, 'patient')[2]).toBe(SAID);
  expect(contentsOf(detail, 'agent')).toEqual([1, 2, 3, 4, 5].map((turn) => `${GOOD_REPLY} Reply ${turn}.`));
  const sent = agent.requests.slice(calls);
  expect(sent).toHaveLength(3);
  const { messages } = sent[0]?.body as { messages: FakeMessage[] };
  expect(messages.map(({ content }) => content)).toEqual([
    ...row.transcript.slice(0, 4).map(({ content }: { content: string }) => content),
    SAID,
  ]);
});

test('another agent goes on, as often as asked; its run names it', async () => {
  const other = await startFakeOpenAi({ reply: () => LATER });
  const otherId = await createAgent(api, other.baseUrl);
  const { body } = await fork({ at_turn: 2, agent_id: otherId, trials: 3 });
  const run = await untilFinal(api, body.id);
  expect(run).toMatchObject({ agent_id: otherId, total_scenarios: 3, trials: 3 });
  const forked = await scenarioRunsOf(api, run.id);
  expect(forked.map(({ trial }) => trial)).toEqual([1, 2, 3]);
  for (const { id } of forked) {
    expect(contentsOf(await detailOf(id), 'agent')).toEqual([`${GOOD_REPLY} Reply 1.`, ...Array(4).fill(LATER)]);
  }
  expect(other.requests).toHaveLength(12);
  await other.close();
});

test('a fork that ended in an error is retried from where it had begun', async () => {
  const other = await startFakeOpenAi({ reply: () => LATER });
  const otherId = await createAgent(api, other.baseUrl);
  other.next((response) => void response.writeHead(400).end());
  const { body } = await fork({ at_turn: 4, patient_message: SAID, agent_id: otherId });
  expect(await untilFinal(api, body.id)).toMatchObject({ status: 'failed', error_count: 1 });
  const { body: again } = await api.post(`/api/v1/tests/${body.id}/retry`);
  expect(await untilFinal(api, again.id)).toMatchObject({ status: 'completed', derived_from: body.id });
  const [retried] = await scenarioRunsOf(api, again.id);
  expect(retried).toMatchObject({ kept_turns: 3, given_message: SAID, turns: 5 });
  expect(contentsOf(await detailOf(retried?.id), 'patient')[3]).toBe(SAID);
  expect(other.requests).toHaveLength(3);
  await other.close();
});

test('at the first turn nothing is kept', async () => {
  const { body } = await fork({ at_turn: 1, patient_message: SAID });
  await untilFinal(api, body.id);
  const [forked] = await scenarioRunsOf(api, body.id);
  expect(forked).toMatchObject({ kept_turns: 0, turns: 5 });
  expect(contentsOf(await detailOf(forked?.id), 'patient')[0]).toBe(SAID);
});

test('a conversation on the vendor’s side goes on from the chat of the last kept turn, with the same agent only', async () => {
  const vapi = await startFakeVapi();
  const create = async (): Promise<string> => {
    const config = { api_key: 'k', assistant_id: 'a-1', api_base: vapi.baseUrl };
    return (await api.post('/api/v1/agents', { name: 'Line', provider: 'vapi', config })).body.id;
  };
  const [own, other] = [await create(), await create()];
  const { body } = await api.post('/start-run', { agent_id: own, scenario_ids: [row.scenario_id], max_turns: 5 });
  await untilFinal(api, body.id);
  const [first] = await scenarioRunsOf(api, body.id);
  const calls = vapi.requests.length;
  const { body: forked } = await fork({ at_turn: 3, patient_message: SAID }, first?.id);
  await untilFinal(api, forked.id);
  const previous = (place: number) => (vapi.requests[place]?.body as { previousChatId?: string }).previousChatId;
  // The third message of the source, and the first of the fork, follow the same chat.
  expect(previous(calls)).toBe(previous(2));
  expect(previous(calls)).toEqual(expect.any(String));
  expect(await fork({ at_turn: 3, agent_id: other }, first?.id)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('goes on only from conversations of its own') },
  });
  await vapi.close();
});

describe('what cannot go on is refused', () => {
  test.each([
    [{}, 400, /^at_turn: /],
    [{ at_turn: 0 }, 400, /^at_turn: /],
    [{ at_turn: 1.5 }, 400, /^at_turn: /],
    [{ at_turn: 6 }, 400, /^at_turn: must be 5 at most: the conversation has 5 turns of 5/],
    [{ at_turn: 2, patient_message: ' ' }, 400, /^patient_message: must not be empty/],
    [{ at_turn: 2, trials: 21 }, 400, /^trials: /],
    [{ at_turn: 2, agent_id: 'nobody' }, 400, /^agent_id: Agent not found/],
  ])('%j: %i', async (request, status, error) => {
    expect(await fork(request)).toMatchObject({ status, body: { error: expect.stringMatching(error) } });
  });

  test('an unknown conversation', async () => {
    expect(await fork({ at_turn: 1 }, 'none')).toMatchObject({
      status: 404,
      body: { error: 'Scenario run not found' },
    });
  });

  test.each([
    ['pipecat', { api_key: 'k', agent_name: 'bot' }],
    [
      'http',
      { url: `http://127.0.0.1:9/`, body: { text: '{{message}}', session: '{{session_id}}' }, reply_path: 'text' },
    ],
  ])('an agent of the kind %s that keeps the conversation to itself', async (provider, config) => {
    const { status, body } = await api.post('/api/v1/agents', { name: 'Own memory', provider, config });
    expect({ status, body }).toMatchObject({ status: 201 });
    expect(await fork({ at_turn: 2, agent_id: body.id })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('cannot go on from a transcript') },
    });
  });

  test('a run that is live', async () => {
    agent.next((response) => void response.socket?.setTimeout(0));
    const { body } = await api.post('/start-run', { agent_id: agentId, scenario_ids: [row.scenario_id] });
    const [live] = await scenarioRunsOf(api, body.id);
    expect(await fork({ at_turn: 1 }, live?.id)).toMatchObject({ status: 409 });
    await api.post('/cancel-run', { id: body.id });
  });
});
