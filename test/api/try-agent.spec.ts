import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import type { FakeAgent } from '../fakes/fake-agent';
import { sendJson, startHttpStub, type HttpStub } from '../fakes/http-stub';
import { hang, LOGIN_PAGE, status, text } from '../fakes/misbehaviour';
import { completion, startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createAgent } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const KEY = 'sk-0123456789abcdef';

let service: TestService;
let agent: FakeAgent;
let api: ApiClient;
beforeAll(async () => {
  service = await startTestService();
  agent = await startFakeOpenAi();
  api = new ApiClient(service.url);
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

/** An agent at the fake server; answers the path at which it is tried. */
async function pathTo(config: object = {}): Promise<string> {
  return `/api/v1/agents/${await createAgent(api, agent.baseUrl, { api_key: KEY, ...config })}/try`;
}

const requestsSince = (count: number) => agent.requests.length - count;

describe('POST /api/v1/agents/{id}/try', () => {
  it('sends the message and answers with the reply', async () => {
    const { status: code, body } = await api.post(await pathTo(), { message: 'I feel dizzy.' });
    expect(code).toBe(200);
    expect(body).toEqual({
      ok: true,
      reply: 'You said: I feel dizzy.',
      greeting: null,
      latency_ms: expect.any(Number),
      follow_up: null,
      warnings: [],
      metadata: expect.objectContaining({ usage: expect.objectContaining({ prompt_tokens: 11 }) }),
    });
    expect(agent.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('does not blame the agent for its own requests_per_minute', async () => {
    const path = await pathTo({ requests_per_minute: 0.1, turn_timeout_ms: 400, api_key: 'sk-seldom-asked' });
    expect((await api.post(path, { message: 'First.' })).body).toMatchObject({ ok: true });
    const before = agent.requests.length;
    expect((await api.post(path, { message: 'Second.' })).body).toEqual({
      ok: false,
      error_code: 'rate_limited',
      error:
        "Nothing was sent within 400 ms: the agent's requests_per_minute (0.1) is used up by other requests. " +
        'Try again later, or raise it.',
    });
    expect(requestsSince(before)).toBe(0);
  });

  it.each<[string, (api_key: string) => Promise<unknown>]>([
    [
      'of the agent with a slower pace in mind',
      async (api_key) => {
        const path = await pathTo({ requests_per_minute: 600, api_key });
        return (await api.post(path, { config: { requestsPerMinute: 0.1, requests_per_minute: 0.1 } })).body;
      },
    ],
    [
      'of an agent that is not stored, at the same place with the same key',
      async (api_key) => {
        const config = { base_url: agent.baseUrl, api_key, requests_per_minute: 0.1 };
        return (await api.post('/api/v1/agents/try', { provider: 'openai', config })).body;
      },
    ],
  ])('does not hold up runs by a try %s', async (what, tried) => {
    const api_key = `sk-held-up-${what.length}`;
    const path = await pathTo({ requests_per_minute: 600, turn_timeout_ms: 15_000, api_key });
    expect(await tried(api_key)).toMatchObject({ ok: true });
    expect((await api.post(path, { message: 'Next.' })).body).toMatchObject({ ok: true });
  });

  it('sends a greeting when no message is given, with a body or without', async () => {
    const path = await pathTo();
    for (const sent of [{}, undefined]) {
      const { status: code, body } = await api.post(path, sent);
      expect(code).toBe(200);
      expect(body.reply).toMatch(/^You said: Hello\./);
    }
  });

  it('stores nothing: no run has the conversation', async () => {
    await api.post(await pathTo(), { message: 'Will anybody remember this?' });
    const { body } = await api.get('/api/v1/tests');
    expect(body.total).toBe(0);
  });

  it('answers 200 with the reason when the agent refuses the key, and keeps the key out of it', async () => {
    agent.next(status(401, { error: { message: `Incorrect API key provided: ${KEY}` } }));
    const { status: code, body } = await api.post(await pathTo());
    expect(code).toBe(200);
    expect(body).toEqual({ ok: false, error_code: 'auth_failed', error: expect.stringContaining('[removed]') });
    expect(JSON.stringify(body)).not.toContain(KEY);
  });

  it('keeps the key out of a reply that repeats it', async () => {
    agent.next(status(200, completion(`My key is ${KEY}.`)));
    const { body } = await api.post(await pathTo());
    expect(body).toMatchObject({ ok: true, reply: 'My key is [removed].' });
  });

  it('names the field of a config that cannot be used', async () => {
    const { body } = await api.post(await pathTo({ base_url: 'not an address', turn_timeout_ms: 'soon' }));
    expect(body).toMatchObject({ ok: false, error_code: 'config_invalid' });
    expect(body.error).toContain('base_url');
    expect(body.error).toContain('turn_timeout_ms');
  });

  it('says that nobody listens where the agent should be', async () => {
    const { body } = await api.post(await pathTo({ base_url: 'http://127.0.0.1:9/v1' }));
    expect(body).toMatchObject({ ok: false, error_code: 'connect_failed' });
  });

  it('tries once more where that may help, and no oftener, whatever the config says', async () => {
    const path = await pathTo({ maxRetries: 9, max_retries: null });
    const before = agent.requests.length;
    agent.next(status(503), status(503), status(503));
    const { body } = await api.post(path);
    expect(body).toMatchObject({ ok: false, error_code: 'provider_error' });
    expect(requestsSince(before)).toBe(2);
    expect((await api.post(path)).body.ok).toBe(true);
  });

  it('waits no longer than turn_timeout_ms', async () => {
    agent.next(hang());
    const { body } = await api.post(await pathTo({ turn_timeout_ms: 200 }));
    expect(body).toMatchObject({ ok: false, error_code: 'provider_timeout' });
    await agent.until(() => agent.inFlight === 0);
  });

  it('breaks the call off when the client goes away', async () => {
    const path = await pathTo();
    agent.next(hang());
    const leaving = new AbortController();
    const asking = fetch(service.url + path, { method: 'POST', signal: leaving.signal });
    await agent.until(() => agent.inFlight === 1);
    leaving.abort();
    await expect(asking).rejects.toThrow();
    await agent.until(() => agent.inFlight === 0);
  });

  it('tries a changed config before it is stored, with the stored secrets where they belong', async () => {
    const path = await pathTo({ model: 'clinic-1' });
    const { status: code, body } = await api.post(path, { message: 'Hello.', config: { model: 'clinic-2' } });
    expect({ code, body }).toMatchObject({ code: 200, body: { ok: true } });
    expect(agent.requests.at(-1)).toMatchObject({
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: 'clinic-2' },
    });
    expect((await api.get(path.replace('/try', ''))).body.config.model).toBe('clinic-1');
  });

  it('takes no stored secret to another address, and says which to give again', async () => {
    const stranger = await startFakeOpenAi();
    const path = await pathTo();
    const { status: code, body } = await api.post(path, { config: { base_url: stranger.baseUrl } });
    expect({ code, body }).toMatchObject({ code: 400, body: { error: expect.stringContaining('config.api_key') } });
    expect(stranger.requests).toHaveLength(0);
    const given = await api.post(path, { config: { base_url: stranger.baseUrl, api_key: 'sk-of-the-stranger' } });
    expect(given.body).toMatchObject({ ok: true });
    expect(stranger.requests.at(-1)?.headers.authorization).toBe('Bearer sk-of-the-stranger');
    await stranger.close();
  });

  it('refuses a kind that this deployment cannot run, with the reason', async () => {
    const { body: created } = await api.post('/api/v1/agents', { name: 'Page', provider: 'openai', config: {} });
    await service.app.get(Database).query(`UPDATE agents SET provider = 'telegraph' WHERE id = $1`, [created.id]);
    const { status: code, body } = await api.post(`/api/v1/agents/${created.id}/try`);
    expect(code).toBe(400);
    expect(body).toEqual({ error: 'This version cannot run agents of the kind "telegraph".' });
  });

  it('answers 400 to an empty message, 404 to an agent that does not exist', async () => {
    const empty = await api.post(await pathTo(), { message: ' ' });
    expect(empty).toMatchObject({ status: 400, body: { error: 'message: must not be empty' } });
    for (const id of [UNKNOWN_ID, 'nobody']) {
      const answer = await api.post(`/api/v1/agents/${id}/try`);
      expect(answer).toMatchObject({ status: 404, body: { error: 'Agent not found' } });
    }
  });
});

describe('POST /api/v1/agents/try', () => {
  const unsaved = (config: object = {}) => ({
    provider: 'openai',
    config: { base_url: agent.baseUrl, api_key: KEY, ...config },
    message: 'I feel dizzy.',
  });

  it('sends the message to an agent that nobody has registered, and registers none', async () => {
    const { body: before } = await api.get('/api/v1/agents');
    const { status: code, body } = await api.post('/api/v1/agents/try', unsaved());
    expect({ code, body }).toMatchObject({ code: 200, body: { ok: true, reply: 'You said: I feel dizzy.' } });
    expect(agent.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect((await api.get('/api/v1/agents')).body).toEqual(before);
  });

  it('names the field of a config that cannot be used, and keeps the key out of what it answers', async () => {
    const wrong = await api.post('/api/v1/agents/try', unsaved({ base_url: 'not an address' }));
    expect(wrong.body).toMatchObject({ ok: false, error_code: 'config_invalid' });
    agent.next(status(401, { error: { message: `Incorrect API key provided: ${KEY}` } }));
    expect(JSON.stringify((await api.post('/api/v1/agents/try', unsaved())).body)).not.toContain(KEY);
  });

  it('answers 400 to a kind that there is not, and to a missing config', async () => {
    const telegraph = await api.post('/api/v1/agents/try', { ...unsaved(), provider: 'telegraph' });
    expect(telegraph).toMatchObject({ status: 400, body: { error: expect.stringContaining('"telegraph"') } });
    const { config: _left, ...bare } = unsaved();
    const missing = await api.post('/api/v1/agents/try', bare);
    expect(missing).toMatchObject({ status: 400, body: { error: expect.stringContaining('config') } });
  });
});

describe('an agent of any HTTP API that is tried with two messages', () => {
  let clinic: HttpStub;
  let sessions: number;
  beforeEach(async () => {
    sessions = 0;
    clinic = await startHttpStub((response, { body }) => {
      const said = typeof body === 'object' && body !== null ? Object.entries(body) : [];
      const session = said.find(([name]) => name === 'session')?.[1] ?? `s-${++sessions}`;
      sendJson(response, 200, { message_id: randomUUID(), data: { reply: 'How can I help?', session } });
    });
  });
  afterEach(() => clinic.close());

  const tried = async (config: object, follow_up = true) => {
    const whole = { url: `${clinic.origin}/chat`, body: { text: '{{message}}' }, reply_path: 'data.reply', ...config };
    return (await api.post('/api/v1/agents/try', { provider: 'http', config: whole, follow_up })).body;
  };
  const SAME = 'The agent said the same to both messages: it may not know which conversation they belong to.';
  const UNKEPT = expect.stringMatching(/^Nothing in the config carries the conversation/);

  it('is told which field of its answers names a session that nothing carries', async () => {
    expect(await tried({})).toMatchObject({
      ok: true,
      follow_up: { message: expect.stringContaining('what I have just said'), reply: 'How can I help?' },
      warnings: [
        expect.stringMatching(/^data.session looks like an id and differs .*: set session_id_path to data.session,/),
        UNKEPT,
        SAME,
      ],
    });
    expect(sessions).toBe(2);
  });

  it('is warned of nothing but its replies once its session is carried', async () => {
    const config = { body: { text: '{{message}}', session: '{{session_id}}' }, session_id_path: 'data.session' };
    expect((await tried(config)).warnings).toEqual([SAME]);
    expect(sessions).toBe(1);
  });

  it('is told when the id that the service makes is not the one it keeps its sessions by', async () => {
    const { warnings } = await tried({ body: { text: '{{message}}', sid: '{{session_id}}' } });
    expect(warnings).toEqual([expect.stringMatching(/^data.session looks like an id/), SAME]);
  });

  it('gets one message unless two are asked for, and is warned of all the same', async () => {
    expect(await tried({}, false)).toMatchObject({ ok: true, follow_up: null, warnings: [UNKEPT] });
    expect(clinic.requests).toHaveLength(1);
  });

  it('has failed when it does not answer the second', async () => {
    clinic.next((response) => sendJson(response, 200, { data: { reply: 'Hello.' } }), status(400));
    expect(await tried({})).toMatchObject({
      ok: false,
      error_code: 'provider_error',
      error: expect.stringMatching(/^The agent replied to the first message, but not to the second: /),
    });
  });

  it('has not failed when its requests_per_minute leaves no room for the second', async () => {
    const { ok, follow_up, warnings } = await tried({ requests_per_minute: 6, turn_timeout_ms: 500 });
    expect({ ok, follow_up }).toEqual({ ok: true, follow_up: null });
    expect(warnings[0]).toMatch(/^A second message was not sent\. Nothing was sent within 500 ms/);
  });

  it('is no success when a page or an error stands in the place of its reply', async () => {
    clinic.next(text(200, LOGIN_PAGE, 'text/html'), status(200, { error: { message: 'no upstream' } }));
    expect(await tried({ reply_path: undefined })).toMatchObject({ ok: false, error_code: 'auth_failed' });
    expect(await tried({ reply_path: undefined })).toMatchObject({ ok: false, error_code: 'provider_error' });
  });
});
