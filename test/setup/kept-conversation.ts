import type { ProviderKind } from '../../src/domain/provider-kinds';
import { USUAL_PATIENT } from '../../src/domain/patient';
import { AttemptLease } from '../../src/engine/actors/attempt-leases';
import { instantNow } from '../../src/engine/actors/two-clock-instant';
import { ScenarioConversation, type Participants } from '../../src/engine/actors/scenario-conversation';
import { createLog } from '../../src/platform/config/log';
import type { Judge } from '../../src/examiners/judge/judge';
import { NO_USAGE } from '../../src/examiners/model/model-usage';
import type { ExecutionRecord } from '../../src/engine/ledger/execution-record';
import { Provider, type Availability, type ConnectRequest, type Session } from '../../src/agents/provider';
import type { AuditRequest } from '../../src/examiners/tester/audit/audit-prompt';
import { Tester, type PatientTurnRequest } from '../../src/examiners/tester/tester';
import type { TextThreads } from '../../src/examiners/threads/text-threads';
import { ScriptedJudge, type Script } from '../examiners/judge/scripted-judge';
import { inText } from './in-text';
import { criterion } from './transcripts';

export const RUBRIC = [
  criterion('Asks when the pain began', 5, ['must_pass']),
  criterion('Tells to call an ambulance'),
];
export const CARD = { script: 'It began an hour ago.', demographics: { age: 58 }, chief_complaint: 'My chest hurts.' };

export const RECORD: Omit<ExecutionRecord, 'turns'> = {
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
  tells: Session['metadata'] = () => ({});
  /** Undefined: nothing that the agent says is cleared. */
  cleared: Session['cleared'];

  availability(): Availability {
    return { available: true };
  }

  async connect(request: ConnectRequest): Promise<Session> {
    this.connections.push(request);
    return {
      greeting: 'Hello, this is the clinic.',
      send: (message, ending) => this.send(message, ending),
      close: () => this.close(),
      metadata: () => this.tells(),
      ...(this.cleared === undefined ? {} : { cleared: this.cleared }),
    };
  }
}

export class KeepingTester extends Tester {
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

/** A conversation of an attempt whose lease never has to ask, and what takes part in it. @param others in place of what is usual */
export function openConversation(
  textThreads: TextThreads,
  record: Partial<typeof RECORD> = {},
  others: Partial<Participants> = {},
) {
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
    () => Promise.reject(new Error('A lease whose clock stands still has asked.')),
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
  return { conversation, provider, tester, judge, lease, lines };
}
