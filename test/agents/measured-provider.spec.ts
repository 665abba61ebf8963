import type { ErrorCode } from '../../src/domain';
import type { CallOutcome } from '../../src/platform/telemetry';
import { Metrics, type OutsideCall } from '../../src/platform/telemetry/metrics/metrics';
import { AgentHungUp, ProviderError } from '../../src/agents/errors';
import { MeasuredProvider } from '../../src/agents/measured.provider';
import {
  Provider,
  type Availability,
  type Branching,
  type ConnectRequest,
  type Reply,
  type Session,
} from '../../src/agents/provider';
import { unaborted } from './provider.contract';

/** Notes each call to the outside with its outcome; null while it lasts. */
class NotedMetrics extends Metrics {
  readonly calls: { readonly call: OutsideCall; outcome: CallOutcome | null }[] = [];
  override count(): void {}
  override observe(): void {}
  override gauge(): void {}
  override callBegan(call: OutsideCall): (outcome: CallOutcome) => void {
    const noted: NotedMetrics['calls'][number] = { call, outcome: null };
    this.calls.push(noted);
    return (outcome) => void (noted.outcome = outcome);
  }
}

const REPLY: Reply = { content: 'Hello.', latencyMs: 1, continuation: null, metadata: {} };
const REQUEST: ConnectRequest = {
  agentId: 'a',
  config: {},
  scenarioRunId: 's',
  attempt: 1,
  history: [],
  continuation: null,
};

/** Speaks, and fails where a test says so. */
class ObedientProvider extends Provider {
  override readonly kind = 'pipecat';
  override readonly resumable = false;
  override readonly speaks = true;
  override readonly isVoiceOnly = true;
  failure: Error | null = null;
  closed = 0;

  override availability(): Availability {
    return { available: false, reason: 'none' };
  }

  override branching(): Branching {
    return 'continuation';
  }

  override async connect(): Promise<Session> {
    this.throwIfTold();
    return {
      greeting: 'Good day.',
      send: async () => {
        this.throwIfTold();
        return REPLY;
      },
      close: async () => void (this.closed += 1),
      metadata: () => ({ room: 'r' }),
    };
  }

  private throwIfTold(): void {
    if (this.failure !== null) throw this.failure;
  }
}

function measured() {
  const [inner, metrics] = [new ObedientProvider(), new NotedMetrics()];
  return { inner, metrics, provider: new MeasuredProvider(inner, metrics) };
}

test('a provider whose calls are counted is otherwise the one that it was', async () => {
  const { provider, inner } = measured();
  const { kind, resumable, speaks, isVoiceOnly } = provider;
  expect({ kind, resumable, speaks, isVoiceOnly }).toEqual({
    kind: 'pipecat',
    resumable: false,
    speaks: true,
    isVoiceOnly: true,
  });
  expect(provider.availability()).toEqual({ available: false, reason: 'none' });
  expect(provider.branching({})).toBe('continuation');
  const session = await provider.connect(REQUEST, unaborted());
  expect(session.greeting).toBe('Good day.');
  expect(session.metadata()).toEqual({ room: 'r' });
  expect(await session.send('Hi', unaborted())).toBe(REPLY);
  await session.close();
  expect(inner.closed).toBe(1);
});

test('a connection and each reply are calls of the kind, which end as they went', async () => {
  const { provider, inner, metrics } = measured();
  const session = await provider.connect(REQUEST, unaborted());
  await session.send('Hi', unaborted());
  inner.failure = new ProviderError('rate_limited', 'Later.');
  await expect(session.send('Hi', unaborted())).rejects.toBe(inner.failure);
  expect(metrics.calls).toEqual([
    { call: { to: 'agent', kind: 'pipecat', call: 'connect' }, outcome: 'ok' },
    { call: { to: 'agent', kind: 'pipecat', call: 'reply' }, outcome: 'ok' },
    { call: { to: 'agent', kind: 'pipecat', call: 'reply' }, outcome: 'rate_limited' },
  ]);
});

const OUTCOMES: readonly (readonly [ErrorCode, CallOutcome])[] = [
  ['auth_failed', 'key_refused'],
  ['not_found', 'misconfigured'],
  ['rate_limited', 'rate_limited'],
  ['provider_error', 'failed'],
  ['provider_timeout', 'timed_out'],
  ['empty_reply', 'unusable'],
  ['transport_unsupported', 'misconfigured'],
  ['connect_failed', 'unreachable'],
  ['agent_not_joined', 'unreachable'],
  ['config_invalid', 'misconfigured'],
  ['no_rubric', 'failed'],
  ['grading_failed', 'failed'],
  ['tester_failed', 'failed'],
  ['speech_failed', 'failed'],
  ['internal', 'failed'],
];

describe('A call that fails', () => {
  async function outcomeOf(failure: Error, signal = unaborted()): Promise<CallOutcome | null | undefined> {
    const { provider, inner, metrics } = measured();
    inner.failure = failure;
    await expect(provider.connect(REQUEST, signal)).rejects.toBe(failure);
    return metrics.calls[0]?.outcome;
  }

  it.each(OUTCOMES)('by %s counts as %s', async (code, outcome) => {
    expect(await outcomeOf(new ProviderError(code, 'No.'))).toBe(outcome);
  });

  it.each<[string, Error, AbortSignal, CallOutcome]>([
    ['since the agent hung up', new AgentHungUp(), unaborted(), 'hung_up'],
    ['since it was canceled', ProviderError.canceled(), unaborted(), 'canceled'],
    ['after it was given up', new ProviderError('connect_failed', 'No.'), AbortSignal.abort(), 'canceled'],
    ['by a mistake of ours', new TypeError('no'), unaborted(), 'failed'],
  ])('%s counts as what it was', async (_, failure, signal, outcome) => {
    expect(await outcomeOf(failure, signal)).toBe(outcome);
  });
});
