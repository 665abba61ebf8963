import type { AgentReply, Exchange, PatientMessage, Turn } from './conversation';
import type { Failure } from './failure';
import type { Verdict } from './rubric';

/**
 * One execution of a scenario run towards the world: its session with the agent, the tester and the judge. Every call ends
 * with its signal, and begins only while the row is this execution's.
 */
export interface Conversation {
  /** Opens the session, where the recorded turns left it. */
  connect(turns: readonly Turn[], signal: AbortSignal): Promise<void>;
  compose(turn: number, transcript: readonly Exchange[], signal: AbortSignal): Promise<PatientMessage>;
  send(message: PatientMessage, signal: AbortSignal): Promise<AgentReply>;
  /** Ends the session. Idempotent; never rejects. */
  disconnect(): Promise<void>;
  judge(transcript: readonly Exchange[], signal: AbortSignal): Promise<Verdict>;
}

/**
 * One execution of a scenario run towards its row. What it writes is committed when it resolves. A write that is refused
 * rejects, but its actor has heard before that the row is not its own: `attemptSuperseded` or `runCanceled`.
 */
export interface Recorder {
  /** @param startsGrading the conversation is complete: the same commit begins the grading */
  recordTurn(turn: Turn, startsGrading: boolean, signal: AbortSignal): Promise<void>;
  /** Of a complete conversation whose last turn did not begin the grading: an earlier version of the service recorded it. */
  recordGradingStart(signal: AbortSignal): Promise<void>;
  recordVerdict(verdict: Verdict, turns: readonly Turn[], signal: AbortSignal): Promise<void>;
  recordFailure(failure: Failure, turns: readonly Turn[], signal: AbortSignal): Promise<void>;
}
