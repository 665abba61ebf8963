import type { ModelUsage } from '../../../src/examiners/model/model-usage';
import { OpenAiModel } from '../../../src/examiners/model/openai.model';
import {
  startFakeOpenAiModel,
  type FakeOpenAiModel,
  type FakeOpenAiModelOptions,
} from '../../fakes/openai-model-server';
import { openAiConnection } from '../../setup/model-connections';
import {
  describeLanguageModel,
  FORMAT,
  GOOD,
  LIMITS,
  PROMPT,
  SECRET,
  type AskedModel,
  type BenchOptions,
  type ModelBench,
} from './language-model.contract';

const open: FakeOpenAiModel[] = [];
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));

async function bench(
  { always, model, ...options }: BenchOptions,
  kind: Pick<FakeOpenAiModelOptions, 'ability' | 'hasOldLimit' | 'usage'> = {},
): Promise<ModelBench & { readonly raw: FakeOpenAiModel }> {
  const raw = await startFakeOpenAiModel({ ...options, ...kind, answer: () => always });
  open.push(raw);
  const usages: ModelUsage[] = [];
  const connection = openAiConnection({ apiKey: SECRET, baseUrl: raw.url, ...(model && { model }) });
  return {
    model: new OpenAiModel(connection, (usage) => usages.push(usage)),
    usages,
    raw,
    server: {
      get requests() {
        return raw.requests.map(asked);
      },
      get inFlight() {
        return raw.inFlight;
      },
      get abandoned() {
        return raw.abandoned;
      },
    },
  };
}

function asked({ headers, body }: FakeOpenAiModel['requests'][number]): AskedModel {
  const [system, ...messages] = body.messages;
  return {
    authorization: String(headers.authorization),
    model: body.model,
    system: system?.content ?? '',
    messages,
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? 0,
  };
}

describeLanguageModel({
  name: 'OpenAI-compatible server with schemas',
  keyVariable: 'EXAMINER_API_KEY',
  addressVariable: 'EXAMINER_BASE_URL',
  requestsAnAnswer: 1,
  open: (options) => bench(options),
  nowhere: () => new OpenAiModel(openAiConnection({ apiKey: SECRET })),
});

