import { ELSEWHERE } from '../../../src/engine/ledger/run-examiners.store';
import { JudgeError } from '../../../src/examiners/judge/judge';
import { NO_USAGE } from '../../../src/examiners/model/model-usage';
import { AgentHungUp, ProviderError } from '../../../src/agents/errors';
import { TesterError } from '../../../src/examiners/tester/tester';
import { ScriptedJudge } from '../../examiners/judge/scripted-judge';
import { USUAL_PATIENT } from '../../../src/domain/patient';
import { CARD, KeepingTester, openConversation, RECORD, RUBRIC } from '../../setup/kept-conversation';
import { openTextThreads } from '../../setup/text-threads';
import { exchangesOf, transcriptOf } from '../../setup/transcripts';

const textThreads = openTextThreads();
const { signal } = new AbortController();

class RefusingJudge extends ScriptedJudge {
  constructor(private readonly reason: Error) {
    super([], () => undefined);
  }

  override mark(): Promise<never> {
    return Promise.reject(this.reason);
  }
}

type Given = Parameters<typeof openConversation>;
const open = (record?: Given[1], others?: Given[2]) => openConversation(textThreads, record, others);

const message = { turn: 1, content: 'My chest hurts.', at: '2030-01-01T00:00:00.000Z', notes: {} };
const TRANSCRIPT = transcriptOf(['When did the pain begin?', 'Please call an ambulance now.']);

describe('a conversation', () => {
  test('begins with the agent as its run found it, after the turns that are recorded', async () => {
    const { conversation, provider, lease } = open();
    const turns = TRANSCRIPT.map((exchange) => ({ ...exchange, continuation: `chat-${exchange.turn}`, metadata: {} }));
    await conversation.connect(turns, signal);
    const [request] = provider.connections;
    expect(request).toMatchObject({
      agentId: RECORD.agentId,
      config: RECORD.agentConfig,
      scenarioRunId: RECORD.scenarioRunId,
      attempt: 2,
      history: turns,
      continuation: 'chat-2',
    });
    // A provider that had to wait asks before it calls: no call goes out for an attempt that lost its row.
    await request?.assureOwnership?.(signal);
    lease.lose('superseded');
    await expect(request?.assureOwnership?.(signal)).rejects.toThrow('superseded');
  });

  test('has a patient who knows the role card, what was said and the greeting, and nothing of the rubric', async () => {
    const { conversation, tester } = open();
    await conversation.connect([], signal);
    await conversation.compose(3, TRANSCRIPT, signal);
    expect(tester.asked[0]).toEqual({
      card: { ...CARD, initial_message: '', country: 'the United Kingdom' },
      patient: USUAL_PATIENT,
      history: TRANSCRIPT,
      turn: 3,
      maxTurns: 5,
      greeting: 'Hello, this is the clinic.',
      refused: null,
    });
  });

  test.each([
    [true, true],
    [undefined, false],
  ])('ends with a reply that says so (endsConversation %s), and with no other', async (endsConversation, isLast) => {
    const { conversation, provider } = open();
    provider.send = async () => {
      const reply = { content: 'Goodbye.', latencyMs: 7, continuation: { chat: 1 }, metadata: { id: 'r1' } };
      return endsConversation === undefined ? reply : { ...reply, endsConversation };
    };
    await conversation.connect([], signal);
    expect(await conversation.send(message, signal)).toEqual({
      turn: 1,
      content: 'Goodbye.',
      at: expect.any(String),
      latencyMs: 7,
      continuation: { chat: 1 },
      notes: { agent: { id: 'r1' } },
      endsConversation: isLast,
    });
  });

  test('has a patient who is audited while the judge marks, against all that the patient is checked against', async () => {
    const { conversation, tester } = open();
    expect(await conversation.judge(TRANSCRIPT, signal)).toMatchObject({ passed: true, scorePercent: 100 });
    expect(tester.audited).toEqual([
      {
        card: { ...CARD, initial_message: '', country: 'the United Kingdom' },
        patient: USUAL_PATIENT,
        criteria: RUBRIC,
        transcript: TRANSCRIPT,
      },
    ]);
  });

  test('has no audit where the service is told to leave it out', async () => {
    const { conversation, tester } = open({}, { auditsPatients: false });
    expect(await conversation.judge(TRANSCRIPT, signal)).toMatchObject({ passed: true });
    expect(tester.audited).toEqual([]);
    expect(conversation.facts.patient.audit).toBeNull();
  });
});

