import { completion, startFakeOpenAi } from '../../fakes/openai-server';
import { html, status } from '../../fakes/misbehaviour';
import { InProcessRequestBudget } from '../../../src/agents/outbound/in-process.request-budget';
import { ProviderRegistry } from '../../../src/agents/registry';
import type { AgentConfig } from '../../../src/agents/provider';
import { describeHangUp } from '../hang-up.contract';
import { describeHttpProvider, type HttpProviderFixture } from '../http-provider.contract';
import { describeProvider, ProviderBench, SECRET, unaborted } from '../provider.contract';

const fixture: HttpProviderFixture = {
  kind: 'openai',
  startAgent: startFakeOpenAi,
  configFor: ({ baseUrl }) => ({ base_url: baseUrl, api_key: SECRET }),
  success: (reply) => completion(reply),
  refusals: [
    ['429 over quota', () => status(429, { error: { code: 'insufficient_quota' } }), 'rate_limited', false],
    ['429 over budget', () => status(429, { error: { type: 'billing_hard_limit_reached' } }), 'rate_limited', false],
    ['429 over a rate', () => status(429, { error: { code: 'rate_limit_exceeded' } }), 'rate_limited', true],
    [
      '503 that speaks of a quota',
      () => status(503, { error: { code: 'insufficient_quota' } }),
      'provider_error',
      true,
    ],
    ['429 in HTML', () => html(429, 'insufficient_quota'), 'rate_limited', true],
    ['no choices', () => status(200, { ...completion('x'), choices: [] }), 'provider_error', false],
    ['an error with 200', () => status(200, { error: { message: 'model is loading' } }), 'provider_error', false],
    [
      'a completion that broke off in an error',
      () => status(200, { choices: [{ message: { content: 'Call' }, finish_reason: 'error' }] }),
      'provider_error',
      false,
    ],
    [
      'a completion that is an error',
      () => status(200, { choices: [{ error: { code: 502 }, message: { content: 'Call' } }] }),
      'provider_error',
      false,
    ],
    ['a tool call only', () => status(200, completion(null)), 'empty_reply', false],
  ],
};

describeProvider(fixture);
describeHttpProvider(fixture);
describeHangUp({
  kind: 'openai',
  startAgent: () => startFakeOpenAi(),
  configFor: (agent) => ({ ...fixture.configFor(agent), end_tools: ['hang_up'] }),
  // The API has no such tool of its own: none counts that the config does not name.
  doubtful: { end_tools: null },
  hangUpNext: (agent, words) => {
    const tool_calls = [{ id: 'call-1', type: 'function', function: { name: 'hang_up', arguments: '{}' } }];
    agent.next(status(200, completion(words, 'chatcmpl-9', { tool_calls })));
  },
});

