import type { ProviderKind } from '../../../src/domain/provider-kinds';
import { USUAL_PATIENT } from '../../../src/domain/patient';
import { AttemptLease } from '../../../src/engine/actors/attempt-leases';
import { instantNow } from '../../../src/engine/actors/two-clock-instant';
import { ScenarioConversation, type Participants } from '../../../src/engine/actors/scenario-conversation';
import { createLog } from '../../../src/platform/config/log';
import { Judge, JudgeError } from '../../../src/examiners/judge/judge';
import { NO_USAGE } from '../../../src/examiners/model/model-usage';
import type { ExecutionRecord } from '../../../src/engine/ledger/execution-record';
import { ProviderError } from '../../../src/agents/errors';
import type { SpokenRun } from '../../../src/domain';
import { SpeechError } from '../../../src/engine/speech/speech-error';
import { Provider, type Availability, type ConnectRequest, type Session } from '../../../src/agents/provider';
import type { AuditRequest } from '../../../src/examiners/tester/audit/audit-prompt';
import { Tester, TesterError, type PatientTurnRequest } from '../../../src/examiners/tester/tester';
import { ScriptedJudge, type Script } from '../../examiners/judge/scripted-judge';
import { inText } from '../../setup/in-text';
import { openTextThreads } from '../../setup/text-threads';
import { criterion, transcriptOf } from '../../setup/transcripts';

const textThreads = openTextThreads();
const { signal } = new AbortController();

const RUBRIC = [criterion('Asks when the pain began', 5, ['must_pass']), criterion('Tells to call an ambulance')];
const CARD = { script: 'It began an hour ago.', demographics: { age: 58 }, chief_complaint: 'My chest hurts.' };

const RECORD: Omit<ExecutionRecord, 'turns'> = {
  scenarioRunId: '1c0ce1d8-66ea-44a4-a5c3-9c1b0a6d4d4a',
  testRunId: '3c0ce1d8-66ea-44a4-a5c3-9c1b0a6d4d4b',
  attempt: 2,
  status: 'running',
  maxTurns: 5,
  passThreshold: 50,
  region: 'UK',
  seed: null,
  agentId: '5c0ce1d8-66ea-44a4-a5c3-9c1b0a6d4d4c',
  agentProvider: 'openai',
  agentConfig: { base_url: 'http://127.0.0.1:1' },
  scenarioId: '9c0ce1d8-66ea-44a4-a5c3-9c1b0a6d4d4e',
  scenario: { name: 'Chest pain', content: CARD, rubric_criteria: RUBRIC },
  trial: 1,
  patient: USUAL_PATIENT,
  isRestarted: false,
  spoken: null,
  keptTurns: 0,
  givenMessage: null,
  playedBy: null,
  closingActs: null,
  isInDoubt: false,
};

/** Does what the test says, and keeps what it was asked. */
class KeepingProvider extends Provider {
  readonly kind: ProviderKind = 'openai';
  readonly resumable = true;
  override speaks = false;
  readonly connections: ConnectRequest[] = [];
  send: Session['send'] = async () => ({ content: 'When?', latencyMs: 1, continuation: null, metadata: {} });
  close: Session['close'] = async () => undefined;

  availability(): Availability {
    return { available: true };
  }

  async connect(request: ConnectRequest): Promise<Session> {
    this.connections.push(request);
    return {
      greeting: 'Hello, this is the clinic.',
      send: (message, ending) => this.send(message, ending),
      close: () => this.close(),
      metadata: () => ({}),
    };
  }
}

class KeepingTester extends Tester {
  readonly name = 'keeping';
  readonly model = 'patient-1';
  readonly promptVersion = 'p1';
  readonly health = { status: 'ok', detail: 'Keeps.' } as const;
  readonly asked: PatientTurnRequest[] = [];
  readonly audited: AuditRequest[] = [];
  audits: () => ReturnType<Tester['audit']> = async () => null;
  writes: Tester['nextMessage'] = async () => ({ content: 'It began suddenly.', usage: NO_USAGE });

  nextMessage(request: PatientTurnRequest, ending: AbortSignal) {
    this.asked.push(request);
    return this.writes(request, ending);
  }

  audit(request: AuditRequest) {
    this.audited.push(request);
    return this.audits();
  }
}

