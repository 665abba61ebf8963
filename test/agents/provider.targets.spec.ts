import { AccessToken } from 'livekit-server-sdk';
import type { ProviderKind } from '../../src/domain/provider-kinds';
import { HttpClient, type HttpRequest } from '../../src/agents/outbound/http-client';
import { InProcessRequestBudget } from '../../src/agents/outbound/in-process.request-budget';
import { AgentRoom } from '../../src/agents/livekit/agent-room';
import { RoomProcesses } from '../../src/agents/livekit/room-processes';
import type { AgentConfig } from '../../src/agents/provider';
import { ProviderRegistry } from '../../src/agents/registry';
import { Secrets } from '../../src/agents/secrets/secrets';
import { readAllowedTarget } from '../../src/platform/targets/allowed-targets';
import { OwnServices } from '../../src/platform/targets/own-services';
import { TargetGuard } from '../../src/platform/targets/target-guard';
import { TargetPolicy, type TargetMode } from '../../src/platform/targets/target-policy';
import { sendJson, startHttpStub, type HttpStub } from '../fakes/http-stub';
import { startFakePipecatCloud } from '../fakes/pipecat-cloud-server';
import { describeWithLiveKit } from '../setup/describe-with-livekit';
import { LiveKitServer } from '../setup/livekit-server';
import { unaborted } from './provider.contract';

/** A name server played by the test: what each name leads to the first time, the second time, and so on. */
type Answers = Readonly<Record<string, (readonly string[])[]>>;

/** Refused addresses are decided by the rule alone: whoever is connected to in here listens on loopback. */
function guardOf(mode: TargetMode, allowed: readonly string[] = [], answers: Answers = {}): TargetGuard {
  const resolve = (name: string): Promise<readonly string[]> => {
    const all = answers[name] ?? [];
    const answer = all.length > 1 ? all.shift() : all[0];
    return answer === undefined
      ? Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }))
      : Promise.resolve(answer);
  };
  const own = new OwnServices(() => [], resolve);
  const entries = allowed.map(readAllowedTarget).filter((entry) => entry !== null);
  return new TargetGuard(new TargetPolicy({ mode, allowed: entries }, own), own, resolve);
}

const REFUSED = { code: 'config_invalid', disposition: { kind: 'terminal' } };

