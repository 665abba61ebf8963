import type { AgentReply, Exchange, PatientMessage, Turn } from './conversation';
import type { Failure } from './failure';
import type { Verdict } from './rubric';

/**
 * The outside calls of one execution of a scenario run: its session with the agent, the tester and the judge. Every call ends
 * with its signal, and begins only while the row is this execution's.
 */
export interface Conversation {
  /** Opens the session, continuing after the recorded turns. */
  connect(turns: readonly Turn[], signal: AbortSignal): Promise<void>;
  compose(turn: number, transcript: readonly Exchange[], signal: AbortSignal): Promise<PatientMessage>;
  send(message: PatientMessage, signal: AbortSignal): Promise<AgentReply>;
  /** Ends the session. Idempotent; never rejects. */
  disconnect(): Promise<void>;
  judge(transcript: readonly Exchange[], signal: AbortSignal): Promise<Verdict>;
}

/**
 * The writes of one execution of a scenario run. A write is committed when it resolves. A refused write
 * rejects, but by then its actor has received `attemptSuperseded` or `runCanceled`.
 */
export interface Recorder {
  /** @param startsGrading the conversation is complete: the same commit begins the grading */
  recordTurn(turn: Turn, startsGrading: boolean, signal: AbortSignal): Promise<void>;
  /** Of a complete conversation whose last turn did not begin the grading: an earlier version of the service recorded it. */
  recordGradingStart(signal: AbortSignal): Promise<void>;
  recordVerdict(verdict: Verdict, turns: readonly Turn[], signal: AbortSignal): Promise<void>;
  recordFailure(failure: Failure, turns: readonly Turn[], signal: AbortSignal): Promise<void>;
}
