import { actsIn, type ExaminedTurn, type Notes, type ToolCall } from '../../domain';

/** What checks read of the agent's acts in one turn. */
export interface ActedTurn {
  readonly turn: number;
  /** In their order; null where it is not known whether any tool was called. */
  readonly calls: readonly ToolCall[] | null;
  /** There were more calls than are kept. */
  readonly areCallsCut: boolean;
}

/** What checks read of a turn. */
export interface CheckedTurn extends ActedTurn {
  readonly reply: string;
  /** Null where it is not known, as in conversations that were held elsewhere. */
  readonly latencyMs: number | null;
  /** As the agent reported them; null where it did not. */
  readonly tokens: number | null;
  readonly costUsd: number | null;
}

/** @param readsCalls whether a check looks at tool calls: they may be large */
export function checkedTurnsOf(transcript: readonly ExaminedTurn[], readsCalls: boolean): CheckedTurn[] {
  return transcript.map((turn) => {
    const { usage, toolCalls, areCallsCut } = actsIn(turn.metadata);
    return {
      turn: turn.turn,
      reply: turn.agentMessage,
      latencyMs: turn.latencyMs,
      tokens: usage?.total_tokens ?? null,
      costUsd: usage?.cost_usd ?? null,
      calls: readsCalls ? toolCalls : null,
      areCallsCut,
    };
  });
}

/** The turn in which the agent acted in place of a reply, and ended the conversation with it. @param notes as a turn's metadata */
export function actedTurnOf(turn: number, notes: Notes): ActedTurn {
  const { toolCalls: calls, areCallsCut } = actsIn(notes);
  return { turn, calls, areCallsCut };
}
