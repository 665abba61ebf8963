import { PROVIDER_KINDS } from '../../src/domain/provider-kinds';
import { InProcessRequestBudget } from '../../src/agents/outbound/in-process.request-budget';
import { readBrowserConfig } from '../../src/agents/config';
import type { Provider } from '../../src/agents/provider';
import { ProviderRegistry } from '../../src/agents/registry';
import { Secrets } from '../../src/agents/secrets/secrets';
import { unaborted } from './provider.contract';

describe('provider registry', () => {
  const registry = new ProviderRegistry({ budget: new InProcessRequestBudget() });
  afterAll(() => registry.close());

  it('lists every kind of the contract and knows no other', () => {
    expect(registry.kinds).toEqual(PROVIDER_KINDS);
    expect(registry.find('openai')?.kind).toBe('openai');
    for (const kind of ['OpenAI', '', 'constructor', '__proto__']) expect(registry.find(kind)).toBeUndefined();
  });

  it('knows which conversations start again in a later attempt: those that live in a room, a page or a call', () => {
    expect([...registry.restartingKinds].sort()).toEqual(['browser', 'livekit', 'media-stream', 'pipecat']);
  });

  it('knows which conversations can be spoken, and which only so', () => {
    const kindsThat = (does: (provider: Provider) => boolean) =>
      PROVIDER_KINDS.filter((kind) => {
        const provider = registry.find(kind);
        return provider !== undefined && does(provider);
      });
    expect(kindsThat(({ speaks }) => speaks).toSorted()).toEqual(['livekit', 'media-stream', 'pipecat']);
    expect(kindsThat(({ isVoiceOnly }) => isVoiceOnly)).toEqual(['media-stream']);
  });

  it('knows of which conversations a part can be held again: those whose agent is told all of it, and keeps nothing', () => {
    const branching = (kind: string, config = {}) => registry.find(kind)?.branching(config);
    expect([branching('openai'), branching('livekit'), branching('media-stream')]).toEqual([
      'transcript',
      'never',
      'never',
    ]);
    const agent = (body: object) => ({ url: 'http://127.0.0.1:9/', body });
    expect(branching('http', agent({ messages: '{{messages}}' }))).toBe('transcript');
    expect(branching('http', agent({ ask: '{{message}}', id: '{{session_id}}' }))).toBe('never');
  });

  it('holds no room while nobody is called', () => {
    expect(registry.roomProcessIds).toEqual([]);
  });

  it('looks for a browser in the usual places where none is configured', () => {
    expect(registry.find('browser')?.availability()).not.toMatchObject({
      reason: expect.stringContaining('BROWSER_EXECUTABLE names'),
    });
  });

  it('says why a kind cannot be run here, and does not run it', async () => {
    const without = new ProviderRegistry({
      budget: new InProcessRequestBudget(),
      browser: { configured: '/nowhere/chromium', dataDir: '/nowhere', allowNoSandbox: false },
    });
    const provider = without.find('browser');
    expect(provider?.availability()).toEqual({ available: false, reason: expect.stringMatching(/\w+\.$/) });
    const request = {
      agentId: 'a',
      config: { url: 'http://127.0.0.1:9/' },
      scenarioRunId: 's',
      attempt: 1,
      history: [],
      continuation: null,
    };
    await expect(provider?.connect(request, unaborted())).rejects.toMatchObject({ code: 'transport_unsupported' });
    await without.close();
  });
});

it('a login is not read when its lists are nested deeper than any browser writes them', () => {
  const loginOf = (depth: number) => ({
    url: 'http://127.0.0.1:9/',
    storage_state: `{"cookies":[],"more":${'['.repeat(depth)}${']'.repeat(depth)}}`,
  });
  expect(readBrowserConfig(loginOf(100)).storage_state).toEqual({ cookies: [], origins: [] });
  expect(() => readBrowserConfig(loginOf(300))).toThrow('must be an object with cookies and origins');
});

describe('secrets of a config', () => {
  it.each([
    ['api_key', { api_key: 'secret-value' }],
    ['apiKey', { apiKey: 'secret-value' }],
    ['transport_api_secret', { transport_api_secret: 'secret-value' }],
    ['token', { token: 'secret-value' }],
    ['a header', { headers: { 'x-anything': 'secret-value' } }],
    ['a header with a scheme', { headers: { authorization: 'Bearer secret-value' } }],
    ['the body of a token request', { token_body: { user: { name: 'secret-value' } } }],
    ['a cookie', { storage_state: { cookies: [{ name: 'sid', value: 'secret-value' }] } }],
    ['a query parameter', { base_url: 'https://host/path?api_key=secret-value' }],
    ['a user part', { url: 'wss://user:secret-value@host' }],
  ])('are found in %s', (_name, config) => {
    expect(Secrets.of(config).remove('It was secret-value, really.')).toBe('It was [removed], really.');
  });

  it('goes as a whole when it contains another one, in every spelling', () => {
    const secrets = Secrets.of({ api_key: 'k1-a"b/c', token: 'k1-a"b/c/longer' });
    expect(secrets.remove('k1-a"b/c/longer; k1-a\\"b/c; k1-a%22b%2Fc')).toBe('[removed]; [removed]; [removed]');
  });

  it('leaves words alone that are no secrets', () => {
    const config = {
      auth_mode: 'token',
      headers: { accept: 'text' },
      api_key: 'k',
      agent_name: 'nurse',
      max_tokens: 5,
    };
    const text = 'The token of the nurse agent takes text, 5 k.';
    expect(Secrets.of(config).remove(text)).toBe(text);
  });

  it('cleans every string of an object, names included', () => {
    const secrets = Secrets.of({ api_key: 'secret-value' });
    expect(secrets.removeFromRecord({ a: ['x secret-value', 1, null], 'secret-value': { b: 'secret-value' } })).toEqual(
      {
        a: ['x [removed]', 1, null],
        '[removed]': { b: '[removed]' },
      },
    );
  });
});
