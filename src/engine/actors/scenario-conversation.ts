import type { Conversation } from '../../../machines';
import { AgentHungUp, ProviderError, type Provider, type Session, type TraceHeaders, type Json } from '../../agents';
import {
  type AgentAnswer,
  type ExaminedTurn,
  type HangUp,
  type Turn,
  type Notes,
  type PatientMessage,
  type TurnRecord,
  EffectFailed,
  type Failure,
  type Verdict,
  type PatientScenario,
} from '../../domain';
import { examine, JudgeError, type Judge } from '../../examiners/judge';
import { composeMessage, roleCardOf, TesterError, type Tester } from '../../examiners/tester';
import type { TextThreads } from '../../examiners/threads';
import type { Log } from '../../platform/config';
import { storableText } from '../../platform/storable-text';
import type { ExecutionRecord } from '../ledger/execution-record';
import { bothAtOnce } from '../../platform/concurrency';
import { ELSEWHERE } from '../ledger/run-examiners.store';
import type { CallFacts, SpokenCall, SpokenNotes } from '../speech/spoken-call';
import { SpeechError } from '../speech/speech-error';
import { spokenIn } from '../measures/spoken-turn';
import type { AttemptLease } from './attempt-leases';
import { agentNotes, testerNotes, type ConversationFacts, type Grading } from './outcome-metadata';
import { CurrentFloor } from './current-floor';
import { messageOf, patientTurn } from './keypad';
import { LimitedSpeech } from './limited-speech';
import { PatientRecord } from './patient-record';
import { audibleTranscript, type SpokenConversations } from './spoken-conversations';

/** The agent, the tester and the judge of a conversation, and what they need. */
export interface Participants {
  /** Undefined: this version does not know the agent's kind. */
  readonly provider: Provider | undefined;
  readonly tester: Tester;
  readonly judge: Judge;
  /** Whether the patient is audited while the judge marks. */
  readonly auditsPatients: boolean;
  readonly textThreads: TextThreads;
  readonly spokenConversations: Pick<SpokenConversations, 'open'>;
  readonly log: Log;
  /** Undefined while no traces are collected. */
  readonly traceHeaders?: TraceHeaders | undefined;
}

/** The actor keeps the transcript: all that is known of it here is how much may have been sent. */
export type ConversationRecord = Omit<ExecutionRecord, 'turns'>;

/** The calls of one attempt to the agent, the tester and the judge. */
export class ScenarioConversation implements Conversation {
  /** Null where the conversation is in text. */
  readonly floor: CurrentFloor | null;
  private session: Session | null = null;
  /** Null where the conversation is in text. */
  private call: SpokenCall | null = null;
  private callFacts: CallFacts | null = null;
  /** The call's end has begun. */
  private hasEndedCall = false;
  private greeting: string | null = null;
  private closed: Promise<void> = Promise.resolve();
  private connectMs: number | null = null;
  private sessionFacts: Notes = {};
  private grading: Grading | null = null;
  private shown: Uint8Array | null = null;
  private readonly patient = new PatientRecord();
  private readonly scenario: PatientScenario;
  /** The first turn of a later attempt may have been sent already by the attempt before. */
  private readonly turnInDoubt: number | null;
  private lastSent: number;
  /** What the agent did in place of its last reply, by this attempt or before it. */
  private closing: Notes | null;

  /** @param recorded turns that attempts before this one have recorded */
  constructor(
    private readonly record: ConversationRecord,
    recorded: number,
    private readonly lease: AttemptLease,
    private readonly participants: Participants,
  ) {
    this.scenario = scenarioOf(record);
    this.floor = record.spoken === null ? null : new CurrentFloor();
    this.turnInDoubt = record.isInDoubt && participants.provider?.resumable === true ? recorded + 1 : null;
    this.lastSent = this.turnInDoubt ?? recorded;
    this.closing = record.closingActs;
  }

  /** The last turn that may have been sent, by this attempt or before it. */
  get sentTurns(): number {
    return this.lastSent;
  }

  /** What the agent's page showed when it failed. */
  get screenshot(): Uint8Array | null {
    return this.shown;
  }

  /** Complete only once the session is closed. */
  get facts(): ConversationFacts {
    const { connectMs, sessionFacts: session, grading, patient, callFacts: spoken } = this;
    return { connectMs, session, grading, patient: patient.facts, spoken };
  }

