import { InProcessRequestBudget } from '../../src/agents/outbound/in-process.request-budget';
import type { AgentConfig, Reply } from '../../src/agents/provider';
import { ProviderRegistry } from '../../src/agents/registry';
import { settingsFrom } from '../../src/platform/config/settings';
import type { ProviderKind } from '../../src/domain/provider-kinds';
import { Egress } from '../../src/platform/egress/egress';
import { OwnServices } from '../../src/platform/targets/own-services';
import { TargetGuard } from '../../src/platform/targets/target-guard';
import { TargetPolicy } from '../../src/platform/targets/target-policy';
import type { FakeAgent } from '../fakes/fake-agent';
import { startForwardProxy, type FakeForwardProxy, type FakeForwardProxyOptions } from '../fakes/forward-proxy';
import { startFakeHttpAgent } from '../fakes/http-agent-server';
import { startFakeOpenAi } from '../fakes/openai-server';
import { eventually } from '../setup/eventually';
import { unaborted } from './provider.contract';

const PUBLIC = '93.184.216.34';
const OTHER_PUBLIC = '93.184.216.35';

/** A name server played by the test: what a name leads to the first time, the second time, and so on. */
type Names = Readonly<Record<string, (readonly string[])[]>>;

describe('agents behind a forward proxy', () => {
  let agent: FakeAgent;
  let proxy: FakeForwardProxy;
  const closing: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function start(
    makeAgent: () => Promise<FakeAgent> = startFakeOpenAi,
    options: Omit<FakeForwardProxyOptions, 'leadsTo'> = {},
  ): Promise<void> {
    agent = await makeAgent();
    proxy = await startForwardProxy({ ...options, leadsTo: agent.origin });
    closing.push(
      () => agent.close(),
      () => proxy.close(),
    );
  }

  function registryWith(names: Names, variables: NodeJS.ProcessEnv = {}): ProviderRegistry {
    const settings = settingsFrom({ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, ...variables });
    const resolve = (name: string): Promise<readonly string[]> => {
      const answers = names[name] ?? [];
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return answer === undefined
        ? Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }))
        : Promise.resolve(answer);
    };
    const egress = new Egress(settings.egress);
    const own = new OwnServices(() => egress.proxies, resolve);
    const guard = new TargetGuard(new TargetPolicy(settings.targets, own), own, resolve, egress);
    const registry = new ProviderRegistry({ budget: new InProcessRequestBudget(), targets: guard });
    closing.push(() => registry.close());
    return registry;
  }

  async function say(
    registry: ProviderRegistry,
    config: AgentConfig,
    kind: ProviderKind = 'openai',
    signal = unaborted(),
  ): Promise<Reply> {
    const request = { agentId: 'a', scenarioRunId: 's', attempt: 1, history: [], continuation: null, config };
    const provider = registry.find(kind);
    if (provider === undefined) throw new Error(`There is no ${kind} provider.`);
    const session = await provider.connect(request, signal);
    try {
      return await session.send('Hello.', signal);
    } finally {
      await session.close();
    }
  }
  const at = (origin: string): AgentConfig => ({ base_url: `${origin}/v1`, api_key: 'k', max_retries: 0 });
  const AGENT = at('http://agent.example');
  const failed = (message: RegExp | string, kind: 'retryable' | 'terminal') => ({
    code: 'connect_failed',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
    disposition: expect.objectContaining({ kind }),
  });

  it.each<readonly [ProviderKind, () => Promise<FakeAgent>, AgentConfig]>([
    ['openai', startFakeOpenAi, AGENT],
    [
      'http',
      startFakeHttpAgent,
      { url: 'http://agent.example/talk', body: { say: '{{message}}' }, reply_path: 'data.reply' },
    ],
  ])('of kind %s are asked for by the address that was checked, under their own name', async (kind, make, config) => {
    await start(make);
    const registry = registryWith({ 'agent.example': [[PUBLIC]] }, { TARGETS: 'public' });
    await say(registry, config, kind);
    expect(proxy.asked).toEqual([{ method: 'CONNECT', target: `${PUBLIC}:80`, credentials: null }]);
    expect(agent.requests).toMatchObject([{ headers: { host: 'agent.example' } }]);
    expect(agent.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  it('are reached over IPv4 where there is a choice, and over IPv6 where there is none', async () => {
    await start();
    await say(registryWith({ 'agent.example': [['2606:2800::1', PUBLIC]] }), AGENT);
    await say(registryWith({ 'agent.example': [['2606:2800::1']] }), AGENT);
    expect(proxy.asked.map(({ target }) => target)).toEqual([`${PUBLIC}:80`, '[2606:2800::1]:80']);
  });

  it('keep their connection through it', async () => {
    await start();
    const registry = registryWith({ 'agent.example': [[PUBLIC]] });
    await say(registry, AGENT);
    await say(registry, AGENT);
    expect(proxy.asked).toHaveLength(1);
    expect(agent.requests).toHaveLength(2);
  });

  describe('live where TARGETS lets them', () => {
    const refused = { code: 'config_invalid', disposition: { kind: 'terminal' } };

    it.each<readonly [string, readonly string[]]>([
      ['TARGETS=public', ['10.1.2.3']],
      ['TARGETS=public', ['fd00::1']],
      ['TARGETS=public', ['127.0.0.1']],
      ['TARGETS=local', ['169.254.169.254']],
      ['TARGETS=local', ['64:ff9b::169.254.169.254']],
      ['TARGETS=local', ['100.100.100.200']],
    ])('%s: a name that leads to %j is refused before the proxy hears of it', async (setting, addresses) => {
      await start();
      const [, TARGETS = ''] = setting.split('=');
      for (const PROXY_RESOLVES_NAMES of ['false', 'true']) {
        const registry = registryWith({ 'agent.example': [addresses] }, { TARGETS, PROXY_RESOLVES_NAMES });
        await expect(say(registry, AGENT)).rejects.toMatchObject(refused);
      }
      expect(proxy.asked).toEqual([]);
    });

    it.each(['http://169.254.169.254', 'http://10.0.0.1', 'http://0xa.1', 'http://[fd00:ec2::254]'])(
      'TARGETS=public: %s is refused before the proxy hears of it',
      async (origin) => {
        await start();
        await expect(say(registryWith({}, { TARGETS: 'public' }), at(origin))).rejects.toMatchObject(refused);
        expect(proxy.asked).toEqual([]);
      },
    );

    it('a host that is not listed is refused, and a listed one asked for by its address', async () => {
      await start();
      const rules = { TARGETS: 'list', ALLOWED_TARGETS: 'agent.example' };
      const registry = registryWith({ 'agent.example': [[PUBLIC]], 'other.example': [[PUBLIC]] }, rules);
      await expect(say(registry, at('http://other.example'))).rejects.toMatchObject(refused);
      await say(registry, AGENT);
      expect(proxy.asked.map(({ target }) => target)).toEqual([`${PUBLIC}:80`]);
    });

    it('a name that leads elsewhere the second time is refused then', async () => {
      await start();
      const names = { 'agent.example': [[PUBLIC], ['169.254.169.254']] };
      const registry = registryWith(names);
      agent.next((response) => response.writeHead(500, { connection: 'close' }).end());
      await expect(say(registry, AGENT)).rejects.toMatchObject({ code: 'provider_error' });
      await expect(say(registry, AGENT)).rejects.toMatchObject(refused);
      expect(proxy.asked.map(({ target }) => target)).toEqual([`${PUBLIC}:80`]);
    });

    it('forbidden addresses of a name are left out', async () => {
      await start();
      const names = { 'agent.example': [['10.0.0.1', OTHER_PUBLIC]] };
      await say(registryWith(names, { TARGETS: 'public' }), AGENT);
      expect(proxy.asked.map(({ target }) => target)).toEqual([`${OTHER_PUBLIC}:80`]);
    });

    it('nothing lives at the proxy itself', async () => {
      await start();
      await expect(say(registryWith({}), at(proxy.url))).rejects.toMatchObject({
        ...refused,
        message: expect.stringContaining('or its forward proxy'),
      });
      expect(proxy.asked).toEqual([]);
    });

    it('a name that is not known here is not left to the proxy, unless the settings leave names to it', async () => {
      await start();
      await expect(say(registryWith({}), AGENT)).rejects.toMatchObject(
        failed(
          `The host name agent.example could not be looked up (ENOTFOUND), which is done and checked before the proxy 127.0.0.1:${proxy.port} is asked for its address: make the name known to this machine, or set PROXY_RESOLVES_NAMES=true to leave that to the proxy.`,
          'retryable',
        ),
      );
      expect(proxy.asked).toEqual([]);
      await say(registryWith({}, { PROXY_RESOLVES_NAMES: 'true' }), AGENT);
      await say(registryWith({ 'agent.example': [[PUBLIC]] }, { PROXY_RESOLVES_NAMES: 'true' }), AGENT);
      expect(proxy.asked.map(({ target }) => target)).toEqual(['agent.example:80', 'agent.example:80']);
    });
  });

  describe('are reached without it', () => {
    it.each(['http://127.0.0.1', 'http://localhost', 'http://agent.localhost', 'http://local.example'])(
      'on loopback: %s',
      async (origin) => {
        await start();
        const { port } = new URL(agent.origin);
        const names = Object.fromEntries(
          ['localhost', 'agent.localhost', 'local.example'].map((name) => [name, [['127.0.0.1']]]),
        );
        await say(registryWith(names), at(`${origin}:${port}`));
        expect(proxy.asked).toEqual([]);
        expect(agent.requests).toHaveLength(1);
      },
    );

    it('where NO_PROXY names them', async () => {
      await start();
      const registry = registryWith({ 'agent.example': [['127.0.0.1']] }, { no_proxy: 'example' });
      await say(registry, at(`http://agent.example:${new URL(agent.origin).port}`));
      expect(proxy.asked).toEqual([]);
      expect(agent.requests).toHaveLength(1);
    });
  });

  describe('that lets nothing through end in an error that names it', () => {
    const names = { 'agent.example': [[PUBLIC]] };

    it('and its settings, when it asks for credentials or does not take them', async () => {
      await start(startFakeOpenAi, { credentials: 'night:p@ss:word' });
      await say(registryWith(names), AGENT);
      expect(proxy.asked.at(-1)?.credentials).toBe('night:p@ss:word');
      const open = proxy.url.replace(/\/\/.*@/, '//');
      await expect(say(registryWith(names, { HTTP_PROXY: open }), AGENT)).rejects.toMatchObject(
        failed(
          `The proxy 127.0.0.1:${proxy.port} asks for credentials (407): check user and password in HTTP_PROXY.`,
          'terminal',
        ),
      );
      const wrong = open.replace('//', '//night:hunter2@');
      await expect(say(registryWith(names, { HTTP_PROXY: wrong }), AGENT)).rejects.toMatchObject(
        failed(
          `The proxy 127.0.0.1:${proxy.port} does not accept the credentials (407): check user and password in HTTP_PROXY.`,
          'terminal',
        ),
      );
    });

    it.each<readonly [number, RegExp, 'retryable' | 'terminal']>([
      [
        403,
        /^The proxy 127\.0\.0\.1:\d+ refuses to connect to agent\.example:80 \(403\): have its rules allow CONNECT to it \(it is asked by address; where it goes by name, set PROXY_RESOLVES_NAMES=true\), or add the host to NO_PROXY\.$/,
        'terminal',
      ],
      [405, /refuses to connect to agent\.example:80 \(405\)/, 'terminal'],
      [204, /refuses to connect to agent\.example:80 \(204\)/, 'terminal'],
      [301, /refuses to connect to agent\.example:80 \(301\)/, 'terminal'],
      [
        502,
        /^The proxy 127\.0\.0\.1:\d+ could not connect to agent\.example:80 \(502\): check that it reaches this address/,
        'retryable',
      ],
      [504, /could not connect to agent\.example:80 \(504\)/, 'retryable'],
    ])('and what it was asked for, when it answers %i', async (status, sentence, kind) => {
      await start();
      proxy.behave({ status });
      await expect(say(registryWith(names), AGENT)).rejects.toMatchObject(failed(sentence, kind));
      await eventually(() => expect(proxy.openSockets).toBe(0));
      expect(agent.requests).toEqual([]);
    });

    it.each<readonly [string, string, RegExp, 'retryable' | 'terminal']>([
      [
        'garbage',
        'SSH-2.0-OpenSSH_9.7\r\n',
        /^The proxy 127\.0\.0\.1:\d+ answers something other than HTTP \(HTTPParserError\): check that HTTP_PROXY names an HTTP proxy and its scheme\.$/,
        'terminal',
      ],
      [
        'endless headers',
        `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(20_000)}`,
        /answers something other than HTTP \(UND_ERR_HEADERS_OVERFLOW\)/,
        'terminal',
      ],
      [
        'nothing',
        '',
        /^The proxy 127\.0\.0\.1:\d+ cannot be reached \(UND_ERR_SOCKET\): check that it runs/,
        'retryable',
      ],
    ])('when it answers %s', async (_what, write, sentence, kind) => {
      await start();
      proxy.behave({ write });
      await expect(say(registryWith(names), AGENT)).rejects.toMatchObject(failed(sentence, kind));
      await eventually(() => expect(proxy.openSockets).toBe(0));
    });

    it('when it is down', async () => {
      await start();
      await proxy.close();
      await expect(say(registryWith(names), AGENT)).rejects.toMatchObject(
        failed(
          /^The proxy 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\): check that it runs, and HTTP_PROXY\.$/,
          'retryable',
        ),
      );
    });

    it('when it never answers, after ten seconds; a canceled call closes its connection at once', async () => {
      await start();
      proxy.behave('hang');
      const canceled = new AbortController();
      const call = say(registryWith(names), AGENT, 'openai', canceled.signal);
      const ended = expect(call).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
      await eventually(() => expect(proxy.asked.length).toBe(1));
      canceled.abort();
      await ended;
      await eventually(() => expect(proxy.openSockets).toBe(0), 2_000);
      await expect(say(registryWith(names), AGENT)).rejects.toMatchObject(
        failed(/gave no answer within 10 s when asked for agent\.example:80: check that it runs/, 'retryable'),
      );
    });
  });

  describe('that lies', () => {
    const names = { 'agent.example': [[PUBLIC]] };

    it.each<readonly [string, string]>([
      ['speaks no TLS', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'],
      ['says garbage', '\u0000\u0001\u0002'.repeat(100)],
      ['hangs up', ''],
    ])('gets nothing of an https agent: whoever answers and %s is named with the proxy', async (_what, pretend) => {
      await start();
      proxy.behave({ pretend });
      await expect(say(registryWith(names), at('https://agent.example'))).rejects.toMatchObject({
        code: 'connect_failed',
        message: expect.stringMatching(
          /^Through the proxy 127\.0\.0\.1:\d+ no encrypted connection to agent\.example:443 comes about \(\w+\): check that the address is meant to be https/,
        ),
      });
      expect(proxy.asked).toMatchObject([{ method: 'CONNECT', target: `${PUBLIC}:443` }]);
    });

    it('is not told the credentials by an agent that has them said back', async () => {
      await start(startFakeOpenAi, { credentials: 'night:hunter2-hunter2' });
      const header = Buffer.from('night:hunter2-hunter2').toString('base64');
      const body = JSON.stringify({ error: { message: `You sent Basic ${header}, night:hunter2-hunter2.` } });
      proxy.behave({
        pretend: `HTTP/1.1 400 Bad\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      });
      const settings = settingsFrom({ HTTP_PROXY: proxy.url });
      const registry = registryWith(names);
      const error: unknown = await say(registry, AGENT).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'provider_error' });
      expect(settings.egress.http?.secrets).toEqual(['hunter2-hunter2', header]);
    });
  });
});
