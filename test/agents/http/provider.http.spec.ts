import { html, LOGIN_PAGE, status, text } from '../../fakes/misbehaviour';
import { startFakeHttpAgent, talk } from '../../fakes/http-agent-server';
import type { Step } from '../../fakes/http-stub';
import type { AgentConfig, Reply } from '../../../src/agents/provider';
import { describeHangUp } from '../hang-up.contract';
import { describeHttpProvider, type HttpProviderFixture } from '../http-provider.contract';
import { describeProvider, exchange, ProviderBench, recallAll, SECRET, unaborted } from '../provider.contract';

const TALK = { say: '{{message}}', session: '{{session_id}}' };

const fixture: HttpProviderFixture = {
  kind: 'http',
  startAgent: startFakeHttpAgent,
  configFor: ({ baseUrl }) => ({
    url: `${baseUrl}/talk`,
    api_key: SECRET,
    body: TALK,
    reply_path: 'data.reply',
    session_id_path: 'id',
  }),
  success: (reply) => talk(reply),
  refusals: [
    ['no reply', () => status(200, { id: 's', data: {} }), 'provider_error', false],
    ['an object for a reply', () => status(200, talk({ text: 'hi' })), 'provider_error', false],
    ['no session id', () => status(200, { data: { reply: 'hi' } }), 'provider_error', false],
    ['a session id without end', () => status(200, talk('hi', 's'.repeat(1_001))), 'provider_error', false],
    ['a list of nothing', () => status(200, talk([])), 'empty_reply', false],
    ['a stream of nothing', () => text(200, ': hello\n\n', 'text/event-stream'), 'empty_reply', false],
    ['a stream without text', () => text(200, 'data: {"a":1}\n\n', 'text/event-stream'), 'provider_error', false],
    [
      'an error in a stream',
      () => text(200, 'event: error\ndata: no\n\n', 'text/event-stream'),
      'provider_error',
      false,
    ],
    [
      'a stream of very many pieces',
      () => text(200, 'data: 1\n\n'.repeat(20_001), 'text/event-stream'),
      'provider_error',
      false,
    ],
    [
      'JSON of very many values',
      () =>
        status(
          200,
          Array.from({ length: 20_001 }, () => 1),
        ),
      'provider_error',
      false,
    ],
  ],
};

describeProvider(fixture);
describeHttpProvider(fixture);
describeHangUp({
  kind: 'http',
  startAgent: () => startFakeHttpAgent(),
  configFor: (agent) => ({ ...fixture.configFor(agent), end_path: "state == 'closed'" }),
  doubtful: { end_path: null },
  hangUpNext: (agent, words) => agent.next(status(200, { ...talk(words ?? undefined), state: 'closed' })),
});
describe('in events', () => {
  describeHangUp({
    kind: 'http',
    startAgent: () => startFakeHttpAgent(),
    configFor: (agent) => ({ ...fixture.configFor(agent), end_path: 'over' }),
    // A text is no sign: only true is.
    doubtful: { end_path: 'to_string(over)' },
    hangUpNext: (agent, words) => {
      const said = words === null ? '' : `data: ${JSON.stringify(talk(words))}\n\n`;
      agent.next(text(200, `${said}data: {"over":true}\n\n`, 'text/event-stream'));
    },
  });
});

describe.each<[string, (baseUrl: string) => AgentConfig]>([
  ['a session id that the service makes', (url) => ({ url: `${url}/talk`, body: TALK, reply_path: '$.data.reply' })],
  [
    'the whole conversation in each message',
    (url) => ({ url: `${url}/talk`, body: { conversation: '{{messages}}' }, reply_path: 'data.reply' }),
  ],
  [
    'a form',
    (url) => ({
      url: `${url}/talk`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: TALK,
      reply_path: 'data.reply',
      session_id_path: 'id',
    }),
  ],
  [
    'a query',
    (url) => ({ method: 'GET', url: `${url}/ask?say={{message}}&session={{ session_id }}`, reply_path: 'data.reply' }),
  ],
  [
    'answers in events',
    (url) => ({ url: `${url}/stream`, body: TALK, stream_reply_path: 'delta', session_id_path: 'id' }),
  ],
  ['answers in plain words', (url) => ({ url: `${url}/plain`, body: TALK })],
])('an agent with %s', (_name, configOf) => {
  describeProvider({
    kind: 'http',
    startAgent: startFakeHttpAgent,
    configFor: ({ baseUrl }) => configOf(baseUrl),
  });
});

