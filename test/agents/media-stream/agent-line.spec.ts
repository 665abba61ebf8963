import { AgentLine, idsOf } from '../../../src/agents/media-stream/agent-line';
import { StreamClosed } from '../../../src/agents/media-stream/line-failure';
import type { LineThread } from '../../../src/agents/media-stream/line-thread';
import { ProviderError } from '../../../src/agents/errors';
import { Secrets } from '../../../src/agents/secrets/secrets';
import type { AgentCall } from '../../../src/agents/voice/agent-call';
import type { HeardSound } from '../../../src/agents/voice/call-floor';
import { TargetGuard } from '../../../src/platform/targets/target-guard';
import { obedient, QuietThread, type ToldOfLine as Told } from '../../fakes/line-thread';
import { unaborted } from '../provider.contract';

const KEY = 'sk-canary-0123456789';
const GUARD = TargetGuard.local();

function ringing(thread: LineThread, url = 'ws://127.0.0.1:9/media?a=b', signal = unaborted()): Promise<AgentLine> {
  const address = { url: new URL(url), headers: { a: 'b' }, customParameters: { clinic: 'n' }, ids: idsOf('run', 1) };
  return AgentLine.ring(thread, GUARD, address, Secrets.of({ api_key: KEY }), signal);
}

async function line() {
  const thread = new QuietThread(obedient);
  const rung = await ringing(thread);
  return { thread, line: rung };
}

test('the ids of a stream look as the vendor’s do, and are the same for an attempt and no other', () => {
  const ids = idsOf('run', 1);
  expect(ids.streamSid).toMatch(/^MZ[\da-f]{32}$/);
  expect(ids.callSid).toMatch(/^CA[\da-f]{32}$/);
  expect(ids.accountSid).toBe(`AC${'0'.repeat(32)}`);
  expect(idsOf('run', 1)).toEqual(ids);
  expect(idsOf('run', 2).callSid).not.toBe(ids.callSid);
  expect(idsOf('other', 1).streamSid).not.toBe(ids.streamSid);
  expect(ids.callSid.slice(2)).not.toBe(ids.streamSid.slice(2));
});

describe('A line that is rung', () => {
  it.each([
    ['ws://127.0.0.1:9/media?a=b', 'http://127.0.0.1:9', '/media?a=b'],
    ['wss://127.0.0.1:9/', 'https://127.0.0.1:9', '/'],
    ['wss://127.0.0.1/ws', 'https://127.0.0.1', '/ws'],
  ])('connects to %s at the addresses that were checked', async (url, origin, path) => {
    const thread = new QuietThread(obedient);
    await ringing(thread, url);
    expect(thread.asked).toMatchObject([
      {
        type: 'ring',
        plan: {
          origin,
          path,
          headers: { a: 'b' },
          addresses: ['127.0.0.1'],
          through: null,
          ids: idsOf('run', 1),
          customParameters: { clinic: 'n' },
        },
      },
    ]);
  });

  it('is not rung where the deployment’s rules forbid it, nor once the call was given up', async () => {
    const thread = new QuietThread(obedient);
    await expect(ringing(thread, 'ws://169.254.169.254/latest')).rejects.toMatchObject({ code: 'config_invalid' });
    await expect(ringing(thread, undefined, AbortSignal.abort())).rejects.toMatchObject({
      disposition: { kind: 'canceled' },
    });
    expect(thread.asked).toEqual([]);
  });

  it('to a name that is not known is one that may be rung again', async () => {
    const thread = new QuietThread(obedient);
    await expect(ringing(thread, 'ws://no-such-host.invalid/')).rejects.toMatchObject({
      code: 'connect_failed',
      disposition: { kind: 'retryable' },
    });
  });

  it.each<[string, Told, object]>([
    [
      'was refused',
      { type: 'refused', status: 401, headers: {}, text: `{"key":"${KEY}"}` },
      { code: 'auth_failed', message: expect.stringContaining('It said: {"key":"[removed]"}') },
    ],
    [
      'has to wait',
      { type: 'refused', status: 429, headers: { 'retry-after': '3' }, text: '' },
      { code: 'rate_limited', disposition: { kind: 'retryable', retryAfterMs: 3_000 } },
    ],
    [
      'cannot be reached for now',
      { type: 'unreachable', code: 'connect_failed', message: 'No way.', isPassing: true },
      { code: 'connect_failed', message: 'No way.', disposition: { kind: 'retryable', retryAfterMs: null } },
    ],
    [
      'cannot be reached at all',
      { type: 'unreachable', code: 'config_invalid', message: 'No way.', isPassing: false },
      { code: 'config_invalid', message: 'No way.', disposition: { kind: 'terminal' } },
    ],
    [
      'is carried by a thread that ended',
      { type: 'crashed' },
      {
        code: 'connect_failed',
        disposition: { kind: 'retryable' },
        message: expect.stringContaining("The harness's thread"),
      },
    ],
  ])('and %s says so, and is left', async (_, told, error) => {
    const thread = new QuietThread((command) => (command.type === 'ring' ? [told] : obedient(command)));
    await expect(ringing(thread)).rejects.toMatchObject(error);
    expect(thread.asked.map(({ type }) => type)).toEqual(['ring', 'hangUp']);
    expect(thread.forgotten).toHaveLength(1);
  });

  it('is left when the call is given up before it was taken', async () => {
    const ending = new AbortController();
    const thread = new QuietThread((command) => {
      if (command.type === 'ring') ending.abort();
      return command.type === 'ring' ? [] : obedient(command);
    });
    await expect(ringing(thread, undefined, ending.signal)).rejects.toMatchObject({
      disposition: { kind: 'canceled' },
    });
    expect(thread.asked.at(-1)).toMatchObject({ type: 'hangUp' });
  });
});