describe('a conversation that goes on from another', () => {
  const given = { keptTurns: 2, givenMessage: 'Now my arm hurts, too.' };
  const fault = { turn: 3, kind: 'invented', severity: 'helped', text: 'I take aspirin.', isDecisive: true } as const;

  test('says first what its author has written, and what its tester writes from then on', async () => {
    const { conversation, tester } = open(given);
    expect(await conversation.compose(3, TRANSCRIPT, signal)).toEqual({
      turn: 3,
      content: given.givenMessage,
      at: expect.any(String),
      notes: { given: true },
    });
    expect(tester.asked).toEqual([]);
    expect(await conversation.compose(4, TRANSCRIPT, signal)).toMatchObject({ content: 'It began suddenly.' });
    expect(tester.asked).toMatchObject([{ turn: 4 }]);
  });

  test('does not hold what its author has written against its patient', async () => {
    const { conversation, tester } = open(given);
    tester.audits = async () => ({ faults: [fault], usage: NO_USAGE });
    expect(await conversation.judge(TRANSCRIPT, signal)).toMatchObject({ passed: true });
    tester.audits = async () => ({ faults: [{ ...fault, turn: 2 }], usage: NO_USAGE });
    await expect(conversation.judge(TRANSCRIPT, signal)).rejects.toMatchObject({ failure: { code: 'tester_failed' } });
  });

  test('holds all of it against its patient where nothing was written', async () => {
    const { conversation, tester } = open({ keptTurns: 2 });
    tester.audits = async () => ({ faults: [fault], usage: NO_USAGE });
    await expect(conversation.judge(TRANSCRIPT, signal)).rejects.toMatchObject({ failure: { code: 'tester_failed' } });
  });

  test('is not audited where its patient was played elsewhere', async () => {
    const { conversation, tester } = open({ playedBy: ELSEWHERE });
    expect(await conversation.judge(TRANSCRIPT, signal)).toMatchObject({ passed: true });
    expect(tester.audited).toEqual([]);
    const other = open({ playedBy: { ...ELSEWHERE, name: 'offline' } });
    await other.conversation.judge(TRANSCRIPT, signal);
    expect(other.tester.audited).toHaveLength(1);
  });
});

describe('a conversation in text', () => {
  test('has neither a floor nor a call, and its tester reads every reply as it was', async () => {
    const { conversation, tester } = open();
    await conversation.connect([], signal);
    const history = exchangesOf([['My chest hurts.', '']]);
    await conversation.compose(2, history, signal);
    expect(tester.asked).toMatchObject([{ history }]);
    await conversation.disconnect();
    expect([conversation.floor, conversation.facts.spoken]).toEqual([null, null]);
  });

  test('is not held to limits on speech', async () => {
    const content = { ...CARD, speech_limits: { premature_starts: 0 } };
    const { conversation } = open({ scenario: { name: 'Chest pain', content, rubric_criteria: RUBRIC } });
    expect((await conversation.judge(TRANSCRIPT, signal)).criteria).toHaveLength(RUBRIC.length);
  });

  test('keeps what its session told, however often it is ended', async () => {
    const { conversation, provider } = open();
    provider.tells = () => ({ room: 'r1' });
    await conversation.connect([], signal);
    for (let end = 0; end < 2; end += 1) await conversation.disconnect();
    expect(conversation.facts.session).toEqual({ room: 'r1' });
  });

  test('is timed from when each thing began', async () => {
    const { conversation, tester } = open();
    tester.audits = async () => ({ faults: [], usage: NO_USAGE });
    await conversation.connect([], signal);
    const { notes } = await conversation.compose(1, [], signal);
    await conversation.judge(TRANSCRIPT, signal);
    const unaudited = open();
    unaudited.tester.audits = () => Promise.reject(new TesterError('No answer.'));
    await unaudited.conversation.judge(TRANSCRIPT, signal);
    const refused = open({}, { judge: new RefusingJudge(new JudgeError('key_refused', 'No.')) });
    await expect(refused.conversation.judge(TRANSCRIPT, signal)).rejects.toThrow('No.');
    const { connectMs, grading } = conversation.facts;
    const times = [
      connectMs,
      notes['tester_ms'],
      grading?.ms,
      refused.conversation.facts.grading?.ms,
      conversation.facts.patient.auditMs,
      unaudited.conversation.facts.patient.auditMs,
    ];
    for (const ms of times) {
      expect(ms).toBeGreaterThanOrEqual(0);
      // This process began before all of it.
      expect(ms).toBeLessThan(performance.now());
    }
  });

  test('is marked with the seed of its scenario run; without one it gets one', async () => {
    const seeded = open({ seed: 4_294_967_295 });
    await seeded.conversation.judge(TRANSCRIPT, signal);
    expect(seeded.conversation.facts.grading?.record.seed).toBe(4_294_967_295);
    const { conversation } = open();
    await conversation.judge(TRANSCRIPT, signal);
    expect(conversation.facts.grading?.record.seed).toEqual(expect.any(Number));
  });

  test('ends with an agent that hangs up: what it did in place of a reply is kept, and nothing of what it had done before', async () => {
    const { conversation, provider } = open();
    await conversation.connect([], signal);
    provider.send = () => Promise.reject(new AgentHungUp(true, null, { tools: ['transfer'] }));
    expect(await conversation.send(message, signal)).toEqual({
      turn: 1,
      content: null,
      isUnanswered: true,
      notes: { agent: { tools: ['transfer'] } },
    });
    provider.send = () => Promise.reject(new AgentHungUp(false));
    expect(await conversation.send(message, signal)).toEqual({ turn: 1, content: null, isUnanswered: false });
  });
});