describe('http provider', () => {
  let bench: ProviderBench;

  beforeEach(async () => {
    bench = await ProviderBench.start(fixture, { reply: recallAll });
  });
  afterEach(() => bench.close());

  const send = async (config: AgentConfig = {}, message = 'hello'): Promise<Reply> => {
    const session = await bench.provider().connect(bench.request(config), unaborted());
    return session.send(message, unaborted());
  };

  it('sends the credential, and of what is configured nothing else', async () => {
    await send();
    expect(bench.agent.requests).toMatchObject([
      {
        method: 'POST',
        path: '/talk',
        headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json', 'user-agent': 'agent-osce' },
        // Before the agent has named its session, nothing is said of one.
        body: { say: 'hello' },
      },
    ]);
  });

  it('keeps the session id that the agent named last, and goes on with it elsewhere', async () => {
    const session = await bench.provider().connect(bench.request(), unaborted());
    const first = await session.send('one', unaborted());
    bench.agent.next(status(200, talk('fine', 'session-9')));
    const second = await session.send('two', unaborted());
    await session.send('three', unaborted());
    expect([first, second].map(({ continuation }) => continuation)).toEqual(['session-1', 'session-9']);
    expect(first.metadata).toEqual({ session_id: 'session-1' });
    expect(bench.agent.requests.map(({ body }) => body)).toEqual([
      { say: 'one' },
      { say: 'two', session: 'session-1' },
      { say: 'three', session: 'session-9' },
    ]);
    const history = [exchange(1, 'one', first)];
    const resumed = await bench
      .provider()
      .connect(bench.request({}, { attempt: 2, history, continuation: first.continuation }), unaborted());
    await resumed.send('again', unaborted());
    expect(bench.agent.requests.at(-1)?.body).toEqual({ say: 'again', session: 'session-1' });
  });

  it('has no answer to a message at which the agent hangs up without a word', async () => {
    bench.agent.next(status(200, { id: 's', over: true }));
    await expect(send({ end_path: 'over' })).rejects.toMatchObject({ isUnanswered: true });
  });

  it('keeps nothing beside the reply of an agent that names no session', async () => {
    expect((await send({ session_id_path: null, body: { say: '{{message}}' } })).metadata).toEqual({});
  });

  it('does not go on under another session id', async () => {
    const reply = await send();
    const request = bench.request({}, { history: [exchange(1, 'hello', reply)], continuation: null });
    await expect(bench.provider().connect(request, unaborted())).rejects.toMatchObject({ code: 'internal' });
  });

  it('sends the turns so far and the message apart, in the names that the config chooses', async () => {
    const config = {
      body: { q: '{{message}}', earlier: '{{history}}', model: { t: 0, on: true, none: null } },
      message_format: { role: 'from', content: 'text', user: 'patient', assistant: 'bot' },
    };
    const session = await bench.provider().connect(bench.request(config), unaborted());
    for (const message of ['one', 'two', 'three']) {
      bench.agent.next(status(200, talk(`reply to ${message}`)));
      await session.send(message, unaborted());
    }
    const said = (from: string, text: string) => ({ from, text });
    expect(bench.agent.requests.map(({ body }) => body)).toEqual([
      { q: 'one', earlier: [], model: { t: 0, on: true, none: null } },
      {
        q: 'two',
        earlier: [said('patient', 'one'), said('bot', 'reply to one')],
        model: { t: 0, on: true, none: null },
      },
      {
        q: 'three',
        earlier: [
          said('patient', 'one'),
          said('bot', 'reply to one'),
          said('patient', 'two'),
          said('bot', 'reply to two'),
        ],
        model: { t: 0, on: true, none: null },
      },
    ]);
  });

  it('puts the messages among others in a list, and leaves no comma where there are none yet', async () => {
    const system = { role: 'system', content: 'You are a nurse.' };
    const body = {
      conversation: [system, '{{messages}}'],
      a: ['{{history}}', 1],
      b: [1, '{{history}}', 2],
      c: ['{{history}}'],
    };
    const session = await bench.provider().connect(bench.request({ body }), unaborted());
    await session.send('one', unaborted());
    await session.send('two', unaborted());
    const one = { role: 'user', content: 'one' };
    const two = { role: 'user', content: 'two' };
    const reply = { role: 'assistant', content: 'one' };
    expect(bench.agent.requests.map(({ body: sent }) => sent)).toEqual([
      { conversation: [system, one], a: [1], b: [1, 2], c: [] },
      {
        conversation: [system, one, reply, two],
        a: [one, reply, 1],
        b: [1, one, reply, 2],
        c: [one, reply],
      },
    ]);
  });

  const HOSTILE = 'a", "admin": true, "x": "\\ {{history}} & = % + \n \u0000 <b>é</b> ../ \ud800 #?';

  it('lets no words become a part of the JSON around them', async () => {
    await send({ body: { quoted: 'He says: {{message}}!', say: '{{message}}' } }, HOSTILE);
    expect(bench.agent.requests[0]?.body).toEqual({ quoted: `He says: ${HOSTILE}!`, say: HOSTILE });
  });

  it('lets no words become a part of a form, an address or XML', async () => {
    await send(
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: { say: '{{message}}', n: [1, 2] } },
      HOSTILE,
    );
    const form = new URLSearchParams(String(bench.agent.requests[0]?.body));
    expect([...form]).toEqual([
      ['say', HOSTILE.toWellFormed()],
      ['n', '1'],
      ['n', '2'],
    ]);
    await send({ method: 'GET', body: null, url: `${bench.agent.baseUrl}/ask?say={{message}}&lang=en` }, HOSTILE);
    const query = new URL(bench.agent.requests[1]?.path ?? '', 'http://agent');
    expect([query.pathname, ...query.searchParams]).toEqual(['/ask', ['say', HOSTILE.toWellFormed()], ['lang', 'en']]);
    bench.agent.next(text(200, 'fine', 'text/plain'));
    const xml = {
      headers: { 'content-type': 'text/xml' },
      body: '<say>{{message}}</say>',
      reply_path: null,
      session_id_path: null,
    };
    await send(xml, '</say><admin/>&"');
    expect(bench.agent.requests[2]?.body).toBe('<say>&lt;/say&gt;&lt;admin/&gt;&amp;&quot;</say>');
  });

  it('lets no session id of the agent’s lead to another path or header', async () => {
    const config = { url: `${bench.agent.baseUrl}/talk/{{session_id}}`, body: { say: '{{message}}' } };
    for (const id of ['../admin?x=1#', '..', '.']) {
      bench.agent.next(status(200, talk('fine', id)), status(200, talk('fine', id)));
      const session = await bench.provider().connect(bench.request(config), unaborted());
      await session.send('one', unaborted());
      await session.send('two', unaborted());
    }
    expect(bench.agent.requests.map(({ path }) => path)).toEqual([
      '/talk/',
      '/talk/..%2Fadmin%3Fx%3D1%23',
      '/talk/',
      '/talk/%252E%252E',
      '/talk/',
      '/talk/%252E',
    ]);
    bench.agent.next(status(200, talk('fine', 'a\r\nx-admin: 1')));
    const session = await bench
      .provider()
      .connect(bench.request({ headers: { 'x-session': '{{session_id}}' } }), unaborted());
    await session.send('one', unaborted());
    await expect(session.send('two', unaborted())).rejects.toMatchObject({ code: 'provider_error' });
    expect(bench.agent.requests).toHaveLength(7);
    expect(bench.agent.requests.at(-1)?.headers).not.toHaveProperty('x-session');
  });

  it('says which path led nowhere, and what the answer looks like', async () => {
    bench.agent.next(status(200, { output: { text: 'hi' }, [SECRET]: 1, usage: {} }));
    const { message } = await send().then(
      () => new Error('It was expected to fail.'),
      (error: Error) => error,
    );
    expect(message).toContain(
      "The agent's answer holds nothing at reply_path data.reply, where its reply should be; the answer is an object with output, [removed], usage.",
    );
    expect(message).not.toContain(SECRET.slice(0, 8));
  });

  it.each([
    ['a number', 42, '42'],
    ['a list', ['Call 112.', null, 'Now.'], 'Call 112.\nNow.'],
  ])('takes %s for a reply', async (_name, reply, expected) => {
    bench.agent.next(status(200, talk(reply)));
    expect((await send()).content).toBe(expected);
  });

  it('finds the reply with filters, slices, pipes and functions', async () => {
    const output = [
      { type: 'tool', text: '{}' },
      { type: 'say', text: 'Call' },
      { type: 'say', text: '112.' },
    ];
    bench.agent.next(status(200, { id: 's', output }));
    expect((await send({ reply_path: "join(' ', output[?type == 'say'].text)" })).content).toBe('Call 112.');
    bench.agent.next(
      status(200, { id: 's', output: [{ type: 'message', content: [{ type: 'output_text', text: 'Go.' }] }] }),
    );
    const path = "output[?type == 'message'].content[] | [?type == 'output_text'].text | join('', @) || error.message";
    expect((await send({ reply_path: path })).content).toBe('Go.');
  });

  it.each([
    ['reply_path', { reply_path: `contains(join('${'-'.repeat(250)}', list), 'x') && id` }],
    ['session_id_path', { session_id_path: `contains(join('${'-'.repeat(250)}', list), 'x') || id` }],
    ['end_path', { end_path: `contains(join('${'-'.repeat(250)}', list), 'x')` }],
  ])('an answer of which %s makes too much is the agent’s error', async (field, config) => {
    const list = Array.from({ length: 19_990 }, () => 'a'.repeat(44));
    bench.agent.next(status(200, { id: 's', data: { reply: 'Call 112.' }, list }));
    await expect(send(config)).rejects.toMatchObject({
      code: 'provider_error',
      message: expect.stringContaining(`The agent's answer is too much for ${field} `),
    });
  });

  it('pieces of a stream that a path makes longer than a reply may be are the agent’s error', async () => {
    const event = `${JSON.stringify({ list: Array.from({ length: 18 }, () => 'a') })}\n`;
    bench.agent.next(text(200, event.repeat(1_000), 'application/x-ndjson'));
    const config = { session_id_path: null, reply_path: null, stream_reply_path: `join('${'-'.repeat(200)}', list)` };
    await expect(send(config)).rejects.toMatchObject({
      code: 'provider_error',
      message: expect.stringContaining("The agent's reply is longer than 1048576 bytes."),
    });
  });

  it.each([
    ['lines of JSON', '{"delta":"Call "}\n\n{"delta":"112."}', 'application/x-ndjson'],
    [
      'events, the last one cut',
      'data: {"delta":"Call "}\r\n\r\ndata: ping\n\ndata:{"delta":"112."}',
      'text/event-stream',
    ],
    [
      'events with more after the end',
      'data: {"delta":"Call "}\n\ndata: {"delta":"112."}\n\ndata: [DONE]\n\ndata: {"delta":"!"}\n\n',
      'text/event-stream',
    ],
  ])('joins %s', async (_name, body, type) => {
    bench.agent.next(text(200, body, type));
    expect((await send({ session_id_path: null, reply_path: null, stream_reply_path: 'delta' })).content).toBe(
      'Call 112.',
    );
  });

  const EVENTS = { session_id_path: null, reply_path: null, stream_reply_path: 'delta' };

  it.each([
    ['in one piece', ['data: {"delta":"Call 112."}\n\ndata: [DONE]\n\n']],
    ['cut anywhere', ['data: {"delta":"Call 112."}\r\n\r\nda', 'ta: [DO', 'NE]\r\n', '\r\n']],
    ['after another event that is named', ['data: {"delta":"Call 112."}\n\nevent: end\nid: 1\ndata:[DONE]\n\n']],
  ])('takes [DONE] %s for the end of a stream that the server leaves open', async (_name, pieces) => {
    bench.agent.next(leftOpen(pieces));
    const { content } = await send({ ...EVENTS, turn_timeout_ms: 5_000, max_retries: 0 });
    expect(content).toBe('Call 112.');
    await bench.agent.until(() => bench.agent.openSockets === 0);
  });

  it('takes no [DONE] within a text for the end', async () => {
    bench.agent.next(leftOpen(['data: one\ndata: [DONE]\n\n', 'data: two\n\ndata: [DONE]\n\n']));
    const { content } = await send({ session_id_path: null, reply_path: null, turn_timeout_ms: 5_000 });
    expect(content).toBe('one\n[DONE]two');
  });

  it('takes the last of the texts of a stream whose events repeat all so far', async () => {
    const body = ['Call', 'Call 112', 'Call 112.', ''].map((delta) => `data: ${JSON.stringify({ delta })}\n\n`);
    bench.agent.next(text(200, body.join(''), 'text/event-stream'));
    expect((await send({ ...EVENTS, stream_text: 'cumulative' })).content).toBe('Call 112.');
  });

  it('puts together what the events of a stream tell of calls, usage and context', async () => {
    const piece = (index: number, given: string, begin: object = {}) => ({
      choices: [{ delta: { tool_calls: [{ index, ...begin, function: { ...begin, arguments: given } }] } }],
    });
    const events = [
      piece(0, '{"a', { id: 'c-1', name: 'find' }),
      piece(0, '":1}'),
      { docs: ['one'], usage: { input_tokens: 3 } },
      { delta: 'Call 112.' },
      { docs: ['two'], usage: { output_tokens: 4 } },
    ];
    bench.agent.next(text(200, events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''), 'text/event-stream'));
    const paths = { tool_calls_path: 'choices[0].delta.tool_calls', usage_path: 'usage', context_path: 'docs' };
    expect((await send({ ...EVENTS, ...paths })).metadata).toMatchObject({
      tool_calls: [{ id: 'c-1', name: 'find', arguments: '{"a":1}' }],
      usage: { input_tokens: 3, output_tokens: 4 },
      context: ['one', 'two'],
    });
  });

  it('takes what each event of a stream repeats once', async () => {
    const events = [1, 2].map((count) => ({
      delta: 'Call 112.',
      calls: Array.from({ length: count }, (_, at) => ({ name: `tool-${at}` })),
    }));
    bench.agent.next(
      text(
        200,
        [...events, { calls: [] }].map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''),
        'text/event-stream',
      ),
    );
    const { metadata } = await send({ ...EVENTS, stream_text: 'cumulative', tool_calls_path: 'calls' });
    expect(metadata).toMatchObject({ tool_calls: [{ name: 'tool-0' }, { name: 'tool-1' }] });
  });

  it('tells an answer without calls from one that is not asked for any', async () => {
    expect((await send({ tool_calls_path: 'calls' })).metadata).toMatchObject({ tool_calls: [] });
    expect((await send()).metadata).not.toHaveProperty('tool_calls');
    expect(
      (await send({ tool_calls_path: 'calls', usage_path: 'data.reply', context_path: 'nothing' })).metadata,
    ).toEqual({
      session_id: expect.any(String) as string,
      tool_calls: [],
    });
  });

  it('names the tools of an answer that holds no words', async () => {
    bench.agent.next(status(200, { id: 's', data: { reply: ' ' }, calls: [{ name: 'find' }] }));
    await expect(send({ tool_calls_path: 'calls' })).rejects.toMatchObject({
      code: 'empty_reply',
      message: expect.stringContaining('It called find, and the service answers no tool calls') as string,
    });
  });

  it('joins words that come in events without JSON, and JSON text that is the whole answer', async () => {
    const config = { reply_path: null, session_id_path: null };
    bench.agent.next(
      text(200, 'data: Call \n\ndata: 112.\n\n', 'text/event-stream'),
      text(200, '"Call 112."', 'application/json'),
    );
    expect((await send(config)).content).toBe('Call 112.');
    expect((await send(config)).content).toBe('Call 112.');
    bench.agent.next(status(200, { answer: 'x' }));
    await expect(send(config)).rejects.toMatchObject({
      code: 'provider_error',
      message: expect.stringContaining('an object with answer: set reply_path to where its reply is.'),
    });
  });

  const WORDS = { reply_path: null, session_id_path: null };

  it.each<[string, () => Step, string]>([
    ['a page', () => html(200, 'Welcome'), 'provider_error'],
    ['a login page', () => text(200, LOGIN_PAGE, 'text/plain'), 'auth_failed'],
    ['XHTML', () => text(200, '<?xml version="1.0"?>\n<html>', 'application/xhtml+xml'), 'provider_error'],
    ['words that are called a page', () => text(200, 'Please rest.', 'text/html'), 'provider_error'],
    ['a page in a JSON text', () => status(200, '<!doctype html><html></html>'), 'provider_error'],
    ['an error that is called text', () => text(200, '{"error": "no upstream"}', 'text/plain'), 'provider_error'],
    ['an error', () => status(200, { success: false, message: 'Invalid token' }), 'provider_error'],
    [
      'a page in events',
      () => text(200, 'data: <!doctype html>\n\ndata: <p>\n\n', 'text/event-stream'),
      'provider_error',
    ],
    ['a page that is called events', () => text(200, '<html><body>', 'text/event-stream'), 'provider_error'],
    ['a page that is called JSON lines', () => text(200, '<html>\n<body>', 'application/x-ndjson'), 'provider_error'],
    [
      'an error in events',
      () => text(200, 'data: Ca\n\ndata: {"error":{}, "message": "x", "ok": false}\n\n', 'text/event-stream'),
      'provider_error',
    ],
    ['nothing', () => text(200, '', 'text/plain'), 'empty_reply'],
    ['an empty JSON text', () => status(200, ''), 'empty_reply'],
    ['blanks that are called a page', () => text(200, ' \n', 'text/html'), 'empty_reply'],
  ])('without a path, %s is not what the agent says', async (_name, step, code) => {
    bench.agent.next(step());
    await expect(send({ ...WORDS, max_retries: 0 })).rejects.toMatchObject({ code });
  });

  it('says how replies in HTML are examined, and takes them then', async () => {
    bench.agent.next(text(200, '<p>Please rest.</p>', 'text/html'), text(200, '<p>Please rest.</p>', 'text/html'));
    await expect(send(WORDS)).rejects.toThrow('If the agent replies in HTML, set reply_format to html.');
    expect((await send({ ...WORDS, reply_format: 'html' })).content).toBe('<p>Please rest.</p>');
    bench.agent.next(html(200, 'Hello'), text(200, LOGIN_PAGE, 'text/html'));
    expect((await send({ ...WORDS, replyFormat: 'html' })).content).toContain('<h1>Hello</h1>');
    await expect(send({ ...WORDS, reply_format: 'html' })).rejects.toMatchObject({ code: 'auth_failed' });
  });

  it('reads JSON also from a server that calls it a page', async () => {
    bench.agent.next(
      text(200, JSON.stringify(talk('Rest.')), 'text/html'),
      text(200, JSON.stringify(talk('Rest.')), 'text/html'),
      text(200, '"Rest."', 'text/html'),
    );
    expect((await send()).content).toBe('Rest.');
    await expect(send(WORDS)).rejects.toThrow('set reply_path to where its reply is');
    expect((await send(WORDS)).content).toBe('Rest.');
  });

  it.each<[string, object]>([
    ['an error beside it', { error: { code: 500 }, message: 'Something went wrong' }],
    ['a failure beside it', { success: false, message: 'Invalid token' }],
    ['a status of an error beside it', { statusCode: 401, message: 'Unauthorized' }],
    ['JSend’s word for an error beside it', { status: 'error', message: 'Unable to reach the model', data: null }],
  ])('a text at the path with %s is not what the agent says', async (_name, answer) => {
    bench.agent.next(status(200, answer));
    await expect(send({ session_id_path: null, reply_path: 'message' })).rejects.toMatchObject({
      code: 'provider_error',
      message: expect.stringMatching(/^The agent's server answered HTTP 200 with an error\./),
    });
  });

  it.each<[string, string, object]>([
    ['no error', 'message', { message: 'Rest.', error: null, errors: [], success: true, code: 200 }],
    ['an error that is none', 'message', { message: 'Rest.', error: '', status: 'ok', errorCode: 0 }],
    ['another field with an error beside', 'reply', { reply: 'Rest.', error: 'no voice' }],
    ['a result with an error beside', 'data.text', { data: { text: 'Rest.' }, error: 'no voice' }],
    ['a detail, which the config calls the reply', 'detail', { detail: 'Rest.' }],
  ])('a text at the path with %s is', async (_name, reply_path, answer) => {
    bench.agent.next(status(200, answer));
    expect((await send({ session_id_path: null, reply_path })).content).toBe('Rest.');
  });

  it('takes no words before an error in events for a whole reply', async () => {
    const body = 'data: {"delta":"Do not "}\n\ndata: {"error":{"message":"overloaded"}}\n\ndata: [DONE]\n\n';
    bench.agent.next(text(200, body, 'text/event-stream'));
    await expect(send({ ...EVENTS, max_retries: 0 })).rejects.toMatchObject({
      code: 'provider_error',
      message: expect.stringContaining('stream ended in an error'),
    });
  });

  it.each<[string, AgentConfig]>([
    ['url is missing', { url: null }],
    ['url must be a complete http or https address', { url: 'http://{{message}}/x' }],
    ['url holds {{user}}, which is no placeholder', { url: 'http://127.0.0.1/{{user}}' }],
    ['url holds {{history}}, a list', { url: 'http://127.0.0.1/?h={{history}}' }],
    ['method must be POST, GET, PUT or PATCH', { method: 'DELETE' }],
    ['body holds {{mesage}}, which is no placeholder', { body: { q: '{{mesage}}' } }],
    ['body holds neither {{message}} nor {{messages}}', { body: { q: 'hello', h: '{{history}}' } }],
    ['body holds neither {{message}} nor {{messages}}', { body: null }],
    ['body holds {{history}} within a longer text', { body: { q: '{{message}}', h: 'so far: {{history}}' } }],
    ['body holds a placeholder in the name of a field', { body: { '{{message}}': 1 } }],
    [
      'body must be JSON, not text that holds it',
      { headers: { 'content-type': 'application/json' }, body: '{"q":"{{message}}"}' },
    ],
    [
      'body must be an object for a form',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'q={{message}}' },
    ],
    [
      'body holds something other than text in q',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: { q: { a: '{{message}}' } } },
    ],
    [
      'body must be text for the content-type text/plain',
      { headers: { 'content-type': 'text/plain' }, body: { q: '{{message}}' } },
    ],
    [
      'body cannot be sent as multipart/form-data',
      { headers: { 'content-type': 'multipart/form-data' }, body: '{{message}}' },
    ],
    [
      'body is nested more than 20 levels deep',
      { body: JSON.parse(`${'['.repeat(30)}"{{message}}"${']'.repeat(30)}`) },
    ],
    ['body holds the messages twice in one list', { body: ['{{history}}', '{{messages}}'] }],
    ['body cannot be sent by a GET', { method: 'GET' }],
    ['url holds no {{message}}', { method: 'GET', body: null }],
    ['headers.x-said holds another placeholder', { headers: { 'x-said': '{{message}}' } }],
    ['headers.host is set by the harness itself', { headers: { host: 'a' } }],
    ['reply_path is not a path in JMESPath', { reply_path: 'data..reply' }],
    ['reply_path is longer than 300 characters', { reply_path: 'a'.repeat(301) }],
    ['reply_path must be text', { reply_path: 7 }],
    ['stream_reply_path uses the function replace', { stream_reply_path: "replace(a, 'a', 'aa')" }],
    ['session_id_path uses more of JMESPath', { session_id_path: 'let $a = b in $a' }],
    ['end_path makes lists of more than 2 values', { end_path: '[@,@][]|[@,@][]' }],
    ['reply_path has more than 40 steps', { reply_path: 'a|'.repeat(30) + 'a' }],
    ['reply_path uses the function reverse', { reply_path: 'reverse(a)' }],
    ['reply_path takes from the answer what join needs', { reply_path: 'join(glue, list)' }],
    ['end_path takes from the answer what contains needs', { end_path: 'contains(a, b)' }],
    ['session_id_path takes from the answer what join needs', { session_id_path: 'join(a, b)' }],
    ['stream_reply_path takes from the answer what join needs', { stream_reply_path: "join(a, ['b', 'c'])" }],
    ['reply_path holds more than one slice', { reply_path: '[::-1][:5]' }],
    ['stream_text must be pieces', { stream_text: 'all' }],
    ['message_format.role is empty', { message_format: { role: '' } }],
    ['message_format must be an object', { message_format: 'chat' }],
    ['api_key must be text', { api_key: 7 }],
  ])('says: %s', async (sentence, config) => {
    await expect(bench.provider().connect(bench.request(config), unaborted())).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining(sentence),
    });
    expect(bench.agent.openSockets).toBe(0);
  });
});

/** Events on a connection that stays open after them. */
function leftOpen([first = '', ...others]: readonly string[]): Step {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(first);
    others.forEach((piece, at) => setTimeout(() => response.write(piece), 20 * (at + 1)));
  };
}
