import { randomUUID } from 'node:crypto';
import type { ProviderKind } from '../../src/domain/provider-kinds';
import type { Turn } from '../../src/domain/conversation';
import type { Clock } from '../../src/agents/outbound/clock';
import { InProcessRequestBudget } from '../../src/agents/outbound/in-process.request-budget';
import type { AgentConfig, ConnectRequest, Provider, Reply } from '../../src/agents/provider';
import { ProviderRegistry } from '../../src/agents/registry';
import type { FakeAgent, FakeAgentOptions, FakeMessage } from '../fakes/fake-agent';
import { manualClock, type ManualClock } from '../fakes/manual-clock';
import { hang, status } from '../fakes/misbehaviour';

/** What the suite has to know of a kind: its fake vendor and how an agent's config points at it. */
export interface ProviderFixture {
  readonly kind: ProviderKind;
  /** Whether another process goes on with a conversation; if not, it starts again there. Default true. */
  readonly resumable?: boolean;
  /** An agent of this kind that fails says nothing at all: the message meets its deadline. Default false. */
  readonly failsSilently?: boolean;
  startAgent(options: FakeAgentOptions): Promise<FakeAgent>;
  configFor(agent: { readonly baseUrl: string }): AgentConfig;
}

/** The credential in every config of the suite: it must never come back out. */
export const SECRET = 'sk-osce-8c1f/5a"7e&secret';

/** Says everything the patient said so far, so that a lost message shows. */
export const recallAll = (messages: readonly FakeMessage[]): string =>
  messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content)
    .join(' | ');

/** One fake agent and the providers that talk to it, ended together. */
export class ProviderBench {
  readonly clock: ManualClock = manualClock();
  private readonly closing: (() => Promise<void>)[] = [];

  private constructor(
    private readonly fixture: ProviderFixture,
    readonly agent: FakeAgent,
  ) {}

  static async start(fixture: ProviderFixture, options: FakeAgentOptions = {}): Promise<ProviderBench> {
    return new ProviderBench(fixture, await fixture.startAgent(options));
  }

  /** A provider as another process would have it: nothing is shared with those made before. */
  provider(clock: Clock = this.clock): Provider {
    const registry = new ProviderRegistry({ budget: new InProcessRequestBudget(clock), clock });
    this.closing.push(() => registry.close());
    const provider = registry.find(this.fixture.kind);
    if (provider === undefined) throw new Error(`No provider of the kind ${this.fixture.kind}.`);
    return provider;
  }

  request(config: AgentConfig = {}, resume: Partial<ConnectRequest> = {}): ConnectRequest {
    return {
      agentId: '00000000-0000-4000-8000-000000000001',
      scenarioRunId: '00000000-0000-4000-8000-000000000002',
      attempt: 1,
      history: [],
      continuation: null,
      ...resume,
      config: { ...this.fixture.configFor(this.agent), ...config },
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.closing.map((close) => close()));
    await this.agent.close();
  }
}

/** A signal that nobody aborts. */
export const unaborted = (): AbortSignal => new AbortController().signal;

export function exchange(turn: number, patientMessage: string, { content, latencyMs }: Reply): Turn {
  const at = new Date(0).toISOString();
  return { turn, patientMessage, patientAt: at, agentMessage: content, agentAt: at, latencyMs };
}

