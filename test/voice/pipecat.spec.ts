import { randomUUID } from 'node:crypto';
import { InProcessRequestBudget } from '../../src/agents/outbound/in-process.request-budget';
import { RTVI_TIMES } from '../../src/agents/pipecat/rtvi-conversation';
import type { AgentConfig, Session } from '../../src/agents/provider';
import { ProviderRegistry } from '../../src/agents/registry';
import { unaborted } from '../agents/provider.contract';
import type { FakeMessage } from '../fakes/fake-agent';
import { startPipecatAgent } from '../fakes/pipecat-agent';
import { textBot } from '../fakes/pipecat-bots';
import { RoomBots } from '../fakes/room-bots';
import { startStreamingModel, type ModelAnswer } from '../fakes/streaming-model';
import { ApiClient } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { LiveKitServer } from '../setup/livekit-server';
import { PIPECAT_KEY, startPipecatServer, type PipecatServer } from '../setup/pipecat-server';
import { startTestService, type TestService } from '../setup/service';
import { requireVoicePeers } from '../setup/voice-peers';

requireVoicePeers();

const NUMBERED = /^Reply (\d+): .* Please call an ambulance now\.$/s;
const GREETING = 'Greet the patient.';
const GREETED = { ...RTVI_TIMES, again: 3_000, greetingBegins: 15_000 };

/** Counts the patient's messages, so that a lost, repeated or torn reply shows. */
const answer = (messages: readonly FakeMessage[]): ModelAnswer => {
  const last = messages.at(-1);
  const text = textOf(last?.content);
  if (text === GREETING) return 'Welcome to the clinic. How can we help?';
  if (last?.role === 'tool') return `We are open: ${text}`;
  if (text.includes('When are you open')) return { tool: 'opening_hours', arguments: {}, say: 'Let me look. ' };
  const count = messages.filter(({ role, content }) => role === 'user' && textOf(content) !== GREETING).length;
  return `Reply ${count}: I hear you say ${JSON.stringify(text)}. ${'One moment. '.repeat(5)}Please call an ambulance now.`;
};

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

const median = (all: number[]): number => Math.round(all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? NaN);

