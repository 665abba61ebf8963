import {
  turnOf,
  type AgentReply,
  type Ending,
  type HangUp,
  type PatientMessage,
  type TurnRecord,
  type Failure,
  type Verdict,
  type ScenarioRunStatus,
} from '../src/domain';
import type { Conversation, Recorder } from './execution';

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
  readonly exchanges: readonly TurnRecord[];
  /** The execution that this actor drives. */
  readonly conversation: Conversation;
  readonly recorder: Recorder;
}

export interface ScenarioRunContext extends ScenarioRunInput {
  /** What the row says, as far as this actor has read or written it. */
  readonly status: ScenarioRunStatus;
  readonly patientMessage: PatientMessage | null;
  readonly reply: AgentReply | null;
  /** How the agent ended the conversation in place of a reply. */
  readonly hangUp: HangUp | null;
  readonly verdict: Verdict | null;
  readonly failure: Failure | null;
}

/** The number of the current turn. */
export function turnNumberOf({ exchanges }: Pick<ScenarioRunContext, 'exchanges'>): number {
  return exchanges.length + 1;
}

/** The current turn, once it is complete. */
export function completedTurn({ patientMessage, reply }: ScenarioRunContext): TurnRecord {
  return turnOf(present(patientMessage), present(reply));
}

/** The turn under way ends the conversation: it is the last one, or the agent ends it with its reply. */
export function isLastTurn(context: ScenarioRunContext): boolean {
  return turnNumberOf(context) >= context.maxTurns || context.reply?.endsConversation === true;
}

/** How the conversation ends, once it does. An agent that says goodbye in the last turn cuts nothing short. */
export function endingOf(
  context: Pick<ScenarioRunContext, 'reply' | 'hangUp' | 'patientMessage' | 'maxTurns' | 'exchanges'>,
): Ending {
  const { reply, hangUp, patientMessage, maxTurns } = context;
  if (hangUp !== null) {
    const { isUnanswered, notes } = hangUp;
    const unansweredMessage = isUnanswered ? present(patientMessage).content : null;
    return { endedBy: 'agent', unansweredMessage, ...(notes && { closingActs: notes }) };
  }
  const isCutShort = reply?.endsConversation === true && turnNumberOf(context) < maxTurns;
  return { endedBy: isCutShort ? 'agent' : null, unansweredMessage: null };
}

/** The chart fills these before it enters a state that needs them. */
export function present<Value>(value: Value | null): Value {
  if (value === null) throw new Error('The statechart reached an effect without its input.');
  return value;
}