describe('openai provider: requests', () => {
  let bench: ProviderBench;

  beforeEach(async () => {
    bench = await ProviderBench.start(fixture);
  });
  afterEach(() => bench.close());

  const send = async (config: AgentConfig) => {
    const session = await bench.provider().connect(bench.request(config), unaborted());
    return session.send('hello', unaborted());
  };

  it('posts the conversation with the credential and leaves out what is not configured', async () => {
    await send({});
    expect(bench.agent.requests).toMatchObject([
      {
        method: 'POST',
        path: '/v1/chat/completions',
        headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      },
    ]);
    expect(bench.agent.requests[0]?.body).toEqual({ messages: [{ role: 'user', content: 'hello' }] });
  });

  it('sends what is configured', async () => {
    await send({ model: 'gpt-x', system_prompt: 'You are a nurse.', temperature: 0, max_tokens: 300 });
    expect(bench.agent.requests[0]?.body).toEqual({
      model: 'gpt-x',
      temperature: 0,
      max_completion_tokens: 300,
      messages: [
        { role: 'system', content: 'You are a nurse.' },
        { role: 'user', content: 'hello' },
      ],
    });
  });

  it('reads camelCase and the other name of the model; snake_case wins', async () => {
    await send({ targetModel: 'camel', systemPrompt: 'camel', system_prompt: 'snake' });
    expect(bench.agent.requests[0]?.body).toMatchObject({
      model: 'camel',
      messages: [{ role: 'system', content: 'snake' }, {}],
    });
  });

  it('sends configured headers, which may replace the credential', async () => {
    await send({ headers: { 'Api-Key': 'azure-key', Authorization: 'Basic abc', 'X-Tenant': 7 } });
    expect(bench.agent.requests[0]?.headers).toMatchObject({
      'api-key': 'azure-key',
      authorization: 'Basic abc',
      'x-tenant': '7',
    });
  });

  it.each([
    ['/v1', '/v1/chat/completions'],
    ['/v1/', '/v1/chat/completions'],
    ['', '/chat/completions'],
    ['/deployments/d?api-version=1', '/deployments/d/chat/completions?api-version=1'],
  ])('uses the address as given: …%s', async (path, expected) => {
    await send({ base_url: `${bench.agent.origin}${path}` });
    expect(bench.agent.requests[0]?.path).toBe(expected);
  });

  it('needs no credential, and falls back to that of the deployment', async () => {
    const config = { base_url: bench.agent.baseUrl };
    const keys = [undefined, { key: 'sk-deployment-key', hosts: ['127.0.0.1'] }];
    for (const defaultOpenAiKey of keys) {
      const registry = new ProviderRegistry({
        budget: new InProcessRequestBudget(),
        ...(defaultOpenAiKey && { defaultOpenAiKey }),
      });
      const session = await registry.find('openai')?.connect({ ...bench.request(), config }, unaborted());
      await session?.send('hello', unaborted());
      bench.agent.next((response, { headers }) => status(400, { message: headers.authorization })(response, EMPTY));
      await expect(session?.send('again', unaborted())).rejects.toMatchObject({
        message: expect.not.stringContaining('sk-deployment-key'),
      });
      await registry.close();
    }
    expect(bench.agent.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
      'Bearer sk-deployment-key',
      'Bearer sk-deployment-key',
    ]);
  });

  it.each([
    ['by parameter', 400, { message: 'Unsupported.', param: 'max_completion_tokens' }],
    ['in words', 400, { message: "Unrecognized request argument supplied: 'max_completion_tokens'" }],
    ['as unprocessable', 422, { message: 'Unsupported.', param: 'max_completion_tokens' }],
  ])('sends max_tokens, and stays with it, when the new name is refused %s', async (_name, refusal, error) => {
    bench.agent.next(status(refusal, { error }));
    const session = await bench.provider().connect(bench.request({ max_tokens: 5 }), unaborted());
    await session.send('one', unaborted());
    await session.send('two', unaborted());
    expect(bench.agent.requests.map(({ body }) => body)).toMatchObject([
      { max_completion_tokens: 5 },
      { max_tokens: 5 },
      { max_tokens: 5 },
    ]);
    expect(bench.clock.waits).toEqual([]);
  });

  it('does not try a third name', async () => {
    const error = { error: { message: 'no', param: 'max_completion_tokens' } };
    bench.agent.next(status(400, error), status(400, error));
    await expect(send({ max_tokens: 5 })).rejects.toMatchObject({ code: 'provider_error' });
    expect(bench.agent.requests).toHaveLength(2);
  });

  it('takes a refusal for the reply when there is no content, and parts for one text', async () => {
    bench.agent.next(status(200, completion(null, 'r', { refusal: 'I cannot help with that.' })));
    expect((await send({})).content).toBe('I cannot help with that.');
    bench.agent.next(
      status(
        200,
        completion([
          { type: 'text', text: 'Call ' },
          { type: 'text', text: '112.' },
        ]),
      ),
    );
    expect((await send({})).content).toBe('Call 112.');
  });

  it('keeps usage in metadata', async () => {
    const { metadata, continuation } = await send({});
    expect(metadata).toEqual({
      response_id: 'chatcmpl-1',
      model: 'fake-model',
      finish_reason: 'stop',
      usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    });
    expect(continuation).toBeNull();
  });

  it('keeps only the numbers of usage', async () => {
    const usage = {
      total_tokens: 3,
      tier: 'x',
      prompt_tokens_details: { cached_tokens: 2, more: { deep: 1 } },
      no: null,
    };
    bench.agent.next(status(200, { ...completion('fine'), usage, model: 'm'.repeat(5000) }));
    const { metadata } = await send({});
    expect(metadata.usage).toEqual({ total_tokens: 3, prompt_tokens_details: { cached_tokens: 2 } });
    expect(metadata.model).toHaveLength(200);
  });

  it.each([
    ['api_key', { api_key: 12 }],
    ['api_key', { api_key: 'line\nbreak' }],
    ['model', { model: ['a'] }],
    ['temperature', { temperature: 'hot' }],
    ['max_tokens', { maxTokens: 0 }],
    ['headers', { headers: 'x: y' }],
    ['headers.host', { headers: { host: 'other.example' } }],
    ['headers.X-A', { headers: { 'X-A': 'one\r\ntwo' } }],
    ['headers.bad name', { headers: { 'bad name': 'x' } }],
  ])('names %s when it cannot be used', async (field, config) => {
    await expect(send(config)).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining(field),
    });
    expect(bench.agent.requests).toHaveLength(0);
  });
});

const EMPTY = { method: '', path: '', headers: {}, body: '' };
