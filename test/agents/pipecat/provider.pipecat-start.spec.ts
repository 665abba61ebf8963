import { InProcessRequestBudget } from '../../../src/agents/outbound/in-process.request-budget';
import { readPipecatConfig } from '../../../src/agents/config';
import { HttpClient } from '../../../src/agents/outbound/http-client';
import { Limiter } from '../../../src/agents/outbound/limiter';
import { PipecatCloud } from '../../../src/agents/pipecat/pipecat-cloud';
import { readStarted } from '../../../src/agents/pipecat/start-answer';
import type { AgentConfig } from '../../../src/agents/provider';
import { Secrets } from '../../../src/agents/secrets/secrets';
import { manualClock } from '../../fakes/manual-clock';
import { hang, html, resetBeforeAnswer, status } from '../../fakes/misbehaviour';
import { startFakePipecatCloud, type FakePipecatCloud } from '../../fakes/pipecat-cloud-server';
import { SECRET, unaborted } from '../provider.contract';

const token = (claims: object): string => `head.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;

describe('the answer to a Pipecat start', () => {
  const NOTHING = { sessionId: null, url: null, token: null, room: null, otherTransport: null };

  it.each([
    [
      { sessionId: 's', url: 'wss://h', token: 't' },
      { sessionId: 's', url: 'wss://h', token: 't' },
    ],
    [
      { session_id: 's', livekitUrl: 'wss://h', livekitToken: 't' },
      { sessionId: 's', url: 'wss://h', token: 't' },
    ],
    [
      { livekit_url: 'ws://h:7880', livekit_token: 't' },
      { url: 'ws://h:7880', token: 't' },
    ],
    [
      { transport_url: 'https://h', token: 't' },
      { url: 'https://h', token: 't' },
    ],
    [
      { ws_url: 'wss://h', token: 't', room: 'r' },
      { url: 'wss://h', token: 't', room: 'r' },
    ],
    [
      { url: 'wss://h', token: 't', roomName: 'r' },
      { url: 'wss://h', token: 't', room: 'r' },
    ],
    [{ url: '  ', token: 5, sessionId: null }, {}],
    [{ url: 'not an address', token: 't' }, { token: 't' }],
    // No id that the path of an address could hold as it is.
    [{ sessionId: '..', token: 't' }, { token: 't' }],
    [{ sessionId: '\ud83d', token: 't' }, { token: 't' }],
    [{ sessionId: 's'.repeat(201), token: 't' }, { token: 't' }],
    [
      { sessionId: 'a b', session_id: 's', token: 't' },
      { sessionId: 's', token: 't' },
    ],
    [{ sessionId: 's', dailyRoom: null, iceConfig: null }, { sessionId: 's' }],
    [
      { sessionId: 's', dailyRoom: 'https://x.daily.co/r' },
      { sessionId: 's', otherTransport: 'Daily' },
    ],
    [
      { sessionId: 's', iceConfig: {} },
      { sessionId: 's', otherTransport: 'a direct WebRTC connection' },
    ],
    [
      { wsUrl: 'wss://h/ws', token: 't' },
      { token: 't', otherTransport: 'a plain WebSocket' },
    ],
    [
      { dailyRoom: 'https://x.daily.co/r', url: 'wss://h', token: 't' },
      { url: 'wss://h', token: 't' },
    ],
  ])('%j', (answer, expected) => {
    expect(readStarted(answer)).toEqual({ ...NOTHING, ...expected });
  });

  it('has its room inside the token', () => {
    const inside = { url: 'wss://h', token: token({ video: { room: 'osce-1' } }) };
    expect(readStarted(inside)).toMatchObject({ room: 'osce-1' });
    for (const broken of ['x', 'a.b.c', token({}), token({ video: { room: 5 } })]) {
      expect(readStarted({ url: 'wss://h', token: broken })).toMatchObject({ room: null });
    }
  });

  it.each([[null], ['text'], [[]], [5]])('is none when it is %j', (answer) => {
    expect(readStarted(answer)).toBeNull();
  });
});

describe('the config of a pipecat agent', () => {
  const read = (config: AgentConfig) => readPipecatConfig({ api_key: 'pk_1', agent_name: 'nurse', ...config });

  it('has the public address, and removes what it made, unless it says otherwise', () => {
    expect(read({})).toMatchObject({ base_url: new URL('https://api.pipecat.daily.co'), auto_cleanup: true });
  });

  it.each([
    { transport_url: 'wss://h', transport_api_key: 'k', transport_api_secret: 's' },
    { transportUrl: 'wss://h', transportApiKey: 'k', transportApiSecret: 's' },
    { livekit_url: 'wss://h', livekit_api_key: 'k', livekit_api_secret: 's' },
    { livekitUrl: 'wss://h', livekitApiKey: 'k', livekitApiSecret: 's' },
  ])('takes the transport from %j', (config) => {
    expect(read(config)).toMatchObject({
      transport_url: 'wss://h',
      transport_api_key: 'k',
      transport_api_secret: 's',
    });
  });

  it.each([
    ['api_key', { api_key: null }],
    ['agent_name', { agent_name: ' ' }],
    ['base_url', { base_url: 'ftp://x' }],
    ['transport_url', { transport_url: 'livekit.example' }],
    ['transport_url', { transport_api_key: 'k', transport_api_secret: 's' }],
    ['transport_api_secret', { transport_api_key: 'k' }],
    ['transport_api_key', { transport_api_secret: 's' }],
    ['auto_cleanup', { auto_cleanup: 'yes' }],
  ])('names %s when it is missing or wrong', (field, config) => {
    expect(() => read(config)).toThrow(expect.objectContaining({ code: 'config_invalid' }));
    expect(() => read(config)).toThrow(new RegExp(`\\b${field} (is|must)`));
  });
});

it('names everything that is missing or wrong in a config at once', () => {
  const config = { agent_name: 5, base_url: 'ftp://x', transport_api_key: 'k' };
  expect(() => readPipecatConfig(config)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(
        /^(?=.*\bapi_key is)(?=.*agent_name must)(?=.*base_url must)(?=.*transport_api_secret is)/,
      ),
    }),
  );
});

describe('Pipecat Cloud', () => {
  const http = new HttpClient();
  let clock = manualClock();
  let server: FakePipecatCloud;

  beforeEach(async () => {
    clock = manualClock();
    server = await startFakePipecatCloud({
      apiKey: SECRET,
      agentNames: ['night nurse'],
      startBot: async () => ({ answer: { url: 'wss://h', token: 't' }, stop: async () => undefined }),
    });
  });
  afterEach(() => server.close());
  afterAll(() => http.close());

  const cloud = (config: AgentConfig = {}): PipecatCloud => {
    const whole = { api_key: SECRET, agent_name: 'night nurse', base_url: server.baseUrl, ...config };
    const parts = { http, clock, limiter: new Limiter(new InProcessRequestBudget(clock), clock) };
    return new PipecatCloud(parts, readPipecatConfig(whole), Secrets.of(whole));
  };
  const start = (config: AgentConfig = {}) =>
    cloud(config).start(async () => ({ scenario_run_id: 'run-1' }), unaborted());

  it('starts a session and ends it', async () => {
    const started = await start();
    expect(started).toMatchObject({ sessionId: 'session-1', url: 'wss://h', token: 't' });
    expect(server.liveSessions).toEqual(['session-1']);
    expect(await cloud().end('session-1')).toBe(200);
    expect(server.liveSessions).toEqual([]);
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        path: '/v1/public/night%20nurse/start',
        headers: { authorization: `Bearer ${SECRET}` },
        body: { createDailyRoom: false, body: { scenario_run_id: 'run-1' } },
      },
      { method: 'DELETE', path: '/v1/agents/night%20nurse/sessions/session-1' },
    ]);
  });

  it.each(['/', '/v1', '/v1/', '/v1/public', '/v1/public/'])('takes a base_url that ends in %s', async (path) => {
    await start({ base_url: server.baseUrl + path });
    expect(server.requests).toMatchObject([{ path: '/v1/public/night%20nurse/start' }]);
  });

  it.each([
    ['a wrong key', { api_key: 'wrong' }, 'auth_failed', /credential/],
    ['an unknown agent', { agent_name: 'nobody' }, 'not_found', /agent/],
  ])('names %s', async (_name, config, code, sentence) => {
    await expect(start(config)).rejects.toMatchObject({ code, message: expect.stringMatching(sentence) });
    expect(clock.waits).toHaveLength(0);
  });

  it.each([
    ['429', () => status(429, { status: 429, message: 'Slow down' })],
    ['429 at capacity', () => status(429, { error: 'Full', code: 'PCC-AGENT-AT-CAPACITY' })],
    ['another status at capacity', () => status(400, { error: 'Full', code: 'PCC-AGENT-AT-CAPACITY' })],
    ['503', () => html(503, 'Unavailable')],
    ['a reset', resetBeforeAnswer],
  ])('is asked again after %s', async (_name, step) => {
    server.next(step(), step());
    expect(await start()).toMatchObject({ sessionId: 'session-1' });
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    ['capacity', () => status(409, { error: `Full for ${SECRET}`, code: 'PCC-AGENT-AT-CAPACITY' }), /at capacity/],
    ['rate', () => status(429, { status: 429, message: `Slow down, ${SECRET}` }), /rate limit/],
  ])('says in the end that there is no %s, without the key', async (_name, step, sentence) => {
    server.next(step(), step());
    const failing = start({ max_retries: 1 });
    await expect(failing).rejects.toMatchObject({ code: 'rate_limited', message: expect.stringMatching(sentence) });
    await expect(failing).rejects.not.toMatchObject({ message: expect.stringContaining(SECRET) });
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['no key', () => status(403, { error: 'No key', code: 'PCC-1002' }), 'auth_failed'],
    ['no billing', () => status(400, { error: 'No billing', code: 'PCC-1004' }), 'rate_limited'],
    ['an answer that is no object', () => status(200, ['session']), 'provider_error'],
    ['HTML', () => html(200, 'Welcome'), 'provider_error'],
  ])('is not asked again after %s', async (_name, step, code) => {
    server.next(step());
    await expect(start()).rejects.toMatchObject({ code, disposition: { kind: 'terminal' } });
    expect(server.requests).toHaveLength(1);
  });

  it('is let go of when the start is canceled', async () => {
    server.next(hang());
    const abort = new AbortController();
    const starting = cloud().start(async () => ({}), abort.signal);
    await server.until(() => server.inFlight === 1);
    abort.abort();
    await expect(starting).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
    await server.until(() => server.inFlight === 0);
  });

  it.each([
    ['a key that may not end sessions', () => status(401), 401],
    ['a session that is gone', () => status(404), 404],
    ['a reset', resetBeforeAnswer, null],
  ])('does not mind %s at the end', async (_name, step, answered) => {
    server.next(step());
    expect(await cloud().end('session-1')).toBe(answered);
  });
});
