import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendJson, type Step } from '../fakes/http-stub';
import type { FakeAgent } from '../fakes/fake-agent';
import { hang } from '../fakes/misbehaviour';
import { completion, startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { describeWithNats } from '../setup/describe-with-nats';
import { EventClient } from '../setup/event-client';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { NatsServer } from '../setup/nats-server';
import { startTestService, type TestService } from '../setup/service';
import { startServiceProcess, type ServiceProcess } from '../setup/service-process';
import type { ActorTransition } from '../../contract/inspection';

let agent: FakeAgent;
beforeEach(async () => {
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
});
afterEach(() => agent.close());

const pathOf = (id: string) => `/api/v1/inspect/actors/${id}`;

/** Starts a run of one scenario and answers the id of its scenario run. */
async function startOne(api: ApiClient): Promise<{ id: string; scenarioRunId: string }> {
  const agent_id = await createAgent(api, agent.baseUrl);
  const scenario_ids = await createScenarios(api, 1);
  const { body } = await api.post('/start-run', { agent_id, scenario_ids, max_turns: 5 });
  const [scenarioRun] = await scenarioRunsOf(api, body.id);
  return { id: String(body.id), scenarioRunId: String(scenarioRun.id) };
}

const statesOf = (transitions: readonly ActorTransition[]) => transitions.map(({ to }) => to);

describeWithNats('an actor on another process', (binary) => {
  let nats: NatsServer;
  let database: TestDatabase;
  let owner: TestService;
  let other: TestService | null = null;
  beforeEach(async () => {
    nats = await NatsServer.start(binary);
    database = await createTestDatabase();
    owner = await startTestService({ NATS_URL: nats.url }, { database });
  });
  afterEach(async () => {
    await other?.close();
    await owner.close();
    await nats.close();
    await database.drop();
  });

  it('is listed, looked at and followed to its end', async () => {
    const release: (() => void)[] = [];
    const answer: Step = (response) => release.push(() => sendJson(response, 200, completion(GOOD_REPLY)));
    agent.next(answer);
    const { scenarioRunId } = await startOne(new ApiClient(owner.url));
    await agent.until(() => release.length === 1);
    // Started after the work was taken: the actors live elsewhere.
    other = await startTestService({ NATS_URL: nats.url }, { database });
    const api = new ApiClient(other.url);

    const { body: list } = await api.get('/api/v1/inspect/actors');
    expect(list.processes).toEqual([expect.objectContaining({ actors: 2, answered: true })]);
    expect(list.actors).toEqual([
      expect.objectContaining({ kind: 'test_run', state: 'live.running.supervising' }),
      expect.objectContaining({ id: scenarioRunId, state: 'active.conversing.awaitingReply', awaits: 'sendMessage' }),
    ]);
    const { body: actor } = await api.get(pathOf(scenarioRunId));
    expect(actor).toMatchObject({ is_live: true, unanswered: [], context: { patient_message: { turn: 1 } } });

    const stream = await EventClient.open(`${other.url}${pathOf(scenarioRunId)}/events`);
    await eventually(() => expect(stream.messages.length).toBe(1));
    release[0]?.();
    expect(await stream.ended).toBe(true);
    const seen = stream.messages.flatMap(({ data }) => (data['type'] === 'transition' ? [data['transition']] : []));
    expect(seen).toHaveLength(16);
    expect(seen.at(-1)).toMatchObject({ to: 'passed', source: 'live' });
  });
});

describe('a process that does not answer', () => {
  it('is named, and what the rows and the log know of its actors is told all the same', async () => {
    const database = await createTestDatabase();
    // Without a common bus the two cannot hear each other.
    const owner = await startTestService({ NATS_URL: '' }, { database });
    const other = await startTestService({ NATS_URL: '' }, { database });
    try {
      agent.next(hang());
      const { id, scenarioRunId } = await startOne(new ApiClient(owner.url));
      await agent.until(() => agent.inFlight === 1);
      const told = await inspectBoth(owner, other, scenarioRunId);
      expect(told.owner).toMatchObject({ is_live: true, unanswered: [] });
      expect(told.other).toMatchObject({
        is_live: false,
        context: null,
        status: 'running',
        state: 'active.connecting',
        owner: told.owner.owner,
        unanswered: [told.owner.owner],
      });
      const { body: list } = await new ApiClient(other.url).get('/api/v1/inspect/actors');
      expect(list.processes).toEqual([{ id: told.owner.owner, actors: 2, answered: false }]);
      expect(list.actors).toEqual([
        expect.objectContaining({ kind: 'test_run', state: null, is_live: false }),
        expect.objectContaining({ kind: 'scenario_run', state: null, is_live: false, status: 'running' }),
      ]);
      await new ApiClient(owner.url).post('/cancel-run', { test_run_id: id });
    } finally {
      await other.close();
      await owner.close();
      await database.drop();
    }
  });

  async function inspectBoth(owner: TestService, other: TestService, id: string) {
    const [asOwner, asOther] = await Promise.all([
      new ApiClient(owner.url).get(pathOf(id)),
      new ApiClient(other.url).get(pathOf(id)),
    ]);
    return { owner: asOwner.body, other: asOther.body };
  }
});

describe('an actor whose process was killed', () => {
  let dataDir: string;
  let service: ServiceProcess;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'agent-osce-inspection-'));
    await start();
  });
  afterEach(async () => {
    await service.end('SIGKILL');
    // The killed service's database ends a moment after it.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  });
  const start = async () => void (service = await startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' }));

  it('shows both attempts: the one that died and the one that went on', async () => {
    const answer: Step = (response) => sendJson(response, 200, completion(GOOD_REPLY));
    agent.next(answer, answer, hang());
    const { id, scenarioRunId } = await startOne(new ApiClient(service.url));
    await agent.until(() => agent.requests.length === 3);
    await service.end('SIGKILL');
    await start();
    const api = new ApiClient(service.url);
    await untilFinal(api, id, 40_000);
    const { body: actor } = await api.get(pathOf(scenarioRunId));
    expect(actor.attempts).toEqual([
      { attempt: 1, started_at: expect.any(String), ended_at: null, outcome: 'interrupted' },
      { attempt: 2, started_at: expect.any(String), ended_at: expect.any(String), outcome: 'passed' },
    ]);
    const transitions: ActorTransition[] = actor.transitions;
    const turn = ['active.conversing.awaitingReply', 'active.conversing.recordingTurn', 'active.conversing.composing'];
    const first = statesOf(transitions.filter(({ attempt }) => attempt === 1));
    const second = statesOf(transitions.filter(({ attempt }) => attempt === 2));
    expect(first).toEqual(['active.connecting', 'active.conversing.composing', ...turn, ...turn]);
    expect(second).toEqual([
      'active.connecting',
      'active.conversing.composing',
      ...turn,
      ...turn,
      ...turn.slice(0, 2),
      'active.grading.judging',
      'active.grading.recordingVerdict',
      'passed',
    ]);
    expect(transitions.filter(({ attempt }) => attempt === 2).map(({ turn: at }) => at)).toEqual([
      3, 3, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 5,
    ]);
  });
});