  connect(turns: readonly TurnRecord[], signal: AbortSignal): Promise<void> {
    return this.attempting('connect', signal, async () => {
      const { record } = this;
      const { provider } = this.participants;
      if (provider === undefined) {
        throw new EffectFailed({
          code: 'config_invalid',
          message: `This version cannot run agents of the kind "${record.agentProvider}".`,
        });
      }
      if (record.agentConfig === null) {
        throw new EffectFailed({ code: 'not_found', message: 'The agent was deleted while its run was in progress.' });
      }
      await this.openCall(provider, signal);
      const began = performance.now();
      const session = await provider.connect(
        {
          agentId: record.agentId,
          config: record.agentConfig,
          scenarioRunId: record.scenarioRunId,
          attempt: record.attempt,
          history: turns,
          continuation: continuationOf(turns),
          assureOwnership: (during) => this.lease.assure(during),
          traceHeaders: this.participants.traceHeaders,
          ...(this.call === null
            ? {}
            : { spoken: { ...this.call.patient, onFloor: (floor) => this.floor?.hold(floor) } }),
        },
        signal,
      );
      if (signal.aborted) {
        // Canceled at the moment the session opened: only this call can close it.
        await session.close();
        return;
      }
      this.session = session;
      this.connectMs = performance.now() - began;
      const heard = this.call === null ? null : await this.call.greeting(session.greeting, signal);
      this.greeting = this.call === null ? session.greeting : heard === null ? null : clearedBy(session, heard);
    });
  }

  /** Nothing rings before its examiner has shown that it can speak and hear. */
  private async openCall(provider: Provider, signal: AbortSignal): Promise<void> {
    const { spoken, agentProvider } = this.record;
    if (spoken === null) return;
    if (!provider.speaks) {
      throw new EffectFailed({
        code: 'config_invalid',
        message: `Agents of the kind "${agentProvider}" cannot be spoken with: run it as text.`,
      });
    }
    this.call = await this.participants.spokenConversations.open(spoken, this.record, this.lease, signal);
  }

  compose(turn: number, transcript: readonly Turn[], signal: AbortSignal): Promise<PatientMessage> {
    return this.attempting('compose', signal, async () => {
      const began = performance.now();
      const { tester, textThreads: threads } = this.participants;
      const { scenario, region, maxTurns, keptTurns, givenMessage } = this.record;
      if (givenMessage !== null && turn === keptTurns + 1) {
        return { turn, content: givenMessage, at: new Date().toISOString(), notes: { given: true } };
      }
      const before = { greeting: this.greeting, history: transcript };
      const { heard, keys } = this.call === null ? { heard: before, keys: null } : patientTurn(this.record, before);
      if (keys !== null) return { turn, content: messageOf(keys), at: new Date().toISOString(), notes: {}, keys };
      const assureOwnership = (during: AbortSignal): Promise<void> => this.lease.assure(during);
      const { content, usage, mended } = await composeMessage(
        { tester, threads, criteria: scenario.rubric_criteria, assureOwnership },
        {
          card: roleCardOf(this.scenario.content, region),
          patient: this.record.patient,
          ...heard,
          turn,
          maxTurns,
        },
        signal,
      );
      return {
        turn,
        content,
        at: new Date().toISOString(),
        notes: testerNotes(performance.now() - began, usage, mended),
      };
    });
  }

  send({ turn, content, keys }: PatientMessage, signal: AbortSignal): Promise<AgentAnswer> {
    return this.attempting('send', signal, async () => {
      const { session } = this;
      if (session === null) throw new Error('A message was to be sent without a session.');
      await this.call?.prepare(turn, keys === undefined ? content : { keys }, signal);
      this.lastSent = turn;
      const reply = await session.send(content, signal).catch(hangUpOf);
      if (reply instanceof AgentHungUp) return this.hangUp(turn, reply);
      const heard = this.call === null ? null : await this.call.reply(reply, signal);
      const notes = heard === null ? undefined : clearedNotes(session, heard.notes);
      return {
        turn,
        content: heard === null ? reply.content : clearedBy(session, heard.content),
        at: new Date().toISOString(),
        latencyMs: reply.latencyMs,
        continuation: reply.continuation,
        notes: agentNotes(reply.metadata, turn === this.turnInDoubt, notes),
        endsConversation: reply.endsConversation ?? false,
      };
    });
  }

  private hangUp(turn: number, { isUnanswered, metadata }: AgentHungUp): HangUp {
    if (!isUnanswered) return { turn, content: null, isUnanswered };
    // Empty where nothing is known: whether a tool was called is not known then, either.
    this.closing = agentNotes(metadata, false);
    return { turn, content: null, isUnanswered, notes: this.closing };
  }

  /** Later callers wait for the same end. Never fails: what was said is recorded however its session ends. */
  disconnect(): Promise<void> {
    const { session, call } = this;
    this.floor?.end();
    if (session !== null || (call !== null && !this.hasEndedCall)) {
      this.session = null;
      this.hasEndedCall = true;
      this.closed = this.close(session);
    }
    return this.closed;
  }

  private async close(session: Session | null): Promise<void> {
    try {
      await session?.close();
      this.sessionFacts = session?.metadata() ?? {};
    } catch (error) {
      this.participants.log.error('A session did not end cleanly', { error, ...this.lease.names });
    }
    // What was heard last has come by now.
    this.callFacts = (await this.call?.finish()) ?? null;
  }

