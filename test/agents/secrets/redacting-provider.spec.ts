import { PROVIDER_KINDS } from '../../../src/domain/provider-kinds';
import { RedactingProvider } from '../../../src/agents/secrets/redacting-provider';
import { ProviderError } from '../../../src/agents/errors';
import { InProcessRequestBudget } from '../../../src/agents/outbound/in-process.request-budget';
import {
  Provider,
  type Availability,
  type ConnectRequest,
  type Reply,
  type Session,
} from '../../../src/agents/provider';
import { ProviderRegistry } from '../../../src/agents/registry';
import { MAX_REPLY_BYTES } from '../../../src/agents/reply-text';

const KEY = 'sk-0123456789abcdef';
const SERVICE_KEY = 'service-key-of-the-night-shift';
const TOKEN = 'token-made-for-one-room-4711';
const EVERYTHING = `${KEY} ${SERVICE_KEY} ${TOKEN}`;

/** Forgets that there are secrets, in everything that a provider tells. */
class CarelessProvider extends Provider {
  override readonly kind = 'openai';
  override readonly resumable = true;
  failure: ProviderError | null = null;

  override availability(): Availability {
    return { available: true };
  }

  override async connect({ secrets }: ConnectRequest): Promise<Session> {
    await secrets?.learn(TOKEN);
    if (this.failure !== null) throw this.failure;
    return {
      greeting: `Hello, ${EVERYTHING}`,
      send: (message: string): Promise<Reply> => {
        if (message === 'fail') return Promise.reject(leaking());
        const echoed = { content: message, latencyMs: 1, continuation: null, metadata: {} };
        if (message !== 'hello') return Promise.resolve(echoed);
        const told = { said: EVERYTHING, [EVERYTHING]: [EVERYTHING] };
        const spoken = {
          ...{ said: { from: 0, to: 1 }, interjection: null, heard: [], echoes: [], latencyMs: null, isReliable: true },
          ...{ own: EVERYTHING, isBrokenOff: false, understood: EVERYTHING },
        };
        return Promise.resolve({
          ...{ content: EVERYTHING, latencyMs: 1, continuation: { id: EVERYTHING }, metadata: told, spoken },
        });
      },
      close: () => Promise.resolve(),
      metadata: () => ({ room: EVERYTHING }),
    };
  }
}

function leaking(): ProviderError {
  const cause = new Error(EVERYTHING);
  return new ProviderError('auth_failed', `Refused: ${EVERYTHING}`, { kind: 'retryable', retryAfterMs: 7 }, { cause });
}

const signal = new AbortController().signal;
const request: ConnectRequest = {
  agentId: 'an agent',
  config: { api_key: KEY },
  scenarioRunId: 'a scenario run',
  attempt: 1,
  history: [],
  continuation: null,
};

function expectClean(told: unknown): void {
  const whole = JSON.stringify(told);
  expect(whole).toContain('[removed]');
  for (const secret of EVERYTHING.split(' ')) expect(whole).not.toContain(secret);
}

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => null,
    (error: unknown) => error,
  );
}

test('nothing that a provider tells holds a secret of the agent, of the service or of the conversation', async () => {
  const session = await new RedactingProvider(new CarelessProvider(), [SERVICE_KEY]).connect(request, signal);
  expectClean(session.greeting);
  const reply = await session.send('hello', signal);
  expectClean(reply.content);
  expectClean(reply.continuation);
  expectClean(reply.metadata);
  expectClean(reply.spoken?.own);
  expectClean(reply.spoken?.understood);
  expectClean(session.metadata());
});

test('what was heard of an agent that says aloud what its config holds is cleared as what it writes is', async () => {
  const session = await new RedactingProvider(new CarelessProvider(), [SERVICE_KEY]).connect(request, signal);
  expectClean(session.cleared?.(`My password is ${EVERYTHING}.`));
  expect(session.cleared?.('Take a rest.')).toBe('Take a rest.');
});

test('neither does a failure, which keeps what else it says and loses its cause', async () => {
  const careless = new CarelessProvider();
  const provider = new RedactingProvider(careless, [SERVICE_KEY]);
  const session = await provider.connect(request, signal);
  careless.failure = leaking();
  for (const failure of [
    await failureOf(session.send('fail', signal)),
    await failureOf(provider.connect(request, signal)),
  ]) {
    expect(failure).toBeInstanceOf(ProviderError);
    expect(failure).toMatchObject({ code: 'auth_failed', disposition: { kind: 'retryable', retryAfterMs: 7 } });
    expectClean(String(failure));
    expect(failure).not.toHaveProperty('cause', expect.anything());
  }
});

test('a failure that holds no secret is told as it is, with its cause', async () => {
  const careless = new CarelessProvider();
  careless.failure = new ProviderError('connect_failed', 'No way.', { kind: 'terminal' }, { cause: new Error('down') });
  const provider = new RedactingProvider(careless, [SERVICE_KEY]);
  expect(await failureOf(provider.connect(request, signal))).toBe(careless.failure);
});

test('a reply that grows beyond the limit when its secrets are replaced is refused, not cut', async () => {
  const secret = 'k7-0123-';
  const fits = `${secret} `.repeat(MAX_REPLY_BYTES / 16);
  const provider = new RedactingProvider(new CarelessProvider(), []);
  const session = await provider.connect({ ...request, config: { api_key: secret } }, signal);
  expect((await session.send(fits, signal)).content.startsWith('[removed] [removed] ')).toBe(true);
  const grows = `${secret} `.repeat(MAX_REPLY_BYTES / 9 - 1);
  expect(await failureOf(session.send(grows, signal))).toMatchObject({
    code: 'provider_error',
    message: expect.stringContaining(String(MAX_REPLY_BYTES)),
  });
});

test.each(PROVIDER_KINDS)('%s agents are reached no other way', async (kind) => {
  const registry = new ProviderRegistry({ budget: new InProcessRequestBudget() });
  expect(registry.find(kind)).toBeInstanceOf(RedactingProvider);
  await registry.close();
});
