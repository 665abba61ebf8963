import { ActorInspection } from '../../src/features/inspection/actor-inspection';
import { WatchTimes } from '../../src/features/inspection/inspection-messages';
import type { FakeAgent } from '../fakes/fake-agent';
import { sendJson } from '../fakes/http-stub';
import { hang, status } from '../fakes/misbehaviour';
import { completion, startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { EventClient } from '../setup/event-client';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { shorter, startTestService, type TestService } from '../setup/service';
import type { ActorTransition } from '../../contract/inspection';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const KEY = 'sk-0123456789abcdef';
const SECRET_WORDS = 'Nobody else may ever read this.';

/** The way of a conversation of five turns that passes, by the states it leads to. */
const WHOLE_WAY = [
  'active.connecting',
  'active.conversing.composing',
  ...Array.from({ length: 5 }, (_, index) => [
    'active.conversing.awaitingReply',
    'active.conversing.recordingTurn',
    index === 4 ? 'active.grading.judging' : 'active.conversing.composing',
  ]).flat(),
  'active.grading.recordingVerdict',
  'passed',
];

let service: TestService;
let agent: FakeAgent;
let api: ApiClient;
beforeAll(async () => {
  service = await startTestService();
  agent = await startFakeOpenAi({ reply: () => `${GOOD_REPLY} ${SECRET_WORDS}` });
  api = new ApiClient(service.url);
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

interface StartedRun {
  readonly id: string;
  readonly label: string;
  readonly scenarioRunIds: readonly string[];
}

async function startRun(
  scenarios: number,
  { config = {}, run = {}, fields = {} } = {},
  client: ApiClient = api,
): Promise<StartedRun> {
  const agent_id = await createAgent(client, agent.baseUrl, { api_key: KEY, ...config });
  const scenario_ids = await createScenarios(client, scenarios, fields);
  const { status: code, body } = await client.post('/start-run', { agent_id, scenario_ids, max_turns: 5, ...run });
  expect(code).toBe(200);
  const scenarioRuns = await scenarioRunsOf(client, body.id);
  return { id: body.id, label: body.test_run_id, scenarioRunIds: scenarioRuns.map(({ id }) => String(id)) };
}

async function inspect(id: string, client: ApiClient = api): Promise<Answer['body']> {
  const { status: code, body } = await client.get(`/api/v1/inspect/actors/${id}`);
  expect(code).toBe(200);
  return body;
}

const follow = (id: string, { url } = service) => EventClient.open(`${url}/api/v1/inspect/actors/${id}/events`);

/** A run of one scenario whose agent does not answer; the first request is in flight. */
async function startHanging(client: ApiClient = api): Promise<StartedRun & { readonly scenarioRunId: string }> {
  agent.next(hang());
  const run = await startRun(1, {}, client);
  await agent.until(() => agent.inFlight === 1);
  return { ...run, scenarioRunId: run.scenarioRunIds[0] ?? '' };
}

const cancel = async (id: string, client: ApiClient = api) =>
  void (await client.post('/cancel-run', { test_run_id: id }));

/** The steps of a way, without when and how they were seen. */
const steps = (transitions: readonly ActorTransition[]) =>
  transitions.map(({ at: _at, source: _source, ...step }) => step);

describe('GET /api/v1/inspect/machines', () => {
  it('answers with both charts as data and drawn', async () => {
    const { body } = await api.get('/api/v1/inspect/machines');
    expect(body.machines.map(({ kind }: { kind: string }) => kind)).toEqual(['test_run', 'scenario_run']);
    for (const { states, transitions, initial, mermaid } of body.machines) {
      expect(states.map(({ id }: { id: string }) => id)).toContain(initial);
      expect(transitions.length).toBeGreaterThan(10);
      expect(mermaid).toMatch(/^stateDiagram-v2\n/);
    }
  });
});

describe('GET /api/v1/inspect/actors', () => {
  it('tells where every actor stands, since when, what it awaits and until when', async () => {
    const { id, label, scenarioRunId } = await startHanging();
    const { body: scenarioRun } = await api.get(`/api/v1/scenario-runs/${scenarioRunId}`);
    await eventually(async () => {
      const { status: code, body } = await api.get(`/api/v1/inspect/actors?run_id=${label}`);
      expect(code).toBe(200);
      expect(body.total).toBe(2);
      const [process] = body.processes;
      expect(body.processes).toEqual([{ id: process.id, actors: 2, answered: true }]);
      const common = { test_run_id: id, test_run_label: label, is_live: true, owner: process.id, attempt: 1 };
      expect(body.actors).toEqual([
        expect.objectContaining({
          ...common,
          kind: 'test_run',
          id,
          status: 'running',
          state: 'live.running.supervising',
          awaits: null,
        }),
        expect.objectContaining({
          ...common,
          kind: 'scenario_run',
          id: scenarioRunId,
          scenario_id: scenarioRun.scenario_id,
          name: 'Scenario 001',
          status: 'running',
          state: 'active.conversing.awaitingReply',
          awaits: 'sendMessage',
        }),
      ]);
      const [, actor] = body.actors;
      expect(Date.parse(actor.since)).toBeGreaterThanOrEqual(Date.parse(scenarioRun.started_at));
      expect(Date.parse(actor.deadline) - Date.parse(actor.since)).toBe(30_000);
    });
    await cancel(id);
    await eventually(async () => expect((await api.get('/api/v1/inspect/actors')).body.total).toBe(0));
  });

  it('tells what a scheduled run waits for', async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await startRun(1, { run: { scheduled_at: later } });
    await eventually(async () => {
      const { body } = await api.get(`/api/v1/inspect/actors?run_id=${id}`);
      expect(body.actors).toEqual([
        expect.objectContaining({ id, state: 'live.scheduled', awaits: 'waitUntilDue', deadline: later }),
      ]);
    });
    await cancel(id);
  });

  it('answers 404 to a run that does not exist', async () => {
    expect((await api.get(`/api/v1/inspect/actors?run_id=${UNKNOWN_ID}`)).status).toBe(404);
  });
});

describe('GET /api/v1/inspect/actors/{id}', () => {
  it('tells what a live actor keeps in mind, of messages only the lengths', async () => {
    agent.next(...Array.from({ length: 2 }, () => status(200, completion(`${GOOD_REPLY} ${SECRET_WORDS}`))), hang());
    const run = await startRun(1);
    const [scenarioRunId = ''] = run.scenarioRunIds;
    await eventually(async () => {
      const actor = await inspect(scenarioRunId);
      expect(actor).toMatchObject({
        is_live: true,
        state: 'active.conversing.awaitingReply',
        floor: null,
        unanswered: [],
      });
      // Nobody looked, and this turn is not recorded yet.
      expect(actor.transitions.at(-1)).toMatchObject({
        to: 'active.conversing.awaitingReply',
        source: 'inferred',
        turn: 3,
      });
      expect(actor.context).toEqual({
        status: 'running',
        attempt: 1,
        max_turns: 5,
        has_rubric: true,
        exchanges: [1, 2].map((turn) => ({
          turn,
          patient_length: expect.any(Number),
          agent_length: GOOD_REPLY.length + 1 + SECRET_WORDS.length,
          latency_ms: expect.any(Number),
        })),
        patient_message: { turn: 3, length: expect.any(Number) },
        reply: null,
        verdict: null,
        failure: null,
      });
    });
    await cancel(run.id);
  });

  it('tells how it got there from the log, although nobody looked', async () => {
    const { id, scenarioRunIds } = await startRun(1);
    await untilFinal(api, id);
    const actor = await inspect(scenarioRunIds[0] ?? '');
    expect(actor).toMatchObject({ is_live: false, state: 'passed', status: 'passed', context: null, owner: null });
    expect(actor.transitions.map(({ to }: ActorTransition) => to)).toEqual(WHOLE_WAY);
    const times = actor.transitions.map(({ at }: ActorTransition) => at);
    expect(times).toEqual([...times].sort());
    expect(actor.attempts).toEqual([{ attempt: 1, started_at: times[0], ended_at: times.at(-1), outcome: 'passed' }]);
  });

  it('tells the same of a test run, by its id and by its label', async () => {
    const { id, label } = await startRun(1);
    await untilFinal(api, id);
    const actor = await inspect(label);
    expect(actor).toMatchObject({ kind: 'test_run', id, state: 'completed' });
    expect(steps(actor.transitions).map(({ from, to }) => `${from} → ${to}`)).toEqual([
      'live.restored → live.running.supervising',
      'live.running.supervising → live.running.recordingFinish',
      'live.running.recordingFinish → completed',
    ]);
    expect(await inspect(id)).toEqual(actor);
  });

  it('answers 404 to an id that does not exist', async () => {
    for (const id of [UNKNOWN_ID, 'run_20260101_000000_aaaaaa', '%25']) {
      const { status: code, body } = await api.get(`/api/v1/inspect/actors/${id}`);
      expect({ code, body }).toEqual({
        code: 404,
        body: { error: 'There is no scenario run or test run with this id' },
      });
      expect((await api.get(`/api/v1/inspect/actors/${id}/events`)).status).toBe(404);
    }
  });
});

describe('GET /api/v1/inspect/actors/{id}/events', () => {
  it('shows a scenario run from before it begins through every state; the log tells the same way afterwards', async () => {
    const release: (() => void)[] = [];
    agent.next((response) => release.push(() => sendJson(response, 200, completion(GOOD_REPLY))));
    const { id, scenarioRunIds } = await startRun(2, { run: { concurrency_limit: 1 } });
    await agent.until(() => release.length === 1);
    const stream = await follow(scenarioRunIds[1] ?? '');
    await eventually(() => expect(stream.messages.length).toBe(1));
    expect(stream.messages[0]?.data).toMatchObject({
      type: 'actor',
      actor: { state: null, status: 'pending', attempt: 0, is_live: false, transitions: [], attempts: [] },
    });
    release[0]?.();
    expect(await stream.ended).toBe(true);
    expect(stream.messages.at(-1)?.data).toEqual({ type: 'ended' });

    const seen = seenIn(stream);
    expect(seen.map(({ to }) => to)).toEqual(WHOLE_WAY);
    expect(seen.filter(({ source }) => source !== 'live')).toEqual([]);
    // In text nobody has the floor.
    expect(new Set(stream.messages.map(({ data }) => data['type']))).toEqual(new Set(['actor', 'transition', 'ended']));
    await untilFinal(api, id);
    const { transitions } = await inspect(scenarioRunIds[1] ?? '');
    expect(steps(transitions)).toEqual(steps(seen));
    expect(JSON.stringify(stream.messages)).not.toContain(SECRET_WORDS);
    expect(JSON.stringify(stream.messages)).not.toContain(KEY);
  });

  it('shows whoever comes in the middle what has been so far, from the log and from those who looked before', async () => {
    const release: (() => void)[] = [];
    const held = (): void =>
      agent.next((response) => release.push(() => sendJson(response, 200, completion(GOOD_REPLY))));
    held();
    const { scenarioRunIds } = await startRun(1);
    const [scenarioRunId = ''] = scenarioRunIds;
    await agent.until(() => release.length === 1);
    const first = await follow(scenarioRunId);
    await eventually(() => expect(first.messages.length).toBe(1));
    held();
    release[0]?.();
    await agent.until(() => release.length === 2);
    const second = await follow(scenarioRunId);
    await eventually(() => expect(second.messages.length).toBe(1));
    expect(seenIn(second).map(({ to }) => to)).toEqual(WHOLE_WAY.slice(0, 6));
    release[1]?.();
    for (const stream of [first, second]) {
      expect(await stream.ended).toBe(true);
      expect(seenIn(stream).map(({ to }) => to)).toEqual(WHOLE_WAY);
    }
  });

  it('shows a test run dispatch its scenario runs and hear of their ends', async () => {
    const release: (() => void)[] = [];
    agent.next((response) => release.push(() => sendJson(response, 200, completion(GOOD_REPLY))));
    const { id, label } = await startRun(2, { run: { concurrency_limit: 1 } });
    await agent.until(() => release.length === 1);
    const stream = await follow(label);
    await eventually(() => expect(stream.messages.length).toBe(1));
    release[0]?.();
    expect(await stream.ended).toBe(true);
    const live = seenIn(stream).filter(({ source }) => source === 'live');
    expect(live[0]).toMatchObject({
      event: 'scenario settled',
      to: 'live.running.supervising',
      actions: ['noteSettled'],
    });
    // A settlement is heard twice, from the process itself and by the bus.
    expect(live.filter(({ from, to }) => from !== to)).toEqual([
      expect.objectContaining({ event: '', guard: 'hasRoom', to: 'live.running.dispatching' }),
      expect.objectContaining({ event: 'dispatch done', to: 'live.running.supervising', actions: ['noteDispatched'] }),
      expect.objectContaining({ event: '', guard: 'isAllSettled', to: 'live.running.recordingFinish' }),
      expect.objectContaining({ event: 'record finish done', guard: 'finishCompleted', to: 'completed' }),
    ]);
    await untilFinal(api, id);
  });

  it.each([
    ['canceled while it waits for a reply', hang(), 'canceled', 'run canceled'],
    ['that its agent fails', status(401), 'error', 'record failure done'],
  ])('shows a scenario run %s', async (_what, step, outcome, event) => {
    agent.next(step);
    const { id, scenarioRunIds } = await startRun(1);
    const stream = await follow(scenarioRunIds[0] ?? '');
    if (outcome === 'canceled') {
      await agent.until(() => agent.inFlight === 1);
      await cancel(id);
    }
    expect(await stream.ended).toBe(true);
    const { transitions, attempts } = await inspect(scenarioRunIds[0] ?? '');
    expect(transitions.at(-1)).toMatchObject({ to: outcome, event, source: 'stored' });
    expect(attempts).toEqual([expect.objectContaining({ attempt: 1, outcome })]);
  });

  it.each([
    ['whose agent refuses', {}, {}, 'send message failed', 'auth_failed'],
    ['whose agent cannot be connected to', { turn_timeout_ms: 'soon' }, {}, 'connect failed', 'config_invalid'],
    ['without a rubric', {}, { rubric_criteria: [] }, 'attempt started', 'no_rubric'],
  ])('the log tells the way of a scenario run %s as it was', async (_what, config, fields, cause, errorCode) => {
    agent.next(...(errorCode === 'auth_failed' ? [status(401)] : []));
    // Late enough for its stream to be open.
    const run = { scheduled_at: new Date(Date.now() + 2_000).toISOString() };
    const { id, scenarioRunIds } = await startRun(1, { config, fields, run });
    const [scenarioRunId = ''] = scenarioRunIds;
    const stream = await follow(scenarioRunId);
    expect(await stream.ended).toBe(true);
    const seen = seenIn(stream);
    expect(seen.every(({ source }) => source === 'live')).toBe(true);
    expect(seen.map(({ event }) => event)).toContain(cause);
    const { transitions } = await inspect(scenarioRunId);
    expect(steps(transitions)).toEqual(steps(seen));
    await untilFinal(api, id);
    expect((await api.get(`/api/v1/scenario-runs/${scenarioRunId}`)).body.error_code).toBe(errorCode);
  });

  it('answers an ended actor at once, and tells EventSource to stop when it comes again', async () => {
    const { id, scenarioRunIds } = await startRun(1);
    await untilFinal(api, id);
    const stream = await follow(scenarioRunIds[0] ?? '');
    expect(await stream.ended).toBe(true);
    expect(stream.messages.map(({ data }) => data['type'])).toEqual(['actor', 'ended']);
    const again = await api.get(`/api/v1/inspect/actors/${scenarioRunIds[0]}/events`, { 'last-event-id': 'ended' });
    expect(again.status).toBe(204);
  });

  it('ends when the run is canceled before it began', async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await startRun(1, { run: { scheduled_at: later } });
    const stream = await follow(id);
    await cancel(id);
    expect(await stream.ended).toBe(true);
    expect(stream.messages.at(-2)?.data).toMatchObject({ type: 'actor', actor: { state: 'canceled' } });
  });

  it('watches an actor only while somebody looks', async () => {
    const short = await startTestService({}, { times: [shorter(WatchTimes, { leaseMs: 300, renewalMs: 100 })] });
    const client = new ApiClient(short.url);
    const watching = () => short.app.get(ActorInspection).watching;
    try {
      const { id, scenarioRunId } = await startHanging(client);
      expect(watching()).toBe(0);
      await inspect(scenarioRunId, client);
      expect(watching()).toBe(0);
      const stream = await follow(scenarioRunId, short);
      await eventually(() => expect(watching()).toBe(1));
      stream.close();
      await eventually(() => expect(watching()).toBe(0));
      await cancel(id, client);
    } finally {
      await short.close();
    }
  });
});

/** The whole way that a stream has shown: what its newest picture of the actor tells, and the steps after it. */
function seenIn(stream: EventClient): ActorTransition[] {
  let way: ActorTransition[] = [];
  for (const { data } of stream.messages) {
    if (data['type'] === 'actor') way = [...(data['actor'] as { transitions: ActorTransition[] }).transitions];
    if (data['type'] === 'transition') way.push(data['transition'] as ActorTransition);
  }
  return way;
}
