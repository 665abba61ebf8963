import type {
  AgentAnswer,
  Ending,
  ExaminedTurn,
  Turn,
  PatientMessage,
  TurnRecord,
  Failure,
  Verdict,
} from '../src/domain';

/**
 * The outside calls of one execution of a scenario run: its session with the agent, the tester and the judge. Every call ends
 * with its signal, and begins only while the row is this execution's.
 */
export interface Conversation {
  /** Opens the session, continuing after the recorded turns. */
  connect(turns: readonly TurnRecord[], signal: AbortSignal): Promise<void>;
  compose(turn: number, transcript: readonly Turn[], signal: AbortSignal): Promise<PatientMessage>;
  send(message: PatientMessage, signal: AbortSignal): Promise<AgentAnswer>;
  /** Ends the session. Idempotent; never rejects. */
  disconnect(): Promise<void>;
  judge(transcript: readonly ExaminedTurn[], signal: AbortSignal): Promise<Verdict>;
}

/**
 * The writes of one execution of a scenario run. A write is committed when it resolves. A refused write
 * rejects, but by then its actor has received `attemptSuperseded` or `runCanceled`.
 */
export interface Recorder {
  /** @param ending the turn ends the conversation: the same commit begins the grading; null while it goes on */
  recordTurn(turn: TurnRecord, ending: Ending | null, signal: AbortSignal): Promise<void>;
  /** Records the start of grading for a conversation whose last recorded turn did not end it. */
  recordGradingStart(ending: Ending, signal: AbortSignal): Promise<void>;
  recordVerdict(verdict: Verdict, turns: readonly TurnRecord[], signal: AbortSignal): Promise<void>;
  recordFailure(failure: Failure, turns: readonly TurnRecord[], signal: AbortSignal): Promise<void>;
}