test('a judge that is to be asked again is asked no more once its attempt has lost the row', async () => {
  let loseRow: () => void = () => undefined;
  // A mark without its proof is asked for again.
  const judge = new ScriptedJudge(
    RUBRIC.map((one) => one.criterion),
    ({ criterion }) => {
      loseRow();
      return RUBRIC.some((one) => one.criterion === criterion) ? { decision: 'MET' } : undefined;
    },
  );
  const { conversation, lease } = open({}, { judge });
  loseRow = () => lease.lose('superseded');
  await expect(conversation.judge(TRANSCRIPT, signal)).rejects.toThrow('superseded');
  expect(judge.sheets).toHaveLength(1);
});

describe('what cannot be done in a conversation', () => {
  const paid = { ...NO_USAGE, calls: 1, inputTokens: 7 };
  type Opened = ReturnType<typeof open>;
  type Act = (opened: Opened) => Promise<unknown>;
  const connect = ({ conversation }: Opened) => conversation.connect([], signal);
  const compose = ({ conversation }: Opened) => conversation.compose(1, [], signal);
  const judge = ({ conversation }: Opened) => conversation.judge(TRANSCRIPT, signal);
  const testerThat = (reason: Error): KeepingTester =>
    Object.assign(new KeepingTester(), { writes: () => Promise.reject(reason) });

  test.each<readonly [what: string, opened: Opened, act: Act, failure: object]>([
    ['an agent of an unknown kind', open({}, { provider: undefined }), connect, { code: 'config_invalid' }],
    ['an agent that was erased', open({ agentConfig: null }), connect, { code: 'not_found' }],
    [
      'a message that the tester cannot write',
      open({}, { tester: testerThat(new TesterError('No \u0000 answer.', { usage: paid })) }),
      compose,
      { code: 'tester_failed', message: 'No \ufffd answer.' },
    ],
    [
      'a reply that the agent does not give',
      open(),
      async ({ conversation, provider }) => {
        provider.send = () => Promise.reject(new ProviderError('provider_timeout', 'No \u0000 reply.'));
        await conversation.connect([], signal);
        await conversation.send(message, signal);
      },
      { code: 'provider_timeout', message: 'No \ufffd reply.' },
    ],
    [
      'a transcript that the judge does not mark',
      open({}, { judge: new RefusingJudge(new JudgeError('key_refused', 'No \u0000 marks.')) }),
      judge,
      { code: 'grading_failed', message: 'No \ufffd marks.' },
    ],
  ])('says why: %s', async (_what, opened, act, failure) => {
    await expect(act(opened)).rejects.toMatchObject({ name: 'EffectFailed', failure });
    // The service is not at fault.
    expect(opened.lines).toEqual([]);
  });

  test('costs what it had cost by then: the tester’s calls, and the judge’s with why it failed', async () => {
    const failed = open({}, { tester: testerThat(new TesterError('No.', { usage: paid })) });
    await expect(compose(failed)).rejects.toThrow('No.');
    expect(failed.conversation.facts.patient.usage).toEqual(paid);
    const unmarked = open({}, { judge: new RefusingJudge(new JudgeError('key_refused', 'No.')) });
    await expect(judge(unmarked)).rejects.toThrow('No.');
    expect(unmarked.conversation.facts.grading).toMatchObject({
      failure: 'key_refused',
      ms: expect.any(Number),
      record: { calls: expect.any(Number) },
    });
  });

  test('shows what the page of the agent showed', async () => {
    const { conversation, provider } = open();
    const screenshot = Buffer.from([0xff, 0xd8]);
    provider.send = () => Promise.reject(new ProviderError('provider_timeout', 'No.').showing(screenshot));
    await conversation.connect([], signal);
    expect(conversation.screenshot).toBeNull();
    await expect(conversation.send(message, signal)).rejects.toThrow('No.');
    expect(conversation.screenshot).toBe(screenshot);
    // A patient has no page.
    const speechless = open({}, { tester: testerThat(new TesterError('No.', { usage: paid })) });
    await expect(compose(speechless)).rejects.toThrow('No.');
    expect(speechless.conversation.screenshot).toBeNull();
  });

  test('is an agent of an unknown kind also when its first turn may have been sent before', async () => {
    const opened = open({ isInDoubt: true }, { provider: undefined });
    expect(opened.conversation.sentTurns).toBe(0);
    await expect(connect(opened)).rejects.toMatchObject({ failure: { code: 'config_invalid' } });
  });

  test.each<readonly [step: string, make: () => Opened, act: Act, says: string]>([
    ['compose', () => open({}, { tester: testerThat(new RangeError('A defect.')) }), compose, 'A defect.'],
    ['judge', () => open({}, { judge: new RefusingJudge(new RangeError('A defect.')) }), judge, 'A defect.'],
    ['send', () => open(), ({ conversation }) => conversation.send(message, signal), 'without a session'],
  ])('is a defect of the service when nothing else explains it, which is logged: %s', async (step, make, act, says) => {
    const opened = make();
    const error: unknown = await act(opened).catch((reason: unknown) => reason);
    expect(error).not.toHaveProperty('failure');
    expect(error).toMatchObject({ message: expect.stringContaining(says) });
    expect(opened.lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({ step, scenarioRunId: RECORD.scenarioRunId, testRunId: RECORD.testRunId, attempt: 2 }),
    ]);
  });

  test('is no failure when it was called off: the reason is passed on, and nothing is noted', async () => {
    const calledOff = new AbortController();
    const tester = new KeepingTester();
    tester.writes = () => {
      calledOff.abort();
      return Promise.reject(new TesterError('Called off.', { usage: paid }));
    };
    const { conversation, lines } = open({}, { tester });
    await expect(conversation.compose(1, [], calledOff.signal)).rejects.toBeInstanceOf(TesterError);
    expect([conversation.facts.patient.usage, lines]).toEqual([NO_USAGE, []]);
  });

  test('is nothing that its end shows: a session that does not end cleanly is logged, and no more', async () => {
    const { conversation, provider, lines } = open();
    provider.close = () => Promise.reject(new Error('Still open.'));
    await conversation.connect([], signal);
    await conversation.disconnect();
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({ error: expect.objectContaining({ message: 'Still open.' }), attempt: 2 }),
    ]);
    expect(conversation.facts.session).toEqual({});
  });
});