/** What every provider promises, whatever it talks to. */
export function describeProvider(fixture: ProviderFixture): void {
  describe(`${fixture.kind} provider: conversation`, () => {
    let bench: ProviderBench;

    beforeEach(async () => {
      bench = await ProviderBench.start(fixture, { reply: recallAll });
    });
    afterEach(() => bench.close());

    it('is available and names its kind', () => {
      const provider = bench.provider();
      expect(provider.kind).toBe(fixture.kind);
      expect(provider.availability()).toMatchObject({ available: true });
    });

    it('sends messages in order and hands back the reply to each', async () => {
      const session = await bench.provider().connect(bench.request(), unaborted());
      const first = await session.send('My chest hurts.', unaborted());
      const second = await session.send('Since this morning.', unaborted());
      await session.close();
      expect(session.greeting).toBeNull();
      expect(first.content).toBe('My chest hurts.');
      expect(second.content).toBe('My chest hurts. | Since this morning.');
      expect(bench.agent.requests).toHaveLength(2);
      expect(first.latencyMs).toBeGreaterThanOrEqual(0);
    });

    it('goes on with a conversation on another process, or starts it again', async () => {
      const { resumable = true } = fixture;
      const provider = bench.provider();
      expect(provider.resumable).toBe(resumable);
      const session = await provider.connect(bench.request(), unaborted());
      const first = await session.send('one', unaborted());
      const second = await session.send('two', unaborted());
      await session.close();
      // The host hands no history to a provider that cannot go on with it.
      const history = resumable ? [exchange(1, 'one', first), exchange(2, 'two', second)] : [];

      const resumed = await bench
        .provider()
        .connect(bench.request({}, { attempt: 2, history, continuation: second.continuation }), unaborted());
      const third = await resumed.send('three', unaborted());
      expect(third.content).toBe(resumable ? 'one | two | three' : 'three');
      await resumed.close();
    });

    it('keeps a message that failed out of the conversation', async () => {
      const { failsSilently = false } = fixture;
      const patience = failsSilently ? { turn_timeout_ms: 6_000 } : {};
      const session = await bench.provider().connect(bench.request({ max_retries: 0, ...patience }), unaborted());
      await session.send('one', unaborted());
      bench.agent.next(status(500));
      const code = failsSilently ? 'provider_timeout' : 'provider_error';
      await expect(session.send('two', unaborted())).rejects.toMatchObject({ code });
      expect((await session.send('two again', unaborted())).content).toBe('one | two again');
    });

    it('keeps two conversations apart', async () => {
      const provider = bench.provider();
      const [a, b] = await Promise.all([
        provider.connect(bench.request(), unaborted()),
        provider.connect(bench.request({}, { scenarioRunId: randomUUID() }), unaborted()),
      ]);
      await a.send('from a', unaborted());
      await b.send('from b', unaborted());
      expect((await a.send('a again', unaborted())).content).toBe('from a | a again');
    });

    it('ends the message in flight when it is aborted', async () => {
      bench.agent.next(hang());
      const session = await bench.provider().connect(bench.request(), unaborted());
      const abort = new AbortController();
      const sending = session.send('hello', abort.signal);
      await bench.agent.until(() => bench.agent.inFlight === 1);
      abort.abort();
      await expect(sending).rejects.toMatchObject({ name: 'ProviderError', disposition: { kind: 'canceled' } });
      await session.close();
      await bench.agent.until(() => bench.agent.openSockets === 0);
      expect(bench.agent.requests).toHaveLength(1);
    });

    it('sends nothing when the signal is aborted already', async () => {
      const session = await bench.provider().connect(bench.request(), unaborted());
      await expect(session.send('hello', AbortSignal.abort())).rejects.toMatchObject({
        disposition: { kind: 'canceled' },
      });
      expect(bench.agent.requests).toHaveLength(0);
    });

    it('lets go of the signal when a message is done', async () => {
      const session = await bench.provider().connect(bench.request(), unaborted());
      const { signal } = new AbortController();
      const added = jest.spyOn(signal, 'addEventListener');
      const removed = jest.spyOn(signal, 'removeEventListener');
      await session.send('hello', signal);
      expect(added.mock.calls.length).toBeGreaterThan(0);
      expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
    });

    it('takes one message at a time', async () => {
      bench.agent.next(hang());
      const session = await bench.provider().connect(bench.request(), unaborted());
      const first = session.send('one', unaborted());
      await expect(session.send('two', unaborted())).rejects.toMatchObject({ code: 'internal' });
      const ended = expect(first).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
      await session.close();
      await ended;
    });

    it('ends the message in flight when it is closed, as often as one likes, and sends nothing later', async () => {
      bench.agent.next(hang());
      const session = await bench.provider().connect(bench.request(), unaborted());
      const ended = expect(session.send('one', unaborted())).rejects.toMatchObject({
        disposition: { kind: 'canceled' },
      });
      await bench.agent.until(() => bench.agent.inFlight === 1);
      await Promise.all([session.close(), session.close()]);
      await session.close();
      await ended;
      await bench.agent.until(() => bench.agent.openSockets === 0);
      await expect(session.send('two', unaborted())).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
      expect(bench.agent.requests).toHaveLength(1);
    });

    it('counts the time the agent took', async () => {
      await bench.close();
      bench = await ProviderBench.start(fixture, { delayMs: 40 });
      const session = await bench.provider().connect(bench.request(), unaborted());
      const { latencyMs } = await session.send('hello', unaborted());
      // Timers may fire a millisecond early.
      expect(latencyMs).toBeGreaterThanOrEqual(38);
    });

    it.each([0, -1, 1.5, '30000', 1e12])('names turn_timeout_ms when it is %p', async (turn_timeout_ms) => {
      const connecting = bench.provider().connect(bench.request({ turn_timeout_ms }), unaborted());
      await expect(connecting).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringContaining('turn_timeout_ms'),
      });
      expect(bench.agent.openSockets).toBe(0);
    });

    it('names every field that is wrong', async () => {
      const connecting = bench
        .provider()
        .connect(bench.request({ maxRetries: -1, requests_per_minute: 0 }), unaborted());
      await expect(connecting).rejects.toMatchObject({
        message: expect.stringMatching(/max_retries.*requests_per_minute|requests_per_minute.*max_retries/),
      });
    });
  });
}