const ALL_MET: Script = ({ criterion: text }, { sentences }) =>
  RUBRIC.some((one) => one.criterion === text)
    ? { decision: 'MET', evidence: sentences.filter(({ speaker }) => speaker === 'agent').map(({ id }) => id) }
    : undefined;

class RefusingJudge extends ScriptedJudge {
  constructor(private readonly reason: Error) {
    super([], () => undefined);
  }

  override mark(): Promise<never> {
    return Promise.reject(this.reason);
  }
}

function open(record: Partial<typeof RECORD> = {}, others: Partial<Participants> = {}) {
  const lines: string[] = [];
  const log = createLog('error', { write: (line) => lines.push(line) });
  const provider = new KeepingProvider();
  const tester = new KeepingTester();
  const judge: Judge = new ScriptedJudge(
    RUBRIC.map((one) => one.criterion),
    ALL_MET,
  );
  const whole = { ...RECORD, ...record };
  const { scenarioRunId, testRunId, attempt } = whole;
  const claimedAt = instantNow();
  const ref = { scenarioRunId, testRunId, attempt, owner: '7c0ce1d8-66ea-44a4-a5c3-9c1b0a6d4d4d' };
  // Its clock stands still, so that it never has to ask.
  const lease = new AttemptLease(
    ref,
    claimedAt,
    () => Promise.reject(new Error('Nobody is to be asked.')),
    () => claimedAt,
  );
  const participants = {
    provider,
    tester,
    judge,
    auditsPatients: true,
    textThreads,
    spokenConversations: inText,
    log,
    ...others,
  };
  const conversation = new ScenarioConversation(whole, 0, lease, participants);
  return { conversation, provider, tester, lease, lines };
}

const message = { turn: 1, content: 'My chest hurts.', at: '2030-01-01T00:00:00.000Z', notes: {} };
const TRANSCRIPT = transcriptOf(['When did the pain begin?', 'Please call an ambulance now.']);

const SPOKEN: SpokenRun = {
  voice: null,
  rate: 1,
  line: 'phone',
  noise: null,
  sounds: [],
  seed: 7,
  ear: null,
  voice_engine: { engine: 'espeak-ng', version: '1.51', voice: 'en-us', rate: 1 },
  timing_error_ms: null,
  harness_version: '0.1.0',
};

describe('a spoken conversation', () => {
  test('rings nobody before its examiner has shown that it can speak and hear', async () => {
    const failed = new SpeechError('control_clip_bad', 'The control sentence was not heard.');
    const spokenConversations = { open: () => Promise.reject(failed) };
    const { conversation, provider } = open({ spoken: SPOKEN }, { spokenConversations });
    provider.speaks = true;
    await expect(conversation.connect([], signal)).rejects.toMatchObject({
      failure: { code: 'speech_failed', message: 'The control sentence was not heard.' },
    });
    expect(provider.connections).toEqual([]);
  });

  test('is not held with an agent that cannot be spoken with', async () => {
    const { conversation, provider } = open({ spoken: SPOKEN });
    await expect(conversation.connect([], signal)).rejects.toMatchObject({ failure: { code: 'config_invalid' } });
    expect(provider.connections).toEqual([]);
  });

  test('without an audible word is no conversation to mark', async () => {
    const { conversation } = open({ spoken: SPOKEN });
    const silent = TRANSCRIPT.map((turn) => ({ ...turn, metadata: { spoken: { inaudible: true } } }));
    await expect(conversation.judge(silent, signal)).rejects.toMatchObject({ failure: { code: 'empty_reply' } });
  });
});

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
    expect(unmarked.conversation.facts.grading).toMatchObject({ failure: 'key_refused', ms: expect.any(Number) });
  });

  test('shows what the page of the agent showed', async () => {
    const { conversation, provider } = open();
    const screenshot = Buffer.from([0xff, 0xd8]);
    provider.send = () => Promise.reject(new ProviderError('provider_timeout', 'No.').showing(screenshot));
    await conversation.connect([], signal);
    expect(conversation.screenshot).toBeNull();
    await expect(conversation.send(message, signal)).rejects.toThrow('No.');
    expect(conversation.screenshot).toBe(screenshot);
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
