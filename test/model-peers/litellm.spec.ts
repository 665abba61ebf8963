import { startFakeOpenAiModel, type FakeOpenAiModel } from '../fakes/openai-model-server';
import { OpenAiModel } from '../../src/examiners/model/openai.model';
import { FORMAT, GOOD, LIMITS, PROMPT } from '../examiners/model/language-model.contract';
import { examineWith } from '../setup/examine-with';
import { LiteLlmProxy } from '../setup/litellm-proxy';
import { openAiConnection } from '../setup/model-connections';

const { signal } = new AbortController();
const QUESTION = PROMPT.messages[0]?.content;
let able: FakeOpenAiModel;
let plain: FakeOpenAiModel;
let proxy: LiteLlmProxy;
beforeAll(async () => {
  able = await startFakeOpenAiModel({
    answer: ({ body }) => (body.messages.at(-1)?.content === QUESTION ? { kind: 'json', value: GOOD } : undefined),
  });
  plain = await startFakeOpenAiModel({ ability: 'words' });
  proxy = await LiteLlmProxy.start([
    { name: 'able', baseUrl: able.url },
    { name: 'plain', baseUrl: plain.url },
    { name: 'gone', baseUrl: 'http://127.0.0.1:9/v1' },
  ]);
});
afterAll(async () => {
  await proxy.close();
  await able.close();
  await plain.close();
});

test.each([['able'], ['plain']])('a run is played and marked through the proxy by a model that is %s', async (name) => {
  const { run, result, health } = await examineWith({
    TESTER_MODEL: `openai/${name}`,
    JUDGE_MODEL: `openai/${name}`,
    EXAMINER_BASE_URL: proxy.url,
    EXAMINER_API_KEY: proxy.key,
  });
  expect(result).toMatchObject({ status: 'passed', error_message: null });
  expect(run).toMatchObject({ status: 'completed', pass_rate: 100 });
  expect(result.metadata).toMatchObject({
    offline: false,
    tester: { name: 'openai', model: name },
    judge: { name: 'openai', model: name, answered_by: [expect.any(String)] },
    // What is marked as met is read a second time.
    usage: { tester: { cost_usd: null }, judge: { input_tokens: 200 } },
  });
  expect(result.metadata.usage.tester.input_tokens).toBeGreaterThanOrEqual(400);
  expect(health.checks).toMatchObject({ tester: { status: 'ok' }, judge: { status: 'ok' } });
});

test('a schema reaches the model behind the proxy', async () => {
  const model = new OpenAiModel(openAiConnection({ baseUrl: proxy.url, apiKey: proxy.key, model: 'able' }));
  expect((await model.answer(PROMPT, FORMAT, LIMITS, signal)).value).toEqual(GOOD);
  expect(able.requests.at(-1)?.body).toHaveProperty('response_format.json_schema');
  await model.close();
});

test.each([
  ['a wrong key', { apiKey: 'sk-wrong' }, /refused the key \(40[013]\)|refused the request \(40[013]\)/],
  ['a model that it does not know', { model: 'nobody' }, /does not know nobody|refused the request \(400\) for nobody/],
])('%s is said in words', async (_, given, sentence) => {
  const model = new OpenAiModel(openAiConnection({ baseUrl: proxy.url, apiKey: proxy.key, model: 'able', ...given }));
  await expect(model.write(PROMPT, LIMITS, signal)).rejects.toThrow(sentence);
  await model.close();
});

test('a model that is away behind it is given up at the deadline', async () => {
  const model = new OpenAiModel(openAiConnection({ baseUrl: proxy.url, apiKey: proxy.key, model: 'gone' }));
  await expect(model.write(PROMPT, { attemptMs: 2_000, overallMs: 3_000 }, signal)).rejects.toThrow(
    /no answer within 3 s|failed or is overloaded/,
  );
  await model.close();
});