describe('the patient of a conversation', () => {
  const audited = { ...NO_USAGE, calls: 1, inputTokens: 100 };
  const fault = { turn: 2, kind: 'invented', severity: 'helped', text: 'I take aspirin.' } as const;

  test('who strayed in something that decides ends the grading: the agent is not marked for its patient', async () => {
    const { conversation, tester } = open();
    tester.audits = async () => ({ faults: [{ ...fault, isDecisive: true }], usage: audited });
    await expect(conversation.judge(TRANSCRIPT, signal)).rejects.toMatchObject({
      failure: { code: 'tester_failed', message: expect.stringMatching(/turn 2.*invented.*I take aspirin/) },
    });
    expect(conversation.facts.patient).toMatchObject({ faults: [fault], audit: 'done', usage: audited });
  });

  test('who strayed in something else is noted, and the agent is marked', async () => {
    const { conversation, tester } = open();
    tester.audits = async () => ({ faults: [{ ...fault, isDecisive: false }], usage: audited });
    expect(await conversation.judge(TRANSCRIPT, signal)).toMatchObject({ passed: true });
    expect(conversation.facts.patient).toEqual({
      faults: [fault],
      audit: 'done',
      auditMs: expect.any(Number),
      usage: audited,
    });
  });

  test('is not held to its script where it pressed keys of the scenario', async () => {
    const { conversation, tester } = open();
    tester.audits = async () => ({ faults: [{ ...fault, isDecisive: true }], usage: audited });
    const pressed = TRANSCRIPT.map((turn) => ({
      ...turn,
      metadata: { spoken: { from_ms: 0, to_ms: 100, keys: turn.turn === 2 ? '1' : null } },
    }));
    expect(await conversation.judge(pressed, signal)).toMatchObject({ passed: true });
    expect(conversation.facts.patient.faults).toEqual([]);
  });

  test('who could not be audited is noted as such, with what the try cost, and the agent is marked', async () => {
    const { conversation, tester } = open();
    tester.audits = () => Promise.reject(new TesterError('No answer.', { usage: audited }));
    expect(await conversation.judge(TRANSCRIPT, signal)).toMatchObject({ passed: true });
    expect(conversation.facts.patient).toEqual({
      faults: [],
      audit: 'failed',
      auditMs: expect.any(Number),
      usage: audited,
    });
  });

  test('whose audit meets a defect of the service is not passed over', async () => {
    const { conversation, tester, lines } = open();
    tester.audits = () => Promise.reject(new RangeError('A defect.'));
    await expect(conversation.judge(TRANSCRIPT, signal)).rejects.toThrow('A defect.');
    expect(lines).toHaveLength(1);
    expect(conversation.facts.patient.audit).toBeNull();
  });
});
