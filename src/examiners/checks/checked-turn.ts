import type { ExaminedTurn, Notes } from '../../domain';

/** What checks read of a turn. */
export interface CheckedTurn {
  readonly turn: number;
  readonly reply: string;
  /** Null in conversations that were held elsewhere. */
  readonly latencyMs: number | null;
  /** As the agent reported them; null where it did not. */
  readonly tokens: number | null;
  readonly costUsd: number | null;
}

export function checkedTurnsOf(transcript: readonly ExaminedTurn[]): CheckedTurn[] {
  return transcript.map((turn) => {
    const usage = usageOf(turn.metadata);
    return {
      turn: turn.turn,
      reply: turn.agentMessage,
      latencyMs: isMeasured(turn) ? turn.latencyMs : null,
      tokens: tokensIn(usage),
      costUsd: firstOf(usage, ['cost_usd', 'cost', 'total_cost']),
    };
  });
}

/** Whether the service itself waited for the reply: conversations from elsewhere have no times, and rehearsed ones none that mean anything. */
function isMeasured({ agentAt, metadata }: ExaminedTurn): boolean {
  return agentAt !== '' && metadata?.['elsewhere'] !== true;
}

/** Turns that a derived run took over keep what they cost under another name, so that it is not counted twice. */
function usageOf(metadata: Notes | undefined): Notes {
  const agent = metadata?.['agent'];
  if (!isNotes(agent)) return {};
  const usage = agent['usage'] ?? agent['usage_in_source'];
  return isNotes(usage) ? usage : {};
}

function tokensIn(usage: Notes): number | null {
  const total = firstOf(usage, ['total_tokens']);
  if (total !== null) return total;
  const input = firstOf(usage, ['input_tokens', 'prompt_tokens']);
  const output = firstOf(usage, ['output_tokens', 'completion_tokens']);
  return input === null || output === null ? null : input + output;
}

function firstOf(usage: Notes, names: readonly string[]): number | null {
  for (const name of names) {
    const value = usage[name];
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  }
  return null;
}

function isNotes(value: unknown): value is Notes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