  /** The patient is audited while the agent is examined: a fault in something that decides ends both, and nothing is marked. */
  judge(transcript: readonly ExaminedTurn[], signal: AbortSignal): Promise<Verdict> {
    return this.attempting('judge', signal, async () => {
      const audible = audibleTranscript(transcript);
      const [verdict] = await bothAtOnce(
        signal,
        (either) => this.examine(audible, either),
        (either) => this.auditPatient(transcript, either),
      );
      return verdict;
    });
  }

  private async examine(transcript: readonly ExaminedTurn[], signal: AbortSignal): Promise<Verdict> {
    const { scenario, region, passThreshold, seed } = this.record;
    const { judge, textThreads: threads } = this.participants;
    const limited = this.record.spoken === null ? null : await LimitedSpeech.of(this.record, this.scenario, transcript);
    const began = performance.now();
    const { verdict, record } = await examine(
      {
        judge,
        scenario: this.scenario,
        criteria: scenario.rubric_criteria,
        transcript,
        closing: this.closing,
        region,
        passThreshold,
        threads,
        ...(seed === null ? {} : { seed }),
        assureOwnership: (during) => this.lease.assure(during),
        // The cost of a failed examination is recorded too.
        onFailure: (spent, failure) => {
          this.grading = { ms: performance.now() - began, record: spent, failure };
        },
      },
      signal,
    );
    this.grading = { ms: performance.now() - began, record, failure: null };
    return limited === null ? verdict : limited.decide(verdict);
  }

  private async auditPatient(transcript: readonly ExaminedTurn[], signal: AbortSignal): Promise<void> {
    const { tester, auditsPatients } = this.participants;
    if (!auditsPatients) return;
    const { patient, scenario, region, playedBy, keptTurns, givenMessage } = this.record;
    if (playedBy?.name === ELSEWHERE.name) return;
    const given = givenMessage === null ? [] : [keptTurns + 1];
    const pressed = transcript.filter(({ metadata }) => (spokenIn(metadata ?? {})?.keys ?? null) !== null);
    const written = new Set([...given, ...pressed.map(({ turn }) => turn)]);
    const card = roleCardOf(this.scenario.content, region);
    const request = { card, patient, criteria: scenario.rubric_criteria, transcript };
    await this.patient.audit(tester, request, written, signal);
  }

  /** Runs an outside call and turns its error into the failure the statechart keeps. */
  private async attempting<Result>(
    step: 'connect' | 'compose' | 'send' | 'judge',
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      await this.lease.assure(signal);
      return await work();
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof ProviderError) this.shown = error.screenshot;
      if (error instanceof TesterError) this.patient.noteFailure(error);
      const failure = failureFrom(error);
      if (failure !== null) throw new EffectFailed(failure);
      const { names } = this.lease;
      this.participants.log.error('An effect of a scenario run failed unexpectedly', { error, ...names, step });
      throw error;
    }
  }
}

/** An agent may say aloud what its config holds. @throws ProviderError for more than a reply may hold */
function clearedBy(session: Session, heard: string): string {
  return session.cleared === undefined ? heard : session.cleared(heard);
}

function clearedNotes(session: Session, notes: SpokenNotes): SpokenNotes {
  const { heard } = notes;
  return typeof heard === 'string' ? { ...notes, heard: clearedBy(session, heard) } : notes;
}

/** Not a failure of the conversation: how it ends. */
function hangUpOf(error: unknown): AgentHungUp {
  if (error instanceof AgentHungUp) return error;
  throw error;
}

function failureFrom(error: unknown): Failure | null {
  if (error instanceof EffectFailed) return error.failure;
  if (error instanceof ProviderError) return { code: error.code, message: storableText(error.message) };
  if (error instanceof TesterError) return { code: 'tester_failed', message: storableText(error.message) };
  if (error instanceof SpeechError) return { code: 'speech_failed', message: storableText(error.message) };
  if (error instanceof JudgeError) return { code: 'grading_failed', message: storableText(error.message) };
  return null;
}

/** The scenario as the patient reads it: fields that were left out, or have another shape, are empty. */
export function scenarioOf({ scenario: { name, content } }: Pick<ExecutionRecord, 'scenario'>): PatientScenario {
  const { script, chief_complaint, demographics } = content;
  return {
    name,
    content: {
      ...content,
      script: typeof script === 'string' ? script : '',
      chief_complaint: typeof chief_complaint === 'string' ? chief_complaint : '',
      demographics: typeof demographics === 'object' && demographics !== null ? { ...demographics } : {},
    },
  };
}

/** Where the provider left the conversation after the last recorded turn; null at its beginning. */
export function continuationOf(turns: readonly TurnRecord[]): Json {
  return toJson(turns.at(-1)?.continuation);
}

/** Continuations are read back from a json column, so they are JSON already. */
function toJson(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toJson(part)]));
  }
  return null;
}
