import { AnthropicModel } from '../../../src/examiners/model/anthropic.model';
import type { ModelUsage } from '../../../src/examiners/model/model-usage';
import { startFakeAnthropic, type FakeAnthropic } from '../../fakes/anthropic-server';
import { anthropicConnection } from '../../setup/model-connections';
import {
  describeLanguageModel,
  LIMITS,
  PROMPT,
  SECRET,
  type AskedModel,
  type BenchOptions,
  type ModelBench,
} from './language-model.contract';

const open: FakeAnthropic[] = [];
afterEach(() => Promise.all(open.splice(0).map((api) => api.close())));

async function bench({ always, model, ...options }: BenchOptions): Promise<ModelBench> {
  const api = await startFakeAnthropic({ ...options, answer: () => always });
  open.push(api);
  const usages: ModelUsage[] = [];
  const connection = anthropicConnection({ apiKey: SECRET, baseUrl: api.url, ...(model && { model }) });
  return {
    model: new AnthropicModel(connection, (usage) => usages.push(usage)),
    usages,
    server: {
      get requests() {
        return api.requests.map(asked);
      },
      get inFlight() {
        return api.inFlight;
      },
      get abandoned() {
        return api.abandoned;
      },
    },
  };
}

function asked({ headers, body }: FakeAnthropic['requests'][number]): AskedModel {
  return {
    authorization: String(headers.authorization ?? headers['x-api-key']),
    model: body.model,
    system: body.system ?? '',
    messages: body.messages,
    maxTokens: body.max_tokens,
  };
}

describeLanguageModel({
  name: 'Anthropic',
  keyVariable: 'ANTHROPIC_API_KEY',
  addressVariable: 'ANTHROPIC_BASE_URL',
  requestsAnAnswer: 1,
  open: bench,
  nowhere: () => new AnthropicModel(anthropicConnection({ apiKey: SECRET })),
});

describe('Anthropic model', () => {
  const { signal } = new AbortController();

  it('counts what was read from the cache and written to it, each at its own price', async () => {
    const api = await startFakeAnthropic({
      usage: { cache_read_input_tokens: 1_000, cache_creation_input_tokens: 200 },
    });
    open.push(api);
    const model = new AnthropicModel(anthropicConnection({ baseUrl: api.url, model: 'claude-sonnet-5-5' }));
    const { usage } = await model.write(PROMPT, LIMITS, signal);
    expect(usage).toMatchObject({
      inputTokens: 1_300,
      cacheReadTokens: 1_000,
      cacheWriteTokens: 200,
      outputTokens: 20,
    });
    expect(usage.costUsd).toBeCloseTo((100 * 2 + 1_000 * 0.1 + 200 * 2.5 + 20 * 10) / 1_000_000, 12);
    await model.close();
  });

  it('marks the instructions for the cache of the vendor', async () => {
    const { model } = await bench({});
    await model.write(PROMPT, LIMITS, signal);
    expect(open[0]?.raw[0]).toMatchObject({
      system: [{ type: 'text', text: PROMPT.system, cache_control: { type: 'ephemeral' } }],
    });
    await model.close();
  });

  it('marks what other calls begin with too, and sends the same words', async () => {
    const { model, server } = await bench({});
    const messages = [{ role: 'user', content: 'The conversation. The question.', sharedCharacters: 18 }] as const;
    await model.write({ ...PROMPT, messages }, LIMITS, signal);
    expect(open[0]?.raw[0]).toMatchObject({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'The conversation. ', cache_control: { type: 'ephemeral' } },
            { type: 'text', text: 'The question.' },
          ],
        },
      ],
    });
    expect(server.requests[0]?.messages).toEqual([{ role: 'user', content: 'The conversation. The question.' }]);
    await model.close();
  });

  it.each([
    ['texts', { input_tokens: 'a'.repeat(1_000), output_tokens: '7', cache_read_input_tokens: '1' }],
    ['out of all bounds', { input_tokens: -5, output_tokens: 1e300, cache_read_input_tokens: 0.5 }],
  ])('counts no tokens where a server writes %s', async (_what, usage) => {
    const { model, usages } = await bench({
      always: { kind: 'raw', body: JSON.stringify({ content: [{ type: 'text', text: 'Hm.' }], model: 'm', usage }) },
    });
    const { usage: counted } = await model.write(PROMPT, LIMITS, signal);
    expect(counted).toMatchObject({
      inputTokens: 0,
      outputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      costUsd: 0,
    });
    expect(usages).toEqual([counted]);
    await model.close();
  });

  it.each([
    ['a text', 'a'.repeat(1_000)],
    ['nothing', null],
    ['a list of them', [null, 7, 'text', { type: 'text' }, { type: 'text', text: 7 }, { type: 'text', text: 'Hm.' }]],
  ])('reads what a server writes as texts of its content, and nothing else: %s', async (what, content) => {
    const { model } = await bench({ always: { kind: 'raw', body: JSON.stringify({ content, usage: null }) } });
    const { text } = await model.write(PROMPT, LIMITS, signal);
    expect(text).toBe(what === 'a list of them' ? 'Hm.' : '');
    await model.close();
  });

  it('knows no price of a model that is not in the list', async () => {
    const { model } = await bench({ model: 'our-proxy-model' });
    expect((await model.write(PROMPT, LIMITS, signal)).usage.costUsd).toBeNull();
    await model.close();
  });
});
