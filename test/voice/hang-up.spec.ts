import { randomUUID } from 'node:crypto';
import { AgentHungUp } from '../../src/agents/errors';
import { InProcessRequestBudget } from '../../src/agents/outbound/in-process.request-budget';
import type { AgentConfig, Reply, Session } from '../../src/agents/provider';
import { ProviderRegistry } from '../../src/agents/registry';
import type { FakeMessage } from '../fakes/fake-agent';
import { startStreamingModel, type ModelAnswer } from '../fakes/streaming-model';
import { ApiClient } from '../setup/api-client';
import { createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { LiveKitServer } from '../setup/livekit-server';
import { PIPECAT_KEY, startPipecatServer, type PipecatServer } from '../setup/pipecat-server';
import { startTestService } from '../setup/service';
import { requireVoicePeers, startLiveKitTextAgent, type PythonAgent } from '../setup/voice-peers';
import { unaborted } from '../agents/provider.contract';

requireVoicePeers();

const ADVICE = 'Please call an ambulance now.';
const LAST_WORDS = 'Goodbye, and get well.';

/** "tool: leave" has the model say its last words and call that tool; after a tool's result it has nothing to add. */
const answer = (messages: readonly FakeMessage[]): ModelAnswer => {
  const last = messages.at(-1);
  if (last?.role === 'tool') return LAST_WORDS;
  const text = typeof last?.content === 'string' ? last.content : JSON.stringify(last?.content);
  const [, tool] = /tool: (\w+)/.exec(text) ?? [];
  if (tool !== undefined) return { tool, arguments: {}, say: LAST_WORDS };
  const said = messages.filter(({ role }) => role === 'user').length;
  return said === toolAt?.turn ? { tool: toolAt.tool, arguments: {}, say: LAST_WORDS } : ADVICE;
};
/** For a patient who cannot be told what to say: the turn at which the model calls a tool. */
let toolAt: { readonly turn: number; readonly tool: string } | null = null;

let livekit: LiveKitServer;
let model: Awaited<ReturnType<typeof startStreamingModel>>;
const registry = new ProviderRegistry({ budget: new InProcessRequestBudget() });
const sessions: Session[] = [];

beforeAll(async () => {
  livekit = await LiveKitServer.start();
  model = await startStreamingModel({ answer, pauseMs: 2 });
});
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
});
afterAll(async () => {
  await registry.close();
  await model.close();
  await livekit.close();
});

/** A conversation that has had its first reply. */
async function talk(kind: string, config: AgentConfig): Promise<Session> {
  const provider = registry.find(kind);
  if (provider === undefined) throw new Error(`There is no provider of the kind ${kind}.`);
  const ids = { agentId: randomUUID(), scenarioRunId: randomUUID(), attempt: 1, history: [], continuation: null };
  const session = await provider.connect({ ...ids, config: { turn_timeout_ms: 60_000, ...config } }, unaborted());
  sessions.push(session);
  expect(await session.send('My chest hurts.', unaborted())).toMatchObject({ content: ADVICE });
  return session;
}

/** What came of a message, and, when that was a reply that ends nothing, of one more. */
async function outcomeOf(session: Session, message: string): Promise<Reply | Error> {
  const send = (text: string): Promise<Reply | Error> =>
    session
      .send(text, unaborted())
      .catch((error: unknown) => (error instanceof Error ? error : new Error('No error.')));
  const first = await send(message);
  return first instanceof Error || first.endsConversation === true ? first : send('Are you still there?');
}

/** It ended the conversation, with its last words if they came whole before it went. */
function expectHungUp(outcome: Reply | Error): void {
  if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AgentHungUp);
  else expect(outcome).toMatchObject({ endsConversation: true, content: expect.stringContaining('Goodbye') });
}

function expectFailure(outcome: Reply | Error): void {
  expect(outcome).toMatchObject({ code: 'provider_error' });
  expect(outcome).not.toBeInstanceOf(AgentHungUp);
}

