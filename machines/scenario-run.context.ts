import { turnOf, type AgentReply, type PatientMessage, type Turn } from './conversation';
import type { Conversation, Recorder } from './execution';
import type { Failure } from './failure';
import type { Verdict } from './rubric';
import type { ScenarioRunStatus } from './statuses';

/** What a row says when an execution of it begins: the chart starts from rows, never from stored snapshots. */
export interface ScenarioRunInput {
  readonly scenarioRunId: string;
  readonly testRunId: string;
  /** Fencing token of this execution. */
  readonly attempt: number;
  readonly status: ScenarioRunStatus;
  readonly maxTurns: number;
  /** A scenario without rubric criteria cannot be graded, so its conversation is not held either. */
  readonly hasRubric: boolean;
  /** Turns recorded by earlier attempts of the same conversation. */
  readonly exchanges: readonly Turn[];
  /** The execution that this actor drives. */
  readonly conversation: Conversation;
  readonly recorder: Recorder;
}

export interface ScenarioRunContext extends ScenarioRunInput {
  /** What the row says, as far as this actor has read or written it. */
  readonly status: ScenarioRunStatus;
  readonly patientMessage: PatientMessage | null;
  readonly reply: AgentReply | null;
  readonly verdict: Verdict | null;
  readonly failure: Failure | null;
}

/** The number of the current turn. */
export function turnNumberOf({ exchanges }: ScenarioRunContext): number {
  return exchanges.length + 1;
}

/** The current turn, once it is complete. */
export function completedTurn({ patientMessage, reply }: ScenarioRunContext): Turn {
  return turnOf(present(patientMessage), present(reply));
}

/** The chart fills these before it enters a state that needs them. */
export function present<Value>(value: Value | null): Value {
  if (value === null) throw new Error('The statechart reached an effect without its input.');
  return value;
}
