import { ProviderError } from '../../../src/agents/errors';
import { MediaStreamProvider } from '../../../src/agents/media-stream/media-stream.provider';
import { idsOf } from '../../../src/agents/media-stream/agent-line';
import type { LineCommand } from '../../../src/agents/media-stream/line-wire';
import { InProcessRequestBudget } from '../../../src/agents/outbound/in-process.request-budget';
import { Limiter } from '../../../src/agents/outbound/limiter';
import type { AgentConfig, ConnectRequest, SpokenPatient } from '../../../src/agents/provider';
import { machineMs } from '../../../src/agents/voice/sound-clocks';
import { TargetGuard } from '../../../src/platform/targets/target-guard';
import { obedient, QuietThread, type ToldOfLine } from '../../fakes/line-thread';
import { manualClock } from '../../fakes/manual-clock';
import { unaborted } from '../provider.contract';

const KEY = 'sk-canary-0123456789';

const PATIENT: SpokenPatient = {
  hearsWords: true,
  utter: () => Promise.resolve({ samples: new Int16Array(48), interjection: null }),
  onUttered: () => undefined,
  onSound: () => undefined,
  onFloor: () => undefined,
};

function requestFor(config: AgentConfig = {}, more: Partial<ConnectRequest> = {}): ConnectRequest {
  return {
    agentId: 'a',
    scenarioRunId: 's',
    attempt: 2,
    history: [],
    continuation: null,
    config: { url: 'ws://127.0.0.1:9/', ...config },
    spoken: PATIENT,
    ...more,
  };
}

/** An agent that said something long ago to each utterance, which went out long ago. */
function answering(command: LineCommand): readonly ToldOfLine[] {
  if (command.type !== 'say') return obedient(command);
  const now = machineMs();
  const said = { utterance: command.utterance, from: now - 20_000, to: now - 18_000, isReliable: true, isWhole: true };
  return [
    ...obedient(command),
    { type: 'said', ...said },
    { type: 'voice', sender: 'agent', isSpeaking: true, at: now - 17_000 },
    { type: 'voice', sender: 'agent', isSpeaking: false, at: now - 15_000 },
  ];
}

function providerWith(answers: (command: LineCommand) => readonly ToldOfLine[] = answering) {
  const clock = manualClock();
  const lines = new QuietThread(answers);
  const limiter = new Limiter(new InProcessRequestBudget(clock), clock);
  const targets = TargetGuard.local();
  const times = { greeting: 0, longestSpeech: 120_000 };
  return { clock, lines, provider: new MediaStreamProvider({ lines, targets, limiter, clock, times }) };
}

const typesOf = (lines: QuietThread) => lines.asked.map(({ type }) => type);

test('an agent on a line is spoken with, and its call ends with the process', () => {
  const { provider } = providerWith();
  const { kind, speaks, isVoiceOnly, resumable } = provider;
  expect({ kind, speaks, isVoiceOnly, resumable }).toEqual({
    kind: 'media-stream',
    speaks: true,
    isVoiceOnly: true,
    resumable: false,
  });
  expect(provider.availability()).toEqual({ available: true });
  expect(provider.branching({})).toBe('never');
});

test.each<[string, Partial<ConnectRequest>, string]>([
  ['in text', { spoken: undefined }, 'start the run with modality "spoken"'],
  [
    'by an ear that hears no words',
    { spoken: { ...PATIENT, hearsWords: false } },
    'so an ear has to hear it: set TRANSCRIPTION_URL',
  ],
])('it is not examined %s, and not rung for that', async (_, more, sentence) => {
  const { provider, lines } = providerWith();
  await expect(provider.connect(requestFor({}, more), unaborted())).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringContaining(sentence),
  });
  expect(lines.asked).toEqual([]);
});

