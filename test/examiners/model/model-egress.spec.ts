import { AnthropicModel } from '../../../src/examiners/model/anthropic.model';
import type { LanguageModel } from '../../../src/examiners/model/language-model';
import { OpenAiModel } from '../../../src/examiners/model/openai.model';
import { settingsFrom } from '../../../src/platform/config/settings';
import { Egress } from '../../../src/platform/egress/egress';
import { startFakeAnthropic } from '../../fakes/anthropic-server';
import { startForwardProxy, type FakeForwardProxy } from '../../fakes/forward-proxy';
import { startFakeOpenAiModel } from '../../fakes/openai-model-server';
import { eventually } from '../../setup/eventually';
import { anthropicConnection, openAiConnection } from '../../setup/model-connections';

const PROMPT = {
  system: 'You are a patient.',
  messages: [{ role: 'user', content: 'What is wrong?' }],
  maxTokens: 100,
  effort: 'low',
} as const;
const LIMITS = { attemptMs: 30_000, overallMs: 60_000 };

describe.each([
  [
    'anthropic',
    startFakeAnthropic,
    (baseUrl: string, egress: Egress) => new AnthropicModel(anthropicConnection({ baseUrl }), undefined, egress),
  ],
  [
    'openai',
    startFakeOpenAiModel,
    (baseUrl: string, egress: Egress) =>
      new OpenAiModel(openAiConnection({ baseUrl: `${baseUrl}/v1` }), undefined, egress),
  ],
] as const)('a language model of %s behind a forward proxy', (_vendor, startServer, make) => {
  let proxy: FakeForwardProxy;
  let server: Awaited<ReturnType<typeof startServer>>;
  const closing: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    server = await startServer();
    proxy = await startForwardProxy({ leadsTo: server.url, credentials: 'night:hunter2-hunter2' });
    closing.push(
      () => server.close(),
      () => proxy.close(),
    );
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  function modelAt(baseUrl: string, variables: NodeJS.ProcessEnv = {}): LanguageModel {
    const model = make(baseUrl, new Egress(settingsFrom({ http_proxy: proxy.url, ...variables }).egress));
    closing.push(() => model.close());
    return model;
  }
  const write = (model: LanguageModel, signal = new AbortController().signal) => model.write(PROMPT, LIMITS, signal);

  it('is asked for by its name, which needs not be known here', async () => {
    const model = modelAt('http://models.example:8080');
    await write(model);
    await write(model);
    const asked = { method: 'CONNECT', target: 'models.example:8080', credentials: 'night:hunter2-hunter2' };
    expect(proxy.asked).toEqual(proxy.asked.map(() => asked));
    expect(proxy.asked).not.toEqual([]);
    expect(server.requests).toHaveLength(2);
  });

  it('is reached directly on loopback, and where NO_PROXY names it', async () => {
    await write(modelAt(server.url, { NO_PROXY: 'models.example' }));
    await write(modelAt(server.url.replace('127.0.0.1', '127.1'), { NO_PROXY: '' }));
    expect(proxy.asked).toEqual([]);
  });

  it.each<readonly [string, { readonly status: number } | { readonly write: string }, RegExp]>([
    [
      'refuses it',
      { status: 403 },
      /^The proxy 127\.0\.0\.1:\d+ refuses to connect to models\.example:8080 \(403\): have its rules allow CONNECT to it, or add the host to NO_PROXY\.$/,
    ],
    [
      'speaks no HTTP',
      { write: '220 mail.example ESMTP\r\n' },
      /^The proxy 127\.0\.0\.1:\d+ answers something other than HTTP/,
    ],
  ])('is unreachable, which is said at once, when the proxy %s', async (_what, conduct, sentence) => {
    proxy.behave(conduct);
    await expect(write(modelAt('http://models.example:8080'))).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringMatching(sentence),
    });
    expect(proxy.asked).toHaveLength(1);
  });

  it('is unreachable when the proxy takes other credentials, which are not shown', async () => {
    const wrong = proxy.url.replace('hunter2-hunter2', 'hunter3-hunter3');
    const error: unknown = await write(modelAt('http://models.example', { http_proxy: wrong })).catch(
      (e: unknown) => e,
    );
    expect(error).toMatchObject({
      kind: 'unreachable',
      message: `The proxy 127.0.0.1:${proxy.port} does not accept the credentials (407): check user and password in HTTP_PROXY.`,
    });
    expect(String(error instanceof Error ? error.stack : error)).not.toContain('hunter3');
  });

  it('is tried again while the proxy may come back', async () => {
    proxy.behave({ status: 503 });
    const answer = write(modelAt('http://models.example'));
    await eventually(() => expect(proxy.asked.length).toBeGreaterThan(1));
    proxy.behave('forward');
    await expect(answer).resolves.toMatchObject({ text: expect.any(String) });
  });

  it('keeps the credentials to itself when whoever answers in its place says them back', async () => {
    const said = `Basic ${Buffer.from('night:hunter2-hunter2').toString('base64')} of hunter2-hunter2`;
    const body = JSON.stringify({ type: 'error', error: { type: 'x', message: said } });
    proxy.behave({
      pretend: `HTTP/1.1 400 Bad\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    });
    await expect(write(modelAt('http://models.example'))).rejects.toMatchObject({
      kind: 'request_refused',
      message: expect.stringMatching(/Basic … of …\.$/),
    });
  });
});
