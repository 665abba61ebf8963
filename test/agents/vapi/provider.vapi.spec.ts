import { status } from '../../fakes/misbehaviour';
import { chat, refusal, startFakeVapi } from '../../fakes/vapi-server';
import type { AgentConfig } from '../../../src/agents/provider';
import { describeHangUp } from '../hang-up.contract';
import { describeHttpProvider, type HttpProviderFixture } from '../http-provider.contract';
import { describeProvider, exchange, ProviderBench, SECRET, unaborted } from '../provider.contract';

const fixture: HttpProviderFixture = {
  kind: 'vapi',
  startAgent: startFakeVapi,
  configFor: ({ baseUrl }) => ({ api_base: baseUrl, api_key: SECRET, assistant_id: 'assistant-1' }),
  success: (reply) => chat([{ role: 'assistant', content: reply }]),
  refusals: [
    ['400 unknown', () => status(400, refusal(400, 'Assistant a-1 does not exist.', '')), 'not_found', false],
    ['400 unknown, listed', () => status(400, refusal(400, ["Couldn't find it", 'Not found'], '')), 'not_found', false],
    ['400 malformed', () => status(400, refusal(400, ['input must be a string'], '')), 'provider_error', false],
    ['429 without credit', () => status(429, refusal(429, 'Insufficient credits.', '')), 'rate_limited', false],
    ['429 over concurrency', () => status(429, refusal(429, 'Over concurrency limit.', '')), 'rate_limited', true],
    ['no chat id', () => status(200, { output: [{ role: 'assistant', content: 'hi' }] }), 'provider_error', false],
    ['a tool call only', () => status(200, chat([{ role: 'tool', content: '{}' }])), 'empty_reply', false],
    ['no output', () => status(200, chat([])), 'empty_reply', false],
  ],
};

describeProvider(fixture);
describeHttpProvider(fixture);

const calls = (name: string, field = 'tool_calls') => ({
  role: 'assistant',
  [field]: [{ id: 'call-1', type: 'function', function: { name, arguments: '{}' } }],
});

describe.each([
  ['by its type', 'endCall', 'tool_calls'],
  ["by the dashboard's name", 'end_call_tool', 'toolCalls'],
])('a hang up tool that is called %s', (_how, name, field) => {
  describeHangUp({
    kind: 'vapi',
    startAgent: () => startFakeVapi(),
    configFor: (agent) => fixture.configFor(agent),
    doubtful: { end_tools: ['transfer'] },
    hangUpNext: (agent, words) => {
      const said = words === null ? [] : [{ role: 'assistant', content: words }];
      agent.next(status(201, chat([...said, calls(name, field), { role: 'tool', content: '{}' }], 'chat-2')));
    },
  });
});

it.each<[string, unknown]>([
  ['none', undefined],
  ['no list', 'endCall'],
  ['of another shape', [null, 7, { name: 'endCall' }, { function: 'endCall' }, { function: { name: 7 } }]],
  ['another', [{ function: { name: 'transferCall' } }]],
])('a message whose tool calls are %s ends nothing', async (_name, tool_calls) => {
  const bench = await ProviderBench.start(fixture);
  bench.agent.next(status(200, chat([{ role: 'assistant', content: 'Hello.', tool_calls }])));
  const session = await bench.provider().connect(bench.request(), unaborted());
  const reply = await session.send('hi', unaborted());
  expect(reply.content).toBe('Hello.');
  expect(reply).not.toHaveProperty('endsConversation');
  await bench.close();
});

describe('vapi provider: requests', () => {
  let bench: ProviderBench;

  beforeEach(async () => {
    bench = await ProviderBench.start(fixture);
  });
  afterEach(() => bench.close());

  const connect = (config: AgentConfig = {}) => bench.provider().connect(bench.request(config), unaborted());

  it('sends a plain string and continues from the newest chat', async () => {
    const session = await connect();
    const first = await session.send('one', unaborted());
    await session.send('two', unaborted());
    await session.send('three', unaborted());
    expect(bench.agent.requests.map(({ body }) => body)).toEqual([
      { assistantId: 'assistant-1', input: 'one' },
      { assistantId: 'assistant-1', input: 'two', previousChatId: 'chat-1' },
      { assistantId: 'assistant-1', input: 'three', previousChatId: 'chat-2' },
    ]);
    expect(bench.agent.requests[0]).toMatchObject({
      method: 'POST',
      path: '/chat',
      headers: { authorization: `Bearer ${SECRET}` },
    });
    expect(first).toMatchObject({ continuation: 'chat-1', metadata: { chat_id: 'chat-1' } });
  });

  it('does not go on without the chat id of the turns before', async () => {
    const history = [exchange(1, 'one', { content: 'yes', latencyMs: 1, continuation: null, metadata: {} })];
    const connecting = bench.provider().connect(bench.request({}, { history }), unaborted());
    await expect(connecting).rejects.toMatchObject({ code: 'internal' });
  });

  it.each([
    [
      'every assistant message with text',
      [
        { role: 'assistant', content: 'One moment.' },
        { role: 'assistant', tool_calls: [{ id: 't' }] },
        { role: 'tool', content: '{"ok":true}' },
        { role: 'assistant', content: 'Please call 112.' },
      ],
      'One moment.\nPlease call 112.',
    ],
    ['a message without a role', [{ content: 'Hello.' }], 'Hello.'],
    ['a message in parts', [{ role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] }], 'Hello.'],
    ['a string', 'Hello.', 'Hello.'],
    ['an object with text', { text: 'Hello.' }, 'Hello.'],
  ])('reads %s as the reply', async (_name, output, expected) => {
    bench.agent.next(status(200, chat(output)));
    const session = await connect();
    expect((await session.send('hi', unaborted())).content).toBe(expected);
  });

  it.each([{ provider_id: 'p-1' }, { providerId: 'p-1' }, { assistantId: 'p-1' }])(
    'takes the assistant from %j, and camelCase everywhere',
    async (config) => {
      const { origin } = bench.agent;
      const request = { ...bench.request(), config: { apiKey: 'camel-key', apiBase: `${origin}/`, ...config } };
      const session = await bench.provider().connect(request, unaborted());
      await session.send('hi', unaborted());
      expect(bench.agent.requests).toMatchObject([
        { path: '/chat', headers: { authorization: 'Bearer camel-key' }, body: { assistantId: 'p-1' } },
      ]);
    },
  );

  it('prefers snake_case where both are given', async () => {
    const session = await connect({ assistantId: 'camel', provider_id: 'other' });
    await session.send('hi', unaborted());
    expect(bench.agent.requests).toMatchObject([{ body: { assistantId: 'assistant-1' } }]);
  });

  it.each([
    ['api_key', { api_key: null }],
    ['api_key', { api_key: '  ' }],
    ['api_key', { api_key: 'line\nbreak' }],
    ['assistant_id', { assistant_id: undefined }],
    ['assistant_id', { assistant_id: 5 }],
    ['api_base', { api_base: 8080 }],
  ])('names %s when it is missing or wrong', async (field, config) => {
    await expect(connect(config)).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining(field),
    });
  });
});