test('it is rung, spoken with and hung up', async () => {
  const { provider, lines } = providerWith();
  const config = { headers: { authorization: KEY }, custom_parameters: { clinic: 'north' } };
  const session = await provider.connect(requestFor(config), unaborted());
  expect(lines.asked[0]).toMatchObject({
    plan: { headers: config.headers, customParameters: config.custom_parameters, ids: idsOf('s', 2) },
  });
  expect(await session.send('Hello', unaborted())).toMatchObject({
    content: '',
    latencyMs: 1_000,
    spoken: { isReliable: false },
  });
  lines.tell({ type: 'ignored', counts: { binary: 1 } });
  expect(session.metadata()).toEqual({
    protocol: 'voice',
    stream_sid: idsOf('s', 2).streamSid,
    call_sid: idsOf('s', 2).callSid,
    ignored_messages: { binary: 1 },
  });
  await session.close();
  await provider.settled();
  expect(typesOf(lines)).toEqual(['ring', 'say', 'turnOver', 'hangUp']);
});

test('it is rung again after a refusal that passes, as often as its config says', async () => {
  const busy: ToldOfLine = { type: 'refused', status: 503, headers: {}, text: '' };
  const { provider, lines, clock } = providerWith((command) => (command.type === 'ring' ? [busy] : obedient(command)));
  await expect(provider.connect(requestFor({ max_retries: 2 }), unaborted())).rejects.toMatchObject({
    code: 'provider_error',
  });
  expect(typesOf(lines).filter((type) => type === 'ring')).toHaveLength(3);
  expect(clock.waits).toHaveLength(2);
});

test('it is not rung for a minute and longer', async () => {
  const later: ToldOfLine = { type: 'refused', status: 503, headers: { 'retry-after': '61' }, text: '' };
  const { provider, lines } = providerWith((command) => (command.type === 'ring' ? [later] : obedient(command)));
  await expect(provider.connect(requestFor(), unaborted())).rejects.toMatchObject({ code: 'provider_error' });
  expect(typesOf(lines).filter((type) => type === 'ring')).toHaveLength(1);
});

test('it is not rung by an attempt that does not own its row any more', async () => {
  const { provider, lines } = providerWith();
  const lost = new Error('lost');
  const assureOwnership = () => Promise.reject(lost);
  await expect(provider.connect(requestFor({}, { assureOwnership }), unaborted())).rejects.toBe(lost);
  expect(lines.asked).toEqual([]);
});

test('it is hung up where the line is lost before the conversation has begun', async () => {
  const { provider, lines } = providerWith((command) =>
    command.type === 'ring' ? [{ type: 'connected' }, { type: 'lost' }] : obedient(command),
  );
  await expect(provider.connect(requestFor(), unaborted())).rejects.toBeInstanceOf(ProviderError);
  expect(typesOf(lines)).toContain('hangUp');
  expect(lines.forgotten).toHaveLength(1);
});

test.each<[string, ToldOfLine, AgentConfig, object]>([
  ['by its config', { type: 'closed', code: 1_000 }, { closing_ends_conversation: true }, { isUnanswered: false }],
  ['not by itself', { type: 'closed', code: 1_000 }, {}, { code: 'provider_error', closeCode: 1_000 }],
  [
    'not with an error',
    { type: 'closed', code: 1_011 },
    { closing_ends_conversation: true },
    { code: 'provider_error', closeCode: 1_011 },
  ],
])('closing the stream in order hangs up %s', async (_, told, config, error) => {
  const { provider, lines } = providerWith();
  const session = await provider.connect(requestFor(config), unaborted());
  lines.tell(told);
  await expect(session.send('Hello', unaborted())).rejects.toMatchObject(error);
  await session.close();
});

test('an agent of which nothing came is told so by what came', async () => {
  const { provider, lines } = providerWith((command) => {
    if (command.type !== 'say') return obedient(command);
    const now = machineMs();
    const said = { from: now - 20_000, to: now - 18_000, isReliable: true, isWhole: true };
    return [...obedient(command), { type: 'said', utterance: command.utterance, ...said }];
  });
  const session = await provider.connect(requestFor({ turn_timeout_ms: 1_000 }), unaborted());
  lines.tell({ type: 'ignored', counts: { another_stream: 3 } });
  await expect(session.send('Hello', unaborted())).rejects.toMatchObject({
    code: 'provider_timeout',
    message: expect.stringContaining('3 of its messages had no streamSid or another one than `start` gave'),
  });
  await session.close();
});