describe('OpenAI model', () => {
  const { signal } = new AbortController();
  const good = { always: { kind: 'json', value: GOOD } } as const;

  it.each([
    ['schema', ['schema']],
    ['tools', ['schema', 'tool']],
    ['words', ['schema', 'tool', 'words']],
  ] as const)('finds how a server with %s gives an answer its shape, and remembers it', async (ability, tried) => {
    const { model, raw, usages } = await bench(good, { ability });
    expect((await model.answer(PROMPT, FORMAT, LIMITS, signal)).value).toEqual(GOOD);
    expect(raw.requests.map(shapeOf)).toEqual(tried);
    expect((await model.answer(PROMPT, FORMAT, LIMITS, signal)).value).toEqual(GOOD);
    expect(raw.requests.map(shapeOf)).toEqual([...tried, tried.at(-1)]);
    // What was refused cost nothing.
    expect(usages).toHaveLength(2);
  });

  it('asks in words when a server accepts a schema and ignores it', async () => {
    const { model, raw } = await bench(good, { ability: 'deaf' });
    expect((await model.answer(PROMPT, FORMAT, LIMITS, signal)).value).toEqual(GOOD);
    expect((await model.answer(PROMPT, FORMAT, LIMITS, signal)).value).toEqual(GOOD);
    expect(raw.requests.map(shapeOf)).toEqual(['schema', 'words', 'words']);
  });

  it('stays with what has worked when one answer is bad', async () => {
    const { model, raw } = await bench(good);
    await model.answer(PROMPT, FORMAT, LIMITS, signal);
    const spoilt = await bench({
      ...good,
      script: [
        { kind: 'json', value: GOOD },
        { kind: 'text', text: 'Yes.' },
      ],
    });
    await spoilt.model.answer(PROMPT, FORMAT, LIMITS, signal);
    await spoilt.model.answer(PROMPT, FORMAT, LIMITS, signal);
    expect(spoilt.raw.requests.map(shapeOf)).toEqual(['schema', 'schema', 'schema']);
    expect(raw.requests).toHaveLength(1);
  });

  it('reports the first refusal when a request is refused for what it asks, not for how', async () => {
    const { model, raw } = await bench({ always: { kind: 'status', status: 400, message: 'The prompt is too long.' } });
    await expect(model.answer(PROMPT, FORMAT, LIMITS, signal)).rejects.toThrow(
      'refused the request (400) for our-model: The prompt is too long.',
    );
    expect(raw.requests).toHaveLength(3);
  });

  it('names the token limit as the server knows it', async () => {
    const { model, raw } = await bench({}, { hasOldLimit: true });
    await model.write(PROMPT, LIMITS, signal);
    await model.write(PROMPT, LIMITS, signal);
    expect(raw.requests.map(({ body }) => [body.max_completion_tokens, body.max_tokens])).toEqual([
      [500, undefined],
      [undefined, 500],
      [undefined, 500],
    ]);
  });

  it.each([
    ['a page', { kind: 'raw', body: '<!doctype html><title>Chat</title>', contentType: 'text/html' }],
    ['JSON of another kind', { kind: 'raw', body: '{"ok":true}' }],
    ['no choices', { kind: 'raw', body: '{"choices":[]}' }],
    ['an error with status 200', { kind: 'raw', body: '{"error":{"message":"No."}}' }],
    ['a million choices', { kind: 'raw', body: `{"choices":[${'1,'.repeat(900_000)}1]}` }],
  ] as const)('says that %s is no chat completion', async (_, always) => {
    const { model } = await bench({ always });
    await expect(model.write(PROMPT, LIMITS, signal)).rejects.toThrow(
      /^The model server 127\.0\.0\.1:\d+ answered something other than a chat completion; check EXAMINER_BASE_URL\.$/,
    );
  });

  it('does not wait for a spent quota to renew', async () => {
    const { model, raw } = await bench({
      always: { kind: 'status', status: 429, code: 'insufficient_quota', message: 'You exceeded your quota.' },
    });
    await expect(model.write(PROMPT, LIMITS, signal)).rejects.toThrow(/quota is spent \(429\): You exceeded/);
    expect(raw.requests).toHaveLength(1);
  });

  it('counts tokens of the cache, and knows no prices for a self-hosted server', async () => {
    const usage = {
      prompt_tokens: 1_300,
      completion_tokens: 20,
      prompt_tokens_details: { cached_tokens: 1_024, cache_write_tokens: 200 },
    };
    const { model } = await bench({ model: 'gpt-4o' }, { usage });
    expect((await model.write(PROMPT, LIMITS, signal)).usage).toEqual({
      calls: 1,
      answeredBy: ['fake'],
      inputTokens: 1_300,
      cacheReadTokens: 1_024,
      cacheWriteTokens: 200,
      outputTokens: 20,
      costUsd: null,
    });
  });

  it.each([[null], [{ prompt_tokens: -1, completion_tokens: 'many' }], ['much']])(
    'makes no cost up when the server does not say what it used: %j',
    async (usage) => {
      const { model } = await bench({}, { usage });
      expect((await model.write(PROMPT, LIMITS, signal)).usage).toMatchObject({ inputTokens: 0, costUsd: null });
    },
  );

  it('sends the key that it was given, whatever other keys the environment holds', async () => {
    const others = {
      OPENAI_API_KEY: 'sk-agents',
      OPENAI_ORG_ID: 'org-agents',
      OPENAI_PROJECT_ID: 'proj-agents',
      OPENAI_CUSTOM_HEADERS: 'Authorization: Bearer sk-agents',
    };
    const before = { ...process.env };
    Object.assign(process.env, others);
    try {
      const { model, raw } = await bench({});
      await model.write(PROMPT, LIMITS, signal);
      expect(raw.requests[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
      expect(JSON.stringify(raw.requests[0]?.headers)).not.toContain('agents');
    } finally {
      for (const name of Object.keys(others)) {
        const value = before[name];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });
});

function shapeOf({ body }: FakeOpenAiModel['requests'][number]): string {
  if (body.response_format !== undefined) return 'schema';
  if (body.tools !== undefined) return 'tool';
  return body.messages[0]?.content.includes('JSON schema') === true ? 'words' : 'none';
}
