import { randomUUID } from 'node:crypto';
import { createServer as createTcpServer } from 'node:net';
import { once } from 'node:events';
import { AccessToken } from 'livekit-server-sdk';
import { ROOM_TIMES } from '../../src/agents/livekit/room-times';
import { InProcessRequestBudget } from '../../src/agents/outbound/in-process.request-budget';
import type { AgentConfig, ConnectRequest, Session } from '../../src/agents/provider';
import { ProviderRegistry } from '../../src/agents/registry';
import type { FakeAgent } from '../fakes/fake-agent';
import { sendJson, startHttpStub } from '../fakes/http-stub';
import { startLiveKitAgent, type LiveKitAgentOptions } from '../fakes/livekit-agent';
import { hang } from '../fakes/misbehaviour';
import { RoomBots } from '../fakes/room-bots';
import { describeWithLiveKit } from '../setup/describe-with-livekit';
import { eventually } from '../setup/eventually';
import { LiveKitServer } from '../setup/livekit-server';
import { unaborted } from '../agents/provider.contract';

describeWithLiveKit('livekit provider: rooms', () => {
  let livekit: LiveKitServer;
  let bots: RoomBots;
  /** Most agents here say one segment with an end of its own, which needs no long silence to be known as whole. */
  let registry: ProviderRegistry;
  /** With the silences that users wait for. */
  let patient: ProviderRegistry;
  /** For agents that greet: they are waited for, however busy the machine is. */
  let greeted: ProviderRegistry;
  const agents: FakeAgent[] = [];

  beforeAll(async () => {
    livekit = await LiveKitServer.start();
    bots = RoomBots.start();
    const roomTimes = {
      ...ROOM_TIMES,
      quiet: 300,
      quietWithoutState: 300,
      standardAfter: 300,
      readyAfter: 300,
      probe: 100,
    };
    registry = new ProviderRegistry({ budget: new InProcessRequestBudget(), roomTimes });
    patient = new ProviderRegistry({ budget: new InProcessRequestBudget() });
    greeted = new ProviderRegistry({
      budget: new InProcessRequestBudget(),
      roomTimes: { ...ROOM_TIMES, quiet: 6_000 },
    });
  });
  afterEach(async () => {
    await Promise.all(agents.splice(0).map((agent) => agent.close()));
    for (const room of await livekit.roomNames()) await livekit.rooms.deleteRoom(room);
  });
  afterAll(async () => {
    await Promise.all([registry.close(), patient.close(), greeted.close()]);
    await bots.close();
    await livekit.close();
  });

  const keys = () => ({ url: livekit.url, api_key: livekit.apiKey, api_secret: livekit.apiSecret });
  const startAgent = async (options: Partial<LiveKitAgentOptions> = {}): Promise<FakeAgent> => {
    const agent = await startLiveKitAgent({ livekit, bots, ...options });
    agents.push(agent);
    return agent;
  };
  const connect = (
    config: AgentConfig,
    ids: Partial<ConnectRequest> = {},
    signal = unaborted(),
    providers = registry,
  ): Promise<Session> => {
    const provider = providers.find('livekit');
    if (provider === undefined) throw new Error('There is no livekit provider.');
    const request = { agentId: randomUUID(), scenarioRunId: randomUUID(), attempt: 1, history: [], continuation: null };
    return provider.connect({ ...request, ...ids, config }, signal);
  };

  it('names rooms and identities after the execution, and deletes the room afterwards', async () => {
    await startAgent();
    const session = await connect(
      { ...keys(), room_prefix: 'clinic' },
      { scenarioRunId: '00000000-0000-4000-8000-00000000000a', attempt: 3 },
    );
    const room = 'clinic-00000000-0000-4000-8000-00000000000a-3';
    expect(await livekit.roomNames()).toEqual([room]);
    expect(await livekit.identitiesIn(room)).toContain('osce-patient-00000000-0000-4000-8000-00000000000a-3');
    expect(session.metadata()).toMatchObject({ room, agent_identity: 'clinic-agent', protocol: 'text streams' });
    await session.close();
    expect(await livekit.roomNames()).toEqual([]);
  });

  it('keeps a room that is not to be cleaned up, and uses the one it is told', async () => {
    await startAgent();
    const session = await connect({ ...keys(), roomName: 'ward-7', autoCleanup: false });
    await session.close();
    expect(await livekit.roomNames()).toEqual(['ward-7']);
    await eventually(async () => expect(await livekit.identitiesIn('ward-7')).not.toContain('osce'));
  });

  it('holds one conversation at a time in a room that it is told', async () => {
    await startAgent();
    const config = { ...keys(), room_name: 'ward-8', auto_cleanup: false };
    const first = await connect(config);
    let hasBegun = false;
    const second = connect(config).finally(() => (hasBegun = true));
    expect((await first.send('Where does it hurt?', unaborted())).content).toContain('Where does it hurt?');
    expect(hasBegun).toBe(false);

    const canceled = new AbortController();
    const third = connect(config, {}, canceled.signal);
    canceled.abort();
    await expect(third).rejects.toMatchObject({ disposition: { kind: 'canceled' } });

    await first.close();
    const next = await second;
    expect((await next.send('Since when?', unaborted())).content).toContain('Since when?');
    await next.close();
  });

  it('leaves a room alone that another process talks in', async () => {
    await startAgent();
    const config = { ...keys(), room_name: 'ward-9' };
    const theirs = await connect(config, {}, unaborted(), patient);
    const ours = connect(config);
    await expect(ours).rejects.toMatchObject({ code: 'config_invalid', message: expect.stringContaining('ward-9') });
    expect((await theirs.send('Are you still there?', unaborted())).content).toContain('Are you still there?');
    await theirs.close();
  });

  it('keeps a greeting apart from the replies', async () => {
    await startAgent({
      bot: (bot) => ({
        onJoined: () => bot.say(['Good morning, ', 'how can I help?']),
        onText: (text) => bot.say([`About "${text}": call 112.`]),
      }),
    });
    const session = await connect(keys(), {}, unaborted(), greeted);
    expect(session.greeting).toBe('Good morning, how can I help?');
    expect((await session.send('my chest', unaborted())).content).toBe('About "my chest": call 112.');
    await session.close();
  });

  it('puts segments together, and counts what is said on both topics once', async () => {
    await startAgent({
      bot: (bot) => ({
        onText: () => {
          bot.say(['Sit ', 'down.']);
          bot.say(['Sit down.'], 'lk.chat');
          bot.say(['Breathe ', 'slowly.']);
          bot.say(['Breathe slowly.'], 'lk.chat');
        },
      }),
    });
    const session = await connect(keys(), {}, unaborted(), patient);
    expect((await session.send('I faint', unaborted())).content).toBe('Sit down.\nBreathe slowly.');
    await session.close();
  });

  it('hears an agent that tells nothing of itself', async () => {
    await startAgent({ tellsState: false });
    const session = await connect(keys());
    const { content, latencyMs } = await session.send('hello', unaborted());
    expect(content).toBe('You said: hello');
    // The quiet that tells a whole reply is the harness's waiting, not the agent's time.
    expect(latencyMs).toBeLessThan(2_500);
    await session.close();
  });

  it('keeps what an agent said that never came to an end', async () => {
    let talking: NodeJS.Timeout | undefined;
    await startAgent({
      bot: (bot) => ({ onText: () => (talking = setInterval(() => bot.say(['and ']), 200).unref()) }),
    });
    const session = await connect({ ...keys(), turn_timeout_ms: 3_000 }, {}, unaborted(), patient);
    await expect(session.send('go on', unaborted())).rejects.toMatchObject({
      code: 'provider_timeout',
      message: expect.stringContaining('turn_timeout_ms'),
    });
    // Not when the bot hears that we left: its room may be gone before that.
    clearInterval(talking);
    await session.close();
    expect(session.metadata()).toMatchObject({ partial_reply: expect.stringContaining('and\nand') });
  });

  it('says that the agent left in the middle, at once', async () => {
    await startAgent({ bot: (bot) => ({ onText: () => bot.leave() }) });
    const session = await connect(keys());
    await expect(session.send('hello', unaborted())).rejects.toMatchObject({
      code: 'provider_error',
      message: expect.stringContaining('left the LiveKit room'),
    });
    await session.close();
    expect(await livekit.roomNames()).toEqual([]);
  });

  it('leaves and deletes the room when a turn is canceled', async () => {
    const agent = await startAgent();
    agent.next(hang());
    const session = await connect(keys());
    const abort = new AbortController();
    const sending = session.send('hello', abort.signal);
    await agent.until(() => agent.requests.length === 1);
    abort.abort();
    await expect(sending).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
    await session.close();
    expect(await livekit.roomNames()).toEqual([]);
  });

  it('leaves and deletes the room when it is canceled while it waits for the agent', async () => {
    const abort = new AbortController();
    const connecting = connect(keys(), {}, abort.signal);
    await eventually(async () => expect(await livekit.roomNames()).toHaveLength(1));
    abort.abort();
    await expect(connecting).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
    await eventually(async () => expect(await livekit.roomNames()).toEqual([]));
  });

  it('deletes the room again when an agent that was on its way makes it anew', async () => {
    const abort = new AbortController();
    const scenarioRunId = randomUUID();
    const connecting = connect(keys(), { scenarioRunId }, abort.signal);
    const room = `osce-${scenarioRunId}-1`;
    await eventually(async () => expect(await livekit.roomNames()).toContain(room));
    abort.abort();
    await expect(connecting).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
    await eventually(async () => expect(await livekit.roomNames()).not.toContain(room));
    const token = new AccessToken(livekit.apiKey, livekit.apiSecret, { identity: 'late-agent' });
    token.addGrant({ room, roomJoin: true });
    const joined = jest.fn();
    const late = bots.join(livekit.url, await token.toJwt(), () => ({ onJoined: joined }));
    await eventually(() => expect(joined).toHaveBeenCalled());
    await eventually(async () => {
      expect(await livekit.roomNames()).not.toContain(room);
      expect(late.isGone).toBe(true);
    }, 30_000);
  });

  describe('tokens', () => {
    const tokenFor = (room: string): Promise<string> => {
      const token = new AccessToken(livekit.apiKey, livekit.apiSecret, { identity: 'visitor' });
      token.addGrant({ room, roomJoin: true, canPublishData: true, canSubscribe: true });
      return token.toJwt();
    };

    it('joins with a static token, into its room', async () => {
      await startAgent();
      const session = await connect({ url: livekit.url, auth_mode: 'token', token: await tokenFor('booked') });
      expect(session.metadata()).toMatchObject({ room: 'booked' });
      expect((await session.send('hello', unaborted())).content).toBe('You said: hello');
      await session.close();
      // Without keys nobody can delete it.
      expect(await livekit.roomNames()).toEqual(['booked']);
    });

    it('asks a token server, with its headers and body, and finds the token in its field', async () => {
      await startAgent();
      const jwt = await tokenFor('issued');
      const server = await startHttpStub((response) => sendJson(response, 200, { data: { ticket: jwt } }));
      const session = await connect({
        url: livekit.url,
        authMode: 'token',
        tokenUrl: `${server.origin}/tokens`,
        tokenHeaders: { 'x-key': 'letmein-12345' },
        tokenBody: { tenant: 'north' },
        tokenField: 'data.ticket',
      });
      expect(session.metadata()).toMatchObject({ room: 'issued' });
      expect(server.requests).toMatchObject([
        {
          path: '/tokens',
          headers: { 'x-key': 'letmein-12345' },
          body: {
            tenant: 'north',
            room_name: expect.stringMatching(/^osce-/),
            participant_identity: expect.anything(),
          },
        },
      ]);
      await session.close();
      await server.close();
    });

    it.each([
      ['an answer without a token', 200, { hello: 'world' }, 'config_invalid', 'token_field'],
      ['a refusal', 401, { error: 'no' }, 'auth_failed', '401'],
      ['a failure', 500, {}, 'provider_error', '500'],
    ])('names %s of the token server', async (_name, status, answer, code, words) => {
      const server = await startHttpStub((response) => sendJson(response, status, answer));
      const config = { url: livekit.url, auth_mode: 'token', token_url: server.origin, max_retries: 0 };
      await expect(connect(config)).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
      await server.close();
    });
  });

  describe('failures', () => {
    it.each<[string, AgentConfig]>([
      ['url', { url: undefined }],
      ['url', { url: 'not an address' }],
      ['url', { url: 'ftp://host' }],
      ['api_key', { api_key: null }],
      ['api_secret', { api_secret: '' }],
      ['auth_mode', { auth_mode: 'magic' }],
      ['dispatch_mode', { dispatch_mode: 'magic' }],
      ['agent_name', { dispatch_mode: 'explicit' }],
      ['token', { auth_mode: 'token' }],
      ['token_url', { auth_mode: 'token', token_url: 'nowhere' }],
      ['auto_cleanup', { auto_cleanup: 'yes' }],
    ])('names %s when it is missing or wrong: %j', async (field, config) => {
      await expect(connect({ ...keys(), ...config })).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringContaining(field),
      });
      expect(await livekit.roomNames()).toEqual([]);
    });

    it('names everything that is missing or wrong at once', async () => {
      const config = { url: 'ftp://host', dispatch_mode: 'explicit', auto_cleanup: 'yes', max_retries: -1 };
      await expect(connect(config)).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringMatching(
          /^(?=.*url )(?=.*auto_cleanup )(?=.*max_retries )(?=.*api_key )(?=.*api_secret )(?=.*agent_name )/,
        ),
      });
      // What cannot be read may mean either.
      const magic: unknown = await connect({ ...keys(), auth_mode: 'magic' }).catch((reason: unknown) => reason);
      expect(String(magic)).not.toMatch(/token (is|must)/);
    });

    it.each<[string, () => AgentConfig, string]>([
      ['a wrong secret', () => ({ api_secret: 'wrong-secret-wrong-secret-wrong-secret' }), 'auth_failed'],
      ['an unknown key', () => ({ api_key: 'APIx7Qk2nobody9' }), 'auth_failed'],
      ['a token that is none', () => ({ auth_mode: 'token', token: 'hello-hello' }), 'auth_failed'],
      ['TLS to a server without', () => ({ url: livekit.url.replace('ws:', 'wss:') }), 'connect_failed'],
    ])('says what is wrong with %s, and no secret', async (_name, config, code) => {
      const given = { ...keys(), max_retries: 0, ...config() };
      const error: unknown = await connect(given).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code, message: expect.stringMatching(/config|url/) });
      for (const secret of [given.api_secret, given.api_key, 'eyJ']) expect(String(error)).not.toContain(secret);
    });

    it('says that nothing, or no LiveKit server, is at the address', async () => {
      const server = createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.end('\u0000\u00ff garbage '.repeat(500)));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('The server has no port.');
      const config = { ...keys(), url: `ws://127.0.0.1:${address.port}`, max_retries: 0 };
      await expect(connect(config)).rejects.toMatchObject({
        code: 'connect_failed',
        message: expect.stringContaining("check url in the agent's config"),
      });
      server.close();
      await once(server, 'close');
      await expect(connect(config)).rejects.toMatchObject({ code: 'connect_failed' });
    });
  });
});
