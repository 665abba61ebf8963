import type { Reply } from '../../../src/agents/provider';
import type { Participants } from '../../../src/engine/actors/scenario-conversation';
import { SpokenCall, type CallFacts, type PressedKeys, type SpokenNotes } from '../../../src/engine/speech/spoken-call';
import { SpeechError } from '../../../src/engine/speech/speech-error';
import { ProviderError } from '../../../src/agents/errors';
import { CARD, openConversation, RUBRIC } from '../../setup/kept-conversation';
import { callFacts, spokenRun } from '../../setup/spoken-run';
import { keptTurn } from '../../setup/stored-spoken-run';
import { openTextThreads } from '../../setup/text-threads';
import { exchangesOf, transcriptOf } from '../../setup/transcripts';

const textThreads = openTextThreads();
const { signal } = new AbortController();
const SPOKEN = spokenRun();
const TRANSCRIPT = transcriptOf(['When did the pain begin?', 'Please call an ambulance now.']);
const HELD = { holder: 'agent', isSpeaking: true, forMs: 250 } as const;

const FACTS = callFacts();

/** Hears what the test says, and keeps what it was told to say. */
class KeepingCall extends SpokenCall {
  readonly prepared: (readonly [turn: number, message: string | PressedKeys])[] = [];
  finished = 0;
  hears: SpokenNotes = { heard: 'Press one, secret.' };

  constructor() {
    super(
      { spoken: SPOKEN, noise: null, language: 'en', scenarioId: 'a scenario', speech: {}, attempt: 2, trial: 1 },
      {
        thread: { run: () => Promise.reject(new Error('A call that keeps what it is told has spoken.')) },
        control: {
          clip: {
            sentence: 'Hello.',
            words: 'Hello.',
            durationMs: 800,
            voicedMs: 700,
            levelDbfs: -20,
            clippedShare: 0,
            heard: null,
          },
          voice: { engine: 'espeak-ng', version: '1.51', voice: 'en-us', rate: 1 },
          ear: null,
        },
        keep: null,
        onGap: () => undefined,
      },
    );
  }

  override async prepare(turn: number, message: string | PressedKeys): Promise<void> {
    this.prepared.push([turn, message]);
  }

  override async greeting(own: string | null): Promise<string | null> {
    return own === null ? null : `Heard, secret: ${own}`;
  }

  override async reply({ content }: Reply) {
    return { content: `Heard, secret: ${content}`, notes: this.hears };
  }

  override async finish(): Promise<CallFacts> {
    this.finished += 1;
    return FACTS;
  }
}

function open(content: object = {}, others: Partial<Participants> = {}) {
  const call = new KeepingCall();
  const spokenConversations = { open: () => Promise.resolve(call) };
  const scenario = { name: 'Chest pain', content: { ...CARD, ...content }, rubric_criteria: RUBRIC };
  const opened = openConversation(textThreads, { spoken: SPOKEN, scenario }, { spokenConversations, ...others });
  opened.provider.speaks = true;
  return { ...opened, call };
}

const message = { turn: 1, content: 'My chest hurts.', at: '2030-01-01T00:00:00.000Z', notes: {} };
const clears = (said: string) => said.replaceAll('secret', '…');