describe('a livekit-agents agent', () => {
  const PROGRAM = 'test/peers/livekit_ends.py';
  let agent: PythonAgent;
  beforeAll(async () => {
    agent = await startLiveKitTextAgent(livekit, model.baseUrl, {}, PROGRAM);
  });
  afterAll(() => agent.close());

  const keys = () => ({ url: livekit.url, api_key: livekit.apiKey, api_secret: livekit.apiSecret });
  const talkWith = (config: AgentConfig = {}) => talk('livekit', { ...keys(), ...config });

  it("hangs up by the framework's own tool", async () => {
    const session = await talkWith();
    const reply = await session.send('tool: end_call', unaborted());
    expect(reply).toMatchObject({
      endsConversation: true,
      content: expect.stringContaining(LAST_WORDS),
      metadata: { tool_calls: [expect.objectContaining({ name: 'end_call' })] },
    });
  });

  it.each(['delete_room', 'leave'])('hangs up by a tool of its own that its config names: %s', async (tool) => {
    expectHungUp(await outcomeOf(await talkWith({ end_tools: [tool] }), `tool: ${tool}`));
  });

  it.each(['delete_room', 'leave'])('fails where nobody knows that it means to: %s', async (tool) => {
    expectFailure(await outcomeOf(await talkWith(), `tool: ${tool}`));
  });

  it('hangs up by leaving where its config vouches for it', async () => {
    expectHungUp(await outcomeOf(await talkWith({ leaving_ends_conversation: true }), 'tool: leave'));
  });

  it('is graded on the turns so far', async () => {
    const service = await startTestService();
    try {
      const api = new ApiClient(service.url);
      const agent_id = (await api.post('/api/v1/agents', { name: 'A', provider: 'livekit', config: keys() })).body.id;
      toolAt = { turn: 3, tool: 'end_call' };
      const scenario_ids = await createScenarios(api, 1);
      const { body: run } = await api.post('/start-run', { agent_id, scenario_ids, max_turns: 6 });
      expect(await untilFinal(api, run.id, 120_000)).toMatchObject({ status: 'completed', passed_count: 1 });
      const [result] = await scenarioRunsOf(api, run.id);
      expect(result).toMatchObject({ status: 'passed', turns: 3, metadata: { ended_by: 'agent' } });
    } finally {
      toolAt = null;
      await service.close();
    }
  });

  describe('whose job is under way', () => {
    let waiting: PythonAgent;
    beforeAll(async () => {
      await agent.close();
      waiting = await startLiveKitTextAgent(livekit, model.baseUrl, { ENTRYPOINT: 'waits' }, PROGRAM);
    });
    afterAll(() => waiting.close());

    it('fails when its job crashes, although it leaves the room as one that hangs up', async () => {
      const outcome = await outcomeOf(await talkWith(), 'tool: crash_job');
      expectFailure(outcome);
      // On a busy machine the framework tells of the crash before it takes the agent out of the room.
      const either = /CLIENT_INITIATED.*leaving_ends_conversation|AgentSession is closing/;
      expect(outcome).toMatchObject({ message: expect.stringMatching(either) });
    });

    it('fails when its process is killed, whatever its config says', async () => {
      const session = await talkWith({ leaving_ends_conversation: true });
      await waiting.close();
      expectFailure(await outcomeOf(session, 'Are you there?'));
    });
  });
});

describe('a pipecat-ai bot', () => {
  const PROGRAM = 'test/peers/pipecat_ends.py';
  let named: PipecatServer;
  let silent: PipecatServer;
  beforeAll(async () => {
    named = await startPipecatServer(livekit, model.baseUrl, { REPORTS: 'names' }, PROGRAM);
    silent = await startPipecatServer(livekit, model.baseUrl, {}, PROGRAM);
  });
  afterAll(() => Promise.all([named.close(), silent.close()]));

  const talkWith = ({ baseUrl }: PipecatServer, config: AgentConfig = {}) =>
    talk('pipecat', {
      base_url: baseUrl,
      api_key: PIPECAT_KEY,
      agent_name: 'clinic',
      max_retries: 0,
      transport_url: livekit.url,
      transport_api_key: livekit.apiKey,
      transport_api_secret: livekit.apiSecret,
      ...config,
    });
  const BY_TOOL = { end_tools: ['end_conversation'] };

  it('hangs up by a tool that its config names and it reports', async () => {
    expectHungUp(await outcomeOf(await talkWith(named, BY_TOOL), 'tool: end_conversation'));
  });

  it('hangs up by leaving where its config vouches for it', async () => {
    const session = await talkWith(silent, { leaving_ends_conversation: true });
    expectHungUp(await outcomeOf(session, 'tool: end_conversation'));
  });

  it.each<[string, () => PipecatServer, AgentConfig, string]>([
    ['it does not tell which tool it called', () => silent, BY_TOOL, 'end_conversation'],
    ['its config names another tool', () => named, { end_tools: ['transfer'] }, 'end_conversation'],
    ['its pipeline breaks down', () => named, BY_TOOL, 'break_down'],
  ])('fails where %s', async (_why, server, config, tool) => {
    expectFailure(await outcomeOf(await talkWith(server(), config), `tool: ${tool}`));
  });

  it('fails when its process is killed, whatever its config says', async () => {
    const session = await talkWith(silent, { ...BY_TOOL, leaving_ends_conversation: true });
    await silent.close();
    expectFailure(await outcomeOf(session, 'Are you there?'));
  });
});
