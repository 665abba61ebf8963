import { randomUUID } from 'node:crypto';
import { HttpClient } from '../../src/agents/outbound/http-client';
import { InProcessRequestBudget } from '../../src/agents/outbound/in-process.request-budget';
import { Limiter } from '../../src/agents/outbound/limiter';
import { silentLog } from '../../src/platform/config/log';
import { RoomProcesses } from '../../src/agents/livekit/room-processes';
import { RoomRemoval } from '../../src/agents/livekit/room-administration';
import { ROOM_TIMES } from '../../src/agents/livekit/room-times';
import type { OpeningParts } from '../../src/agents/pipecat/opening';
import { PipecatProvider } from '../../src/agents/pipecat/pipecat.provider';
import { RTVI_TIMES } from '../../src/agents/pipecat/rtvi-conversation';
import type { AgentConfig, Session } from '../../src/agents/provider';
import { systemClock } from '../../src/agents/outbound/clock';
import { sendJson } from '../fakes/http-stub';
import { hang, status } from '../fakes/misbehaviour';
import { HangingUpAgents } from '../fakes/hanging-up';
import { startPipecatAgent, type PipecatAgent, type PipecatAgentOptions } from '../fakes/pipecat-agent';
import { rtviBot, textBot, type Patient } from '../fakes/pipecat-bots';
import { startFakePipecatCloud, type FakePipecatCloud } from '../fakes/pipecat-cloud-server';
import { RoomBots, type BotBehaviour, type RoomBot } from '../fakes/room-bots';
import { describeWithLiveKit } from '../setup/describe-with-livekit';
import { eventually } from '../setup/eventually';
import { LiveKitServer } from '../setup/livekit-server';
import { describeHangUp } from '../agents/hang-up.contract';
import { describeProvider, recallAll, SECRET, unaborted, type ProviderFixture } from '../agents/provider.contract';

/** Bots here say what they say in one segment, which has an end of its own, and a greeting at once. */
const times = { ...ROOM_TIMES, quiet: 300, quietWithoutState: 300, readyAfter: 300, standardAfter: 300 };
const rtviTimes = { ...RTVI_TIMES, again: 500, onceMore: 500, greetingBegins: 500 };
/** For bots that greet: they are waited for, however busy the machine is. The server may take three seconds to tell a bot that the patient came. */
const GREETED = {
  times: { ...ROOM_TIMES, quietWithoutState: 8_000 },
  rtviTimes: { ...RTVI_TIMES, again: 3_000, greetingBegins: 15_000 },
};

/** What a bot has whose patient nobody plays. */
const deaf = { heard: () => undefined, nextStep: () => null, done: () => undefined, delayMs: 0 };

/** A bot that comes and says nothing. */
const mute = (): BotBehaviour => ({});