describe('a spoken conversation', () => {
  test('rings nobody before its examiner has shown that it can speak and hear', async () => {
    const failed = new SpeechError('control_clip_bad', 'The control sentence was not heard.');
    const spokenConversations = { open: () => Promise.reject(failed) };
    const { conversation, provider } = open({}, { spokenConversations });
    provider.speaks = true;
    await expect(conversation.connect([], signal)).rejects.toMatchObject({
      failure: { code: 'speech_failed', message: 'The control sentence was not heard.' },
    });
    expect(provider.connections).toEqual([]);
  });

  test('is not held with an agent that cannot be spoken with', async () => {
    const { conversation, provider } = open();
    provider.speaks = false;
    await expect(conversation.connect([], signal)).rejects.toMatchObject({ failure: { code: 'config_invalid' } });
    expect(provider.connections).toEqual([]);
  });

  test('without an audible word is no conversation to mark', async () => {
    const { conversation } = open();
    const silent = TRANSCRIPT.map((turn) => ({ ...turn, metadata: { spoken: { inaudible: true } } }));
    await expect(conversation.judge(silent, signal)).rejects.toMatchObject({ failure: { code: 'empty_reply' } });
  });

  test('is not held where what its scenario says of speech cannot be read', async () => {
    const { conversation } = open({ speech: { manner: 'loud' } });
    await conversation.connect([], signal);
    await expect(conversation.compose(1, [], signal)).rejects.toMatchObject({
      failure: { code: 'config_invalid', message: expect.stringMatching(/^The scenario’s .*speech/) },
    });
  });

  test('gives its agent what the call hears and says, and shows who has the floor until it ends', async () => {
    const { conversation, provider, call } = open();
    await conversation.connect([], signal);
    const { spoken } = provider.connections[0] ?? {};
    expect(spoken).toMatchObject(call.patient);
    expect(conversation.floor?.now).toBeNull();
    spoken?.onFloor(HELD);
    expect(conversation.floor?.now).toMatchObject({ holder: 'agent', isSpeaking: true });
    await conversation.disconnect();
    expect(conversation.floor?.now).toBeNull();
  });

  test.each([
    ['as it was heard', undefined, 'Heard, secret: Hello, this is the clinic.'],
    ['without what must not be told', clears, 'Heard, …: Hello, this is the clinic.'],
  ])('begins with the greeting %s', async (_how, cleared, greeting) => {
    const { conversation, provider, tester } = open();
    provider.cleared = cleared;
    await conversation.connect([], signal);
    await conversation.compose(1, [], signal);
    expect(tester.asked).toMatchObject([{ greeting }]);
  });

  test('begins without a greeting where nothing was heard', async () => {
    const { conversation, call, tester, provider } = open();
    call.greeting = async () => null;
    provider.cleared = clears;
    await conversation.connect([], signal);
    await conversation.compose(1, [], signal);
    expect(tester.asked).toMatchObject([{ greeting: null }]);
  });

  test('says the message, and has the reply that was heard', async () => {
    const { conversation, call } = open();
    await conversation.connect([], signal);
    expect(await conversation.send(message, signal)).toMatchObject({
      content: 'Heard, secret: When?',
      notes: { spoken: { heard: 'Press one, secret.' } },
    });
    expect(call.prepared).toEqual([[1, 'My chest hurts.']]);
  });

  test('keeps nothing of a reply that must not be told', async () => {
    const { conversation, call, provider } = open();
    provider.cleared = clears;
    await conversation.connect([], signal);
    call.hears = { heard: 'Press one, secret.', from_ms: 20 };
    expect(await conversation.send(message, signal)).toMatchObject({
      content: 'Heard, …: When?',
      notes: { spoken: { heard: 'Press one, ….', from_ms: 20 } },
    });
    call.hears = { heard: null };
    expect(await conversation.send(message, signal)).toMatchObject({ notes: { spoken: { heard: null } } });
  });

  test('has a patient who presses the keys of the scenario in place of speaking', async () => {
    const { conversation, call, tester } = open({ speech: { keypad: [{ when: 'clinic', press: '1w2' }] } });
    await conversation.connect([], signal);
    const pressed = await conversation.compose(1, [], signal);
    expect(pressed).toEqual({
      turn: 1,
      content: '[presses 1 2]',
      at: expect.any(String),
      notes: {},
      keys: '1w2',
    });
    expect(tester.asked).toEqual([]);
    await conversation.send(pressed, signal);
    expect(call.prepared).toEqual([[1, { keys: '1w2' }]]);
  });

  test('has a patient who hears silence where nothing was audible', async () => {
    const { conversation, tester } = open();
    await conversation.connect([], signal);
    await conversation.compose(2, exchangesOf([['My chest hurts.', '']]), signal);
    expect(tester.asked).toMatchObject([{ history: [{ agentMessage: '…' }] }]);
  });

  test('ends its call once, and tells of it', async () => {
    const { conversation, call, provider } = open();
    provider.tells = () => ({ room: 'r1' });
    await conversation.connect([], signal);
    expect(conversation.facts.spoken).toBeNull();
    for (let end = 0; end < 2; end += 1) await conversation.disconnect();
    expect(call.finished).toBe(1);
    expect(conversation.facts).toMatchObject({ session: { room: 'r1' }, spoken: FACTS });
  });

  test('ends its call also where the agent could not be reached', async () => {
    const { conversation, call, provider, lines } = open();
    provider.connect = () => Promise.reject(new ProviderError('connect_failed', 'The agent is out of reach.'));
    await expect(conversation.connect([], signal)).rejects.toMatchObject({ failure: { code: 'connect_failed' } });
    for (let end = 0; end < 2; end += 1) await conversation.disconnect();
    expect(call.finished).toBe(1);
    expect(conversation.facts).toMatchObject({ session: {}, spoken: FACTS });
    expect(lines).toEqual([]);
  });
});

describe('limits on the speech of an agent', () => {
  /** Turns of 10 s in which the patient speaks for 2 s. @param answersMs when the agent begins, after that */
  const timed = (answersMs: number, isReliable = true) =>
    TRANSCRIPT.map((turn, at) => {
      const from = at * 10_000;
      const agent = [{ from_ms: from + 2_000 + answersMs, to_ms: from + 8_000 }];
      return {
        ...turn,
        metadata: { spoken: keptTurn({ from_ms: from, to_ms: from + 2_000, agent, timing_reliable: isReliable }) },
      };
    });
  const limited = () => open({ speech_limits: { response_p95_ms: 1_500 } });

  test.each([
    [1_000, true],
    [3_000, false],
  ])('are a criterion of their own: with answers after %i ms, passed is %s', async (answersMs, passed) => {
    const { conversation } = limited();
    const verdict = await conversation.judge(timed(answersMs), signal);
    expect(verdict).toMatchObject({ passed });
    expect(verdict.criteria.map(({ decision }) => decision)).toEqual(['MET', 'MET', passed ? 'MET' : 'NOT MET']);
  });

  test('that cannot be decided are an error, and no judge is asked', async () => {
    const { conversation } = limited();
    await expect(conversation.judge(timed(1_000, false), signal)).rejects.toMatchObject({
      failure: {
        code: 'grading_failed',
        message: expect.stringMatching(
          /^The speech limit response_p95_ms of the scenario cannot be decided: no answer/,
        ),
      },
    });
    expect(conversation.facts.grading).toBeNull();
  });

  test('that only the marks decide, and that they leave open, are an error, whose judge is paid', async () => {
    const { conversation } = open({ speech_limits: { escalation_s: 15 } });
    await expect(conversation.judge(timed(1_000), signal)).rejects.toMatchObject({
      failure: {
        code: 'grading_failed',
        message:
          'The speech limit escalation_s of the scenario cannot be decided: the rubric has no must-pass criterion tagged escalation.',
      },
    });
    expect(conversation.facts.grading).toMatchObject({ failure: null });
  });

  test('are none where the scenario sets none', async () => {
    const { conversation } = open();
    expect((await conversation.judge(timed(3_000), signal)).criteria).toHaveLength(RUBRIC.length);
  });
});