describe('pipecat agents', () => {
  let livekit: LiveKitServer;
  let model: Awaited<ReturnType<typeof startStreamingModel>>;

  beforeAll(async () => {
    livekit = await LiveKitServer.start();
    model = await startStreamingModel({ answer, pauseMs: 5 });
  });
  afterAll(async () => {
    await model.close();
    await livekit.close();
  });

  const ownRoom = (): AgentConfig => ({
    transport_url: livekit.url,
    transport_api_key: livekit.apiKey,
    transport_api_secret: livekit.apiSecret,
  });

  const WITHOUT_KEYS = { transport_url: null, transport_api_key: null, transport_api_secret: null };

  /** A kind of bot, and what it is started with. */
  interface Bot {
    readonly server: PipecatServer;
    readonly heard: () => number;
  }

  const realBot = async (): Promise<Bot> => ({
    server: await startPipecatServer(livekit, model.baseUrl),
    heard: () => model.requests.filter(({ path }) => path.endsWith('/chat/completions')).length,
  });
  const textStreamBot = async (): Promise<Bot> => {
    const bots = RoomBots.start();
    const reply = (messages: readonly FakeMessage[]): string => textOf(answer(messages));
    const agent = await startPipecatAgent({ livekit, bots, bot: textBot, reply, delayMs: 50 });
    const close = async (): Promise<void> => {
      await agent.close();
      await bots.close();
    };
    const sessions = async (): Promise<readonly string[]> => agent.cloud.liveSessions;
    return { server: { baseUrl: agent.baseUrl, sessions, close }, heard: () => agent.requests.length };
  };

  describe.each([
    ['a pipecat-ai bot in our room', realBot, 'rtvi', {}, 10, 3],
    // Not ours to delete: its server closes it when it has been empty for a while, which here is ten minutes.
    ["a pipecat-ai bot in its session's room", realBot, 'rtvi', WITHOUT_KEYS, 3, 3],
    // Most of it is quiet that has to be waited for.
    ['a bot of text streams', textStreamBot, 'text streams', {}, 10, 10],
  ])('%s', (name, startBot, protocol, changes, scenarios, concurrency) => {
    const isOurRoom = changes !== WITHOUT_KEYS;
    let bot: Bot;
    let service: TestService;
    let api: ApiClient;
    let agentId: string;

    beforeAll(async () => {
      bot = await startBot();
      service = await startTestService();
      api = new ApiClient(service.url);
      const config = {
        base_url: bot.server.baseUrl,
        api_key: PIPECAT_KEY,
        agent_name: 'clinic',
        max_retries: 0,
        ...ownRoom(),
        ...changes,
      };
      const { body } = await api.post('/api/v1/agents', { name: 'Pipecat agent', provider: 'pipecat', config });
      agentId = String(body.id);
    });
    afterAll(async () => {
      await service?.close();
      await bot?.server.close();
    });

    it(`is examined with ${scenarios} scenarios of 5 turns: every reply whole, in order, none twice; nothing is left`, async () => {
      const scenario_ids = await createScenarios(api, scenarios);
      const began = performance.now();
      const started = await api.post('/start-run', {
        agent_id: agentId,
        scenario_ids,
        max_turns: 5,
        concurrency_limit: concurrency,
      });
      const final = await untilFinal(api, started.body.id, 240_000);
      const took = Math.round(performance.now() - began);
      const runs = await scenarioRunsOf(api, started.body.id);
      expect(runs.map(({ error_message }) => error_message).filter((message) => message !== null)).toEqual([]);
      expect(final).toMatchObject({ status: 'completed', passed_count: scenarios, error_count: 0 });
      const latencies: number[] = [];
      const connects: number[] = [];
      const rooms: string[] = [];
      for (const { id } of runs) {
        const { body: detail } = await api.get(`/api/v1/scenario-runs/${id}`);
        const replies = detail.transcript.filter(({ role }: { role: string }) => role === 'agent');
        const numbers = replies.map(({ content }: { content: string }) => NUMBERED.exec(content)?.[1]);
        expect(numbers).toEqual(['1', '2', '3', '4', '5']);
        expect(detail.metadata.session).toMatchObject({ protocol, transport: 'livekit', room: expect.any(String) });
        rooms.push(detail.metadata.session.room);
        latencies.push(...replies.map(({ latency_ms }: { latency_ms: number }) => latency_ms));
        connects.push(detail.metadata.timings?.connect_ms ?? NaN);
      }
      expect(new Set(rooms).size).toBe(scenarios);
      if (isOurRoom) {
        await eventually(async () => {
          const left = await livekit.roomNames();
          expect(rooms.filter((room) => left.includes(room))).toEqual([]);
        });
      }
      await eventually(async () => expect(await bot.server.sessions()).toEqual([]));
      console.info(
        `${name}: ${scenarios} x 5 turns, ${concurrency} at a time, in ${took} ms; connect ${median(connects)} ms, reply ${median(latencies)} ms (medians)`,
      );
    });

    it(`is left${isOurRoom ? ', and its room deleted,' : ''} when the run is canceled`, async () => {
      const scenario_ids = await createScenarios(api, 1);
      const others = await livekit.roomNames();
      const roomsOfRun = async () => (await livekit.roomNames()).filter((room) => !others.includes(room));
      const before = bot.heard();
      const { body: run } = await api.post('/start-run', { agent_id: agentId, scenario_ids });
      await eventually(() => expect(bot.heard()).toBeGreaterThan(before), 120_000);
      expect(await roomsOfRun()).toHaveLength(1);
      const canceled = performance.now();
      expect((await api.post('/cancel-run', { test_run_id: run.id })).status).toBe(200);
      if (isOurRoom) await eventually(async () => expect(await roomsOfRun()).toEqual([]), 60_000);
      await eventually(async () => expect(await bot.server.sessions()).toEqual([]));
      const took = Math.round(performance.now() - canceled);
      console.info(`${name}: left ${took} ms after cancel-run was asked for`);
    });
  });

  describe('one conversation with a pipecat-ai bot', () => {
    const registry = new ProviderRegistry({ budget: new InProcessRequestBudget() });
    /** For a bot that greets: it is waited for, however busy the machine is. */
    const greeted = new ProviderRegistry({ budget: new InProcessRequestBudget(), rtviTimes: GREETED });
    const closing: (() => Promise<unknown>)[] = [];

    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close();
    });
    afterAll(() => Promise.all([registry.close(), greeted.close()]));

    /** One for all that neither end it nor need it otherwise. */
    let server: PipecatServer;
    beforeAll(async () => {
      server = await startPipecatServer(livekit, model.baseUrl);
    });
    afterAll(() => server.close());

    const start = async (env: Readonly<Record<string, string>> = {}): Promise<PipecatServer> => {
      const started = await startPipecatServer(livekit, model.baseUrl, env);
      closing.push(() => started.close());
      return started;
    };
    const connect = async (
      { baseUrl }: PipecatServer,
      config: AgentConfig = {},
      providers = registry,
    ): Promise<Session> => {
      const provider = providers.find('pipecat');
      if (provider === undefined) throw new Error('There is no provider of the kind pipecat.');
      const whole = { base_url: baseUrl, api_key: PIPECAT_KEY, agent_name: 'clinic', max_retries: 0, ...config };
      const request = {
        agentId: 'a',
        scenarioRunId: randomUUID(),
        attempt: 1,
        history: [],
        continuation: null,
        config: whole,
      };
      const session = await provider.connect(request, unaborted());
      closing.push(() => session.close());
      return session;
    };

    it('keeps its greeting apart, and has what it says before and after a tool as one reply', async () => {
      const session = await connect(await start({ GREETING }), ownRoom(), greeted);
      expect(session.greeting).toBe('Welcome to the clinic. How can we help?');
      const reply = await session.send('When are you open?', unaborted());
      expect(reply.content).toBe('Let me look. We are open: {"today": "08:00 to 18:00"}');
      expect(reply.metadata).toMatchObject({ llm_runs: 2, tool_calls: [{ id: expect.any(String) }] });
      expect((await session.send('My chest hurts.', unaborted())).content).toMatch(/^Reply 2: .*My chest hurts/);
      await session.close();
      expect(session.metadata()).toMatchObject({ bot_library: 'pipecat-ai 1.14.0', protocol: 'rtvi' });
    });

    it.each([
      ['wrong key', { api_key: 'pk_wrong' }, 'auth_failed', /credential/],
      ['unknown agent', { agent_name: 'nobody' }, 'not_found', /agent/],
    ])('names a %s', async (_name, config, code, sentence) => {
      const others = await livekit.roomNames();
      const connecting = connect(server, { ...ownRoom(), ...config });
      await expect(connecting).rejects.toMatchObject({ code, message: expect.stringMatching(sentence) });
      await eventually(async () => expect(others).toEqual(expect.arrayContaining([...(await livekit.roomNames())])));
    });

    it('hands on that its model failed', async () => {
      const session = await connect(await start({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }), ownRoom());
      await expect(session.send('hi', unaborted())).rejects.toMatchObject({
        code: 'provider_error',
        message: expect.stringMatching(/bot reported an error.*completion/i),
      });
    });

    it('names a bot that is ended in the middle', async () => {
      const session = await connect(server, { ...ownRoom(), turn_timeout_ms: 120_000 });
      await session.send('hi', unaborted());
      const { session_id: id } = session.metadata();
      if (typeof id !== 'string') throw new Error('The metadata names no session.');
      const ending = await fetch(`${server.baseUrl}/v1/agents/clinic/sessions/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${PIPECAT_KEY}` },
      });
      expect(ending.status).toBe(200);
      await expect(session.send('hi', unaborted())).rejects.toMatchObject({
        code: 'provider_error',
        message: expect.stringMatching(/left the LiveKit room/),
      });
    });

    it('names a LiveKit server that is killed in the middle', async () => {
      const other = await LiveKitServer.start();
      closing.push(() => other.close());
      const there = await startPipecatServer(other, model.baseUrl);
      closing.push(() => there.close());
      const session = await connect(there, { turn_timeout_ms: 120_000 });
      await session.send('hi', unaborted());
      await other.kill();
      await expect(session.send('hi', unaborted())).rejects.toMatchObject({
        code: 'connect_failed',
        message: expect.stringContaining('LiveKit server'),
      });
    });
  });
});