describe('connections to agents', () => {
  let stub: HttpStub;
  const closing: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    stub = await startHttpStub((response) => sendJson(response, 200, { ok: true }));
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await stub.close();
  });

  const portOf = (origin: string): number => Number(new URL(origin).port);
  function clientOf(guard: TargetGuard): HttpClient {
    const client = new HttpClient({ guard });
    closing.push(() => client.close());
    return client;
  }
  const request = (host: string): HttpRequest => ({
    origin: `http://${host}:${portOf(stub.origin)}`,
    path: '/',
    method: 'POST',
    headers: {},
    body: '{}',
    timeoutMs: 20_000,
  });

  it('go to the address that was checked, whatever the system would find behind the name', async () => {
    const client = clientOf(guardOf('list', ['agent.example'], { 'agent.example': [['127.0.0.1']] }));
    expect(await client.send(request('agent.example'), unaborted())).toMatchObject({ status: 200 });
    expect(stub.requests).toMatchObject([{ headers: { host: `agent.example:${portOf(stub.origin)}` } }]);
  });

  it('are refused to a name that leads elsewhere the second time', async () => {
    const answers = { 'rebinding.example': [['127.0.0.1'], ['169.254.169.254']] };
    const client = clientOf(guardOf('local', [], answers));
    stub.next((response) => response.writeHead(200, { connection: 'close' }).end('{}'));
    await client.send(request('rebinding.example'), unaborted());
    await expect(client.send(request('rebinding.example'), unaborted())).rejects.toMatchObject({
      ...REFUSED,
      message: expect.stringMatching(/^The address rebinding\.example:\d+ leads to a link-local address/),
    });
    expect(stub.requests).toHaveLength(1);
  });

  it('are given up when they turn out to be forbidden once they are there, before anything is sent', async () => {
    let checksSinceLookup = -Infinity;
    const resolve = () => {
      checksSinceLookup = 0;
      return Promise.resolve(['127.0.0.1']);
    };
    // Ours from the second look on: the address was checked by then, and its socket is there.
    const own = new OwnServices(() =>
      ++checksSinceLookup > 1 ? [{ host: '127.0.0.1', port: portOf(stub.origin) }] : [],
    );
    const guard = new TargetGuard(new TargetPolicy({ mode: 'local', allowed: [] }, own), own, resolve);
    await expect(clientOf(guard).send(request('agent.example'), unaborted())).rejects.toMatchObject({
      ...REFUSED,
      message: expect.stringMatching(/leads to a port of this service itself/),
    });
    expect(stub.acceptedSockets).toBe(1);
    expect(stub.requests).toEqual([]);
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    'localhost',
  ])('are refused to %s when only public addresses are allowed, before a socket is opened', async (host) => {
    await expect(clientOf(guardOf('public')).send(request(host), unaborted())).rejects.toMatchObject(REFUSED);
    expect(stub.acceptedSockets).toBe(0);
  });

  it('do not follow a redirect, so that it leads nowhere', async () => {
    stub.next((response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end());
    const client = clientOf(guardOf('local'));
    expect(await client.send(request('127.0.0.1'), unaborted())).toMatchObject({ status: 302 });
  });

  describe('of every kind', () => {
    function registryOf(guard: TargetGuard): ProviderRegistry {
      const registry = new ProviderRegistry({ budget: new InProcessRequestBudget(), targets: guard });
      closing.push(() => registry.close());
      return registry;
    }
    async function talk(registry: ProviderRegistry, kind: ProviderKind, config: AgentConfig): Promise<void> {
      const request = { agentId: 'a', scenarioRunId: 's', attempt: 1, history: [], continuation: null, config };
      const session = await registry.find(kind)?.connect(request, unaborted());
      try {
        await session?.send('Hello.', unaborted());
      } finally {
        await session?.close();
      }
    }
    const ws = (): string => stub.origin.replace('http:', 'ws:');
    const keys = { api_key: 'key', api_secret: 'secret-of-32-characters-or-more-x' };
    const transport = { transport_api_key: keys.api_key, transport_api_secret: keys.api_secret };

    it.each<[string, ProviderKind, () => AgentConfig]>([
      ['base_url', 'openai', () => ({ base_url: stub.origin, api_key: 'k' })],
      ['api_base', 'vapi', () => ({ api_base: stub.origin, api_key: 'k', assistant_id: 'a' })],
      ['url', 'http', () => ({ url: `${stub.origin}/{{session_id}}`, body: '{{message}}' })],
      ['url', 'livekit', () => ({ url: ws(), ...keys })],
      ['url beside a token', 'livekit', () => ({ url: ws(), auth_mode: 'token', token: 'a.b.c' })],
      ['url beside a token_url', 'livekit', () => ({ url: ws(), auth_mode: 'token', token_url: stub.origin })],
      ['base_url', 'pipecat', () => ({ base_url: stub.origin, api_key: 'k', agent_name: 'a' })],
      [
        'transport_url',
        'pipecat',
        () => ({ base_url: stub.origin, api_key: 'k', agent_name: 'a', transport_url: ws(), ...transport }),
      ],
    ])('end as config_invalid for a forbidden %s (%s), before anything is sent', async (_field, kind, configOf) => {
      await expect(talk(registryOf(guardOf('public')), kind, configOf())).rejects.toMatchObject({
        ...REFUSED,
        message: expect.stringMatching(/TARGETS=public/),
      });
      expect(stub.acceptedSockets).toBe(0);
    });

    it('ask no forbidden token_url for a token', async () => {
      const guard = guardOf('list', ['127.0.0.1:9']);
      const config = { url: 'ws://127.0.0.1:9', auth_mode: 'token', token_url: stub.origin };
      await expect(talk(registryOf(guard), 'livekit', config)).rejects.toMatchObject({
        ...REFUSED,
        message: expect.stringMatching(/ALLOWED_TARGETS/),
      });
      expect(stub.acceptedSockets).toBe(0);
    });

    it('ask no token_url for a token of a forbidden server', async () => {
      const guard = guardOf('list', [`127.0.0.1:${portOf(stub.origin)}`]);
      const config = { url: 'ws://127.0.0.1:9', auth_mode: 'token', token_url: stub.origin };
      await expect(talk(registryOf(guard), 'livekit', config)).rejects.toMatchObject(REFUSED);
      expect(stub.acceptedSockets).toBe(0);
    });

    it("do not go where Pipecat's answer says when no agent may live there", async () => {
      const cloud = await startFakePipecatCloud({
        startBot: async () => ({ answer: { url: ws(), token: 'a.b.c' }, stop: async () => undefined }),
      });
      closing.push(() => cloud.close());
      const guard = guardOf('list', [`127.0.0.1:${portOf(cloud.baseUrl)}`]);
      const config = { base_url: cloud.baseUrl, api_key: 'k', agent_name: 'clinic' };
      await expect(talk(registryOf(guard), 'pipecat', config)).rejects.toMatchObject(REFUSED);
      expect(stub.acceptedSockets).toBe(0);
      expect(cloud.liveSessions).toEqual([]);
    });
  });
});

describeWithLiveKit('rooms of a LiveKit server behind a name', () => {
  let server: LiveKitServer;
  let processes: RoomProcesses;

  beforeAll(async () => {
    server = await LiveKitServer.start();
  });
  afterEach(() => processes.close());
  afterAll(() => server.close());

  async function join(name: string, room: string, guard: TargetGuard): Promise<AgentRoom> {
    processes = new RoomProcesses(guard);
    const token = new AccessToken(server.apiKey, server.apiSecret, { identity: 'patient' });
    token.addGrant({ room, roomJoin: true, canPublishData: true, canSubscribe: true });
    const address = { url: `ws://${name}:${server.port}`, token: await token.toJwt() };
    return AgentRoom.join(processes, address, Secrets.of({}), unaborted());
  }

  it('are joined at the address that was checked', async () => {
    const room = await join(
      'livekit.example',
      'ward',
      guardOf('list', ['livekit.example'], { 'livekit.example': [['127.0.0.1']] }),
    );
    expect(room.name).toBe('ward');
    await room.leave();
  });

  it('are not joined when the name leads elsewhere between the check and the connection', async () => {
    const answers = { 'rebinding.example': [['127.0.0.1'], ['169.254.169.254']] };
    await expect(join('rebinding.example', 'rebound', guardOf('local', [], answers))).rejects.toMatchObject({
      code: 'connect_failed',
    });
    expect(await server.roomNames()).not.toContain('rebound');
  });
});