describeWithLiveKit('pipecat provider', () => {
  let livekit: LiveKitServer;
  let bots: RoomBots;

  beforeAll(async () => {
    livekit = await LiveKitServer.start();
    bots = RoomBots.start();
  });
  afterAll(async () => {
    await bots.close();
    await livekit.close();
  });

  const fixture: ProviderFixture = {
    kind: 'pipecat',
    resumable: false,
    startAgent: (options) => startPipecatAgent({ ...options, livekit, bots, bot: rtviBot }),
    configFor: ({ baseUrl }) => ({ base_url: baseUrl, api_key: SECRET, agent_name: 'clinic' }),
  };
  describeProvider(fixture);

  const agents = new HangingUpAgents();
  const sayByRtvi = (bot: RoomBot, words: string, tool?: string): void => {
    bot.publish({ label: 'rtvi-ai', type: 'bot-llm-started' });
    bot.publish({ label: 'rtvi-ai', type: 'bot-llm-text', data: { text: words } });
    if (tool !== undefined) {
      const data = { tool_call_id: 'call-1', function_name: tool, arguments: {} };
      bot.publish({ label: 'rtvi-ai', type: 'llm-function-call-in-progress', data });
    }
    bot.publish({ label: 'rtvi-ai', type: 'bot-llm-stopped' });
  };
  describe.each([
    ['in text streams', textBot, (bot: RoomBot, words: string) => bot.say([words])],
    ['over RTVI', rtviBot, sayByRtvi],
  ])('%s, with a config that vouches for it', (_how, usual, say) => {
    describeHangUp({
      kind: 'pipecat',
      startAgent: () =>
        agents.start((hangingUp) => startPipecatAgent({ livekit, bots, bot: hangingUp.bot(usual, say) })),
      configFor: (agent) => ({ ...fixture.configFor(agent), leaving_ends_conversation: true }),
      // Idle for too long, stopped, or gone down by a fatal error: each leaves in the same way.
      doubtful: { leaving_ends_conversation: false },
      hangUpNext: agents.hangUpNext,
    });
  });
  describe('over RTVI, by a tool that is named', () => {
    describeHangUp({
      kind: 'pipecat',
      startAgent: () =>
        agents.start((hangingUp) => {
          const sayAndCall = (one: RoomBot, words: string) => sayByRtvi(one, words, 'end_conversation');
          return startPipecatAgent({ livekit, bots, bot: hangingUp.bot(rtviBot, sayAndCall) });
        }),
      configFor: (agent) => ({ ...fixture.configFor(agent), end_tools: ['end_conversation'] }),
      doubtful: { end_tools: ['transfer'] },
      hangUpNext: (agent, words) => agents.hangUpNext(agent, words ?? ''),
    });
  });

  describe("with its own or the session's room", () => {
    const http = new HttpClient();
    const rooms = new RoomProcesses();
    const removal = new RoomRemoval(silentLog);
    const closing: (() => Promise<unknown>)[] = [];
    /** The scenario run of each test: a room of its name that comes back later is deleted again. */
    let run = randomUUID();

    beforeEach(() => {
      run = randomUUID();
    });
    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close();
      await eventually(async () => expect(bots.present).toBe(0));
    });
    afterAll(async () => {
      await removal.close();
      await Promise.all([http.close(), rooms.close()]);
    });

    const startAgent = async (options: Partial<PipecatAgentOptions> = {}): Promise<PipecatAgent> => {
      const agent = await startPipecatAgent({ livekit, bots, bot: rtviBot, reply: recallAll, ...options });
      closing.push(() => agent.close());
      return agent;
    };
    const startCloud = async (answer: object): Promise<FakePipecatCloud> => {
      const cloud = await startFakePipecatCloud({ startBot: async () => ({ answer, stop: async () => undefined }) });
      closing.push(() => cloud.close());
      return cloud;
    };
    const ownRoom = (): AgentConfig => ({
      transport_url: livekit.url,
      transport_api_key: livekit.apiKey,
      transport_api_secret: livekit.apiSecret,
    });
    const connect = async (
      { baseUrl }: { readonly baseUrl: string },
      config: AgentConfig = {},
      signal = unaborted(),
      parts: Partial<OpeningParts> = {},
    ): Promise<Session> => {
      const limiter = new Limiter(new InProcessRequestBudget(), systemClock);
      const provider = new PipecatProvider({
        http,
        limiter,
        clock: systemClock,
        rooms,
        removal,
        times,
        rtviTimes,
        ...parts,
      });
      const request = {
        agentId: 'agent',
        scenarioRunId: run,
        attempt: 3,
        history: [],
        continuation: null,
        config: { base_url: baseUrl, api_key: SECRET, agent_name: 'clinic', ...config },
      };
      const session = await provider.connect(request, signal);
      closing.push(() => session.close());
      return session;
    };
    const contents = async (session: Session, ...messages: readonly string[]): Promise<readonly string[]> => {
      const replies: string[] = [];
      for (const message of messages) replies.push((await session.send(message, unaborted())).content);
      return replies;
    };

    it('provides a room, sends the bot there, and removes it', async () => {
      const agent = await startAgent();
      const session = await connect(agent, ownRoom());
      const name = `osce-${run}-3`;
      expect(await livekit.roomNames()).toContain(name);
      expect((await livekit.identitiesIn(name)).toSorted()).toEqual([`bot-osce-${run}-3`, `patient-osce-${run}-3`]);
      expect(agent.cloud.requests).toMatchObject([
        { body: { body: { scenario_run_id: run, url: livekit.url, room: name, token: expect.any(String) } } },
      ]);
      expect(await contents(session, 'one', 'two')).toEqual(['one', 'one | two']);
      await session.close();
      expect(await livekit.roomNames()).not.toContain(name);
      expect(agent.cloud.liveSessions).toEqual([]);
      const metadata = session.metadata();
      expect(metadata).toMatchObject({
        transport: 'livekit',
        protocol: 'rtvi',
        room: name,
        session_id: 'session-1',
        session_end_status: 200,
        bot_library: 'pipecat-ai 1.14.0',
      });
      expect(JSON.stringify(metadata)).not.toMatch(/eyJ/);
    });

    it('leaves its room to the server when auto_cleanup is off', async () => {
      const agent = await startAgent();
      const session = await connect(agent, { ...ownRoom(), auto_cleanup: false });
      await session.close();
      const name = `osce-${run}-3`;
      expect(await livekit.roomNames()).toContain(name);
      await livekit.rooms.deleteRoom(name);
    });

    it('signs nothing for an address that the session names: keys without transport_url are refused', async () => {
      const agent = await startAgent();
      await expect(connect(agent, { ...ownRoom(), transport_url: null })).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringMatching(/transport_url is missing/),
      });
      expect(agent.cloud.requests).toHaveLength(0);
    });

    it('goes where the session says the bot is when that takes no rooms', async () => {
      const elsewhere = await startAgent();
      const started = await fetch(`${elsewhere.baseUrl}/v1/public/clinic/start`, { method: 'POST', body: '{}' });
      const answer: unknown = await started.json();
      const session = await connect(await startCloud({ ...Object(answer) }), ownRoom());
      expect(await contents(session, 'one')).toEqual(['one']);
      await session.close();
      expect(await livekit.roomNames()).not.toContain(`osce-${run}-3`);
    });

    it('talks in text streams with a bot that knows no RTVI', async () => {
      const session = await connect(await startAgent({ bot: textBot }), ownRoom());
      expect(await contents(session, 'one', 'two')).toEqual(['one', 'one | two']);
      expect(session.greeting).toBeNull();
      await session.close();
      expect(session.metadata()).toMatchObject({ protocol: 'text streams' });
    });

    it.each([
      ['', undefined],
      [', its greeting kept apart', 'Welcome to the clinic.'],
    ])('talks over RTVI with a bot that listens only seconds after it is there%s', async (_, greeting) => {
      const DEAF_MS = 300;
      const slow = (bot: RoomBot, patient: Patient): BotBehaviour => {
        const usual = rtviBot(bot, patient);
        let mayListen = false;
        return {
          ...usual,
          // As a bot in text streams hears, and this one does not.
          onText: () => void setTimeout(() => (mayListen = true), DEAF_MS),
          onData: (payload) => {
            if (mayListen) usual.onData?.(payload);
          },
        };
      };
      const session = await connect(await startAgent({ bot: slow, ...(greeting && { greeting }) }), ownRoom());
      expect(session.greeting).toBeNull();
      const began = performance.now();
      const first = await session.send('one', unaborted());
      // The time until it listened is not among it.
      expect(first.latencyMs).toBeLessThanOrEqual(performance.now() - began - DEAF_MS);
      expect([first.content, ...(await contents(session, 'two'))]).toEqual(['one', 'one | two']);
      await session.close();
      expect(session.metadata()).toMatchObject({ protocol: 'rtvi', ...(greeting && { late_greeting: greeting }) });
    });

    it.each([
      ['RTVI', rtviBot],
      ['text streams', textBot],
    ])('keeps a greeting over %s apart from the replies', async (_name, bot) => {
      const agent = await startAgent({ bot, greeting: 'Welcome to the clinic.' });
      const session = await connect(agent, {}, unaborted(), GREETED);
      expect(session.greeting).toBe('Welcome to the clinic.');
      expect(await contents(session, 'one')).toEqual(['one']);
    });

    it('captures what else comes over the data channel', async () => {
      const agent = await startAgent();
      const session = await connect(agent);
      agent.started[0]?.publish({ label: 'rtvi-ai', type: 'server-message', data: { ticket: 5 } });
      agent.started[0]?.publish(`not RTVI ${SECRET}`);
      expect(await contents(session, 'one')).toEqual(['one']);
      const { data_messages } = session.metadata();
      expect(data_messages).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ type: 'server-message', text: '{"ticket":5}' }),
          expect.objectContaining({ text: 'not RTVI [removed]' }),
        ]),
      );
    });

    it('names a bot that never comes, and ends what it began', async () => {
      const cloud = await startCloud({});
      await expect(connect(cloud, ownRoom(), unaborted(), { coldStartMs: 1_500 })).rejects.toMatchObject({
        code: 'agent_not_joined',
        message: expect.stringMatching(/bot did not join.*log/),
      });
      expect(cloud.liveSessions).toEqual([]);
      expect(await livekit.roomNames()).not.toContain(`osce-${run}-3`);
    });

    it.each([
      ['a Daily room', { dailyRoom: 'https://x.daily.co/r' }, {}, 'transport_unsupported', /Daily.*only the LiveKit/],
      ['an iceConfig', { iceConfig: { iceServers: [] } }, {}, 'transport_unsupported', /only the LiveKit/],
      ['a wsUrl', { wsUrl: 'wss://x/ws' }, {}, 'transport_unsupported', /WebSocket.*only the LiveKit/],
      ['nothing', {}, {}, 'config_invalid', /transport_url.*transport_api_key.*transport_api_secret/],
      ['no token', { url: 'ws://127.0.0.1:1' }, {}, 'config_invalid', /transport_api_key/],
    ])('says what to do when the session answers %s, and ends it', async (_name, answer, config, code, sentence) => {
      const cloud = await startCloud(answer);
      const whole = 'transport_url' in config ? { ...ownRoom(), ...config } : config;
      await expect(connect(cloud, whole)).rejects.toMatchObject({ code, message: expect.stringMatching(sentence) });
      expect(cloud.liveSessions).toEqual([]);
    });

    it("names the transport's key pair when the LiveKit server refuses it, and starts no session", async () => {
      const cloud = await startCloud({});
      await expect(connect(cloud, { ...ownRoom(), transport_api_secret: 'wrong-secret' })).rejects.toMatchObject({
        code: 'auth_failed',
        message: expect.stringMatching(/transport_api_key and transport_api_secret/),
      });
      expect(cloud.requests).toHaveLength(0);
    });

    it('keeps the token it gave the bot to itself when a refusal quotes it', async () => {
      const cloud = await startCloud({});
      cloud.next((response, { body }) => sendJson(response, 400, { error: 'Invalid', request: body }));
      const failing = connect(cloud, ownRoom());
      await expect(failing).rejects.toMatchObject({ message: expect.stringContaining('[removed]') });
      await expect(failing).rejects.not.toMatchObject({ message: expect.stringContaining('eyJ') });
    });

    it('removes its room when the agent is unknown', async () => {
      const agent = await startAgent({ agentNames: ['another'] });
      await expect(connect(agent, ownRoom())).rejects.toMatchObject({ code: 'not_found' });
      expect(await livekit.roomNames()).not.toContain(`osce-${run}-3`);
    });

    it('names a token that the server refuses', async () => {
      const cloud = await startCloud({ url: livekit.url, token: 'head.body.signature', room: 'r' });
      await expect(connect(cloud)).rejects.toMatchObject({ code: 'auth_failed' });
      expect(cloud.liveSessions).toEqual([]);
    });

    it('does not call anybody with a key of its pair missing', async () => {
      const cloud = await startCloud({});
      const half = { ...ownRoom(), transport_api_secret: null };
      await expect(connect(cloud, half)).rejects.toMatchObject({ code: 'config_invalid' });
      expect(cloud.acceptedSockets).toBe(0);
    });

    it.each([
      ['RTVI', rtviBot],
      ['text streams', textBot],
    ])('ends a turn over %s whose bot leaves', async (_name, bot) => {
      const agent = await startAgent({ bot });
      const session = await connect(agent, { turn_timeout_ms: 60_000 });
      agent.next(hang());
      const sending = session.send('one', unaborted());
      const failing = expect(sending).rejects.toMatchObject({
        code: 'provider_error',
        message: expect.stringMatching(/left the LiveKit room/),
      });
      await agent.until(() => agent.inFlight === 1);
      // A server tells late who came: one that left before could not be missed.
      await eventually(() => expect(session.metadata()).toHaveProperty('bot'));
      agent.started[0]?.leave();
      await failing;
    });

    it('ends a turn whose room is deleted', async () => {
      const agent = await startAgent();
      const session = await connect(agent, { ...ownRoom(), turn_timeout_ms: 60_000 });
      agent.next(hang());
      const failing = expect(session.send('one', unaborted())).rejects.toMatchObject({ code: 'provider_error' });
      await agent.until(() => agent.inFlight === 1);
      await livekit.rooms.deleteRoom(`osce-${run}-3`);
      await failing;
    });

    it.each([
      ['RTVI', rtviBot],
      ['text streams', textBot],
    ])('names a bot that never answers over %s', async (_name, bot) => {
      const agent = await startAgent({ bot });
      const session = await connect(agent, { turn_timeout_ms: 500 });
      agent.next(hang());
      await expect(session.send('one', unaborted())).rejects.toMatchObject({
        code: 'provider_timeout',
        message: expect.stringMatching(/gave no reply.*turn_timeout_ms/),
      });
    });

    it('keeps what came of a reply without an end', async () => {
      const unfinished = (bot: RoomBot, patient: Patient): BotBehaviour => {
        const usual = rtviBot(bot, patient);
        return {
          onData: (payload) => {
            if (!payload.includes('send-text')) return usual.onData?.(payload);
            bot.publish({ label: 'rtvi-ai', type: 'bot-llm-started' });
            bot.publish({ label: 'rtvi-ai', type: 'bot-llm-text', data: { text: 'Please call' } });
          },
          onLeft: () => bot.leave(),
        };
      };
      const session = await connect(await startAgent({ bot: unfinished }), { turn_timeout_ms: 500 });
      await expect(session.send('one', unaborted())).rejects.toMatchObject({
        code: 'provider_timeout',
        message: expect.stringMatching(/not finished.*partial_reply.*turn_timeout_ms/),
      });
      expect(session.metadata()).toMatchObject({ partial_reply: 'Please call' });
    });

    it('says that a message is too long for RTVI before anything of it is sent', async () => {
      const agent = await startAgent();
      const session = await connect(agent);
      await expect(session.send('a'.repeat(16_000), unaborted())).rejects.toMatchObject({
        code: 'transport_unsupported',
        message: expect.stringMatching(/16\d{3} bytes.*initial_message/),
      });
      expect(await contents(session, 'one')).toEqual(['one']);
    });

    it('notices that a bot leaves which answered just before', async () => {
      const hasty = (bot: RoomBot, patient: Patient): BotBehaviour => ({
        isVoice: true,
        onData: (payload) => {
          if (!payload.includes('client-ready')) return;
          rtviBot(bot, patient).onData?.(payload);
          setTimeout(() => bot.leave(), 100);
        },
      });
      const agent = await startAgent({ bot: hasty });
      const talking = connect(agent, { turn_timeout_ms: 60_000 }).then((session) => session.send('one', unaborted()));
      await expect(talking).rejects.toMatchObject({
        code: 'provider_error',
        message: expect.stringMatching(/left the LiveKit room/),
      });
    });

    it('hands on what the bot says went wrong', async () => {
      const agent = await startAgent();
      const session = await connect(agent);
      agent.next(status(500));
      await expect(session.send('one', unaborted())).rejects.toMatchObject({
        code: 'provider_error',
        message: expect.stringMatching(/the model is away/),
      });
    });

    it("puts out the bot of a start whose answer was lost, and talks with the next one's", async () => {
      const agent = await startAgent();
      const orphans: RoomBot[] = [];
      agent.cloud.next((response, { body }) => {
        const { url, token } = Object(body).body;
        orphans.push(bots.join(url, token, (bot) => rtviBot(bot, { ...deaf, reply: () => 'I am the wrong one.' })));
        response.socket?.resetAndDestroy();
      });
      const session = await connect(agent, ownRoom());
      expect(session.metadata()).toMatchObject({ room: `osce-${run}-3-2`, session_id: 'session-1' });
      expect(await contents(session, 'one', 'two')).toEqual(['one', 'one | two']);
      await session.close();
      // It was alone in a room of its own, which it may even have made anew by coming late.
      await eventually(async () => {
        expect((await livekit.roomNames()).filter((name) => name.includes(run))).toEqual([]);
        expect(orphans.map(({ isGone }) => isGone)).toEqual([true]);
      }, 60_000);
      expect(agent.cloud.liveSessions).toEqual([]);
    });

    it.each([
      ['the session is started', (agent: PipecatAgent) => agent.started.length === 1],
      ['it joins', ({ cloud }: PipecatAgent) => cloud.sessionCount === 1 && cloud.inFlight === 0],
    ])('leaves no room behind when it is canceled while %s', async (_name, isSo) => {
      const agent = await startAgent({ bot: mute });
      const abort = new AbortController();
      const connecting = connect(agent, ownRoom(), abort.signal);
      await agent.cloud.until(() => isSo(agent));
      abort.abort();
      await expect(connecting).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
      await eventually(async () => {
        // With the room everybody in it is gone; a client that was put out while it joined may take long to see that.
        expect((await livekit.roomNames()).filter((name) => name.includes(run))).toEqual([]);
      });
    });

    it('takes everything back when it is canceled while the bot is awaited', async () => {
      const agent = await startAgent({ bot: mute });
      const abort = new AbortController();
      const connecting = connect(agent, ownRoom(), abort.signal);
      await agent.until(() => agent.started.length === 1);
      await eventually(async () => expect(await livekit.identitiesIn(`osce-${run}-3`)).toHaveLength(2));
      abort.abort();
      await expect(connecting).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
      // Whoever canceled waits for nothing.
      await eventually(async () => {
        expect(agent.cloud.liveSessions).toEqual([]);
        expect(await livekit.roomNames()).not.toContain(`osce-${run}-3`);
      });
    });
  });
});