describe('A line that stands', () => {
  const SOUND = { sender: 'agent', firstSample: 0, at: 5, samples: new Int16Array(3) };
  const called = async (onSound: (sound: HeardSound) => void = () => undefined) => {
    const { thread, line: rung } = await line();
    const call: AgentCall = await rung.call(onSound, unaborted());
    return { thread, line: rung, call };
  };

  it.each<[string, Told, object]>([
    ['was closed in order', { type: 'closed', code: 1_000 }, { code: 'provider_error', isOrderly: true }],
    ['was closed without a code', { type: 'closed', code: null }, { isOrderly: true }],
    ['was closed for a reason', { type: 'closed', code: 1_011 }, { isOrderly: false, closeCode: 1_011 }],
    ['was lost', { type: 'lost' }, { code: 'connect_failed', disposition: { kind: 'terminal' } }],
    [
      'cannot be gone on with',
      { type: 'unusable', what: 'sent nonsense' },
      { code: 'provider_error', message: expect.stringContaining("The agent's server sent nonsense, which the call") },
    ],
  ])('fails when it %s, and goes on failing for that reason', async (_, told, error) => {
    const { thread, line: rung, call } = await called();
    expect(rung.failure).toBeNull();
    thread.tell(told);
    thread.tell({ type: 'lost' });
    expect(rung.failure).toMatchObject(error);
    const say = { samples: new Int16Array(1), interjection: null };
    await expect(call.say(say, unaborted())).rejects.toBe(rung.failure);
    expect(thread.asked.map(({ type }) => type)).toEqual(['ring']);
  });

  it('that closed says by what code, and how that may be a hang-up', () => {
    expect(new StreamClosed(1_011).message).toContain('in the middle of the conversation (code 1011); its own log');
    expect(new StreamClosed(null).message).toContain('in the middle of the conversation; its own log');
  });

  it('hands on what the agent says, and asks for what the patient says until it has gone out', async () => {
    const sounds: HeardSound[] = [];
    const { thread, call } = await called((sound) => sounds.push(sound));
    thread.tell({ type: 'voiced', sender: 'agent' });
    thread.tell({ type: 'sound', ...SOUND });
    thread.tell({ type: 'sound', ...SOUND, sender: 'another' });
    expect(sounds).toHaveLength(1);
    expect(call.agentHasVoice).toBe(true);
    const saying = call.say({ samples: new Int16Array(48), keys: [], interjection: null }, unaborted());
    expect(thread.asked.at(-1)).toMatchObject({ type: 'say', utterance: 1, call: 1 });
    const said = { utterance: 1, from: 10, to: 11, isReliable: true, isWhole: true };
    setImmediate(() => thread.tell({ type: 'said', ...said }));
    expect(await saying).toMatchObject(said);
    call.hush();
    expect(thread.asked.at(-1)).toMatchObject({ type: 'hush' });
  });

  it('knows in each turn whether the agent threw words away', async () => {
    const { thread, line: rung } = await called();
    rung.beginTurn();
    expect(rung.hadMoreToSay).toBe(false);
    thread.tell({ type: 'wordsCleared' });
    expect(rung.hadMoreToSay).toBe(true);
    rung.beginTurn();
    expect(rung.hadMoreToSay).toBe(false);
    expect(await rung.wholeText()).toBe('');
  });

  it('counts what had no effect, and says why where nothing was heard', async () => {
    const { thread, line: rung } = await called();
    expect(rung.facts).toEqual({});
    expect(rung.neverHeard()).toMatchObject({
      code: 'provider_timeout',
      message: expect.stringContaining("before the turn's deadline. It sent no media message. Check that"),
    });
    thread.tell({ type: 'ignored', counts: { not_base64: 2, binary: 1, no_sound: 0 } });
    expect(rung.facts).toEqual({ ignored_messages: { not_base64: 2, binary: 1, no_sound: 0 } });
    expect(rung.neverHeard().message).toContain(
      'Of what it sent, 2 of its messages held a payload that is not base64; 1 of its messages were binary, and only',
    );
  });

  it('is hung up once, after which whatever is asked for was canceled', async () => {
    const { thread, line: rung, call } = await called();
    await Promise.all([rung.leave(), rung.leave()]);
    expect(thread.asked.filter(({ type }) => type === 'hangUp')).toHaveLength(1);
    expect(thread.forgotten).toHaveLength(1);
    expect(rung.failure).toBeInstanceOf(ProviderError);
    await expect(call.say({ samples: new Int16Array(1), interjection: null }, unaborted())).rejects.toMatchObject({
      disposition: { kind: 'canceled' },
    });
  });

  it('is let go even if its thread ends instead of hanging up', async () => {
    const thread = new QuietThread((command) =>
      command.type === 'hangUp' ? [{ type: 'crashed' }] : obedient(command),
    );
    const rung = await ringing(thread);
    await rung.leave();
    expect(thread.forgotten).toHaveLength(1);
  });
});
