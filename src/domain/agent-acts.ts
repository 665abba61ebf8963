import * as z from 'zod/mini';
import type { Notes } from './conversation';

/** A tool that the agent called before it replied, as its answer tells of it. */
export interface ToolCall {
  /** As the agent's side numbers its calls; null where it does not. */
  readonly id: string | null;
  /** Empty where it is not told. */
  readonly name: string;
  /** JSON text as a rule; null where they are not told. */
  readonly arguments: string | null;
  /** What the tool answered; null where it is not told. */
  readonly result: string | null;
  /** Its arguments or its result were longer than what is kept. */
  readonly truncated: boolean;
  /** Its arguments were. */
  readonly areArgumentsCut: boolean;
}

/** Numbers that the agent reports of one reply; null where it does not. */
export interface ReportedUsage {
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  /** The sum of both where no total is reported. */
  readonly total_tokens: number | null;
  readonly cost_usd: number | null;
}

/** What the agent did for one reply, beside what it said. */
export interface AgentActs {
  /** In their order; null where it is not known whether any tool was called. */
  readonly toolCalls: readonly ToolCall[] | null;
  /** Pieces of text that it had retrieved; empty where none are told. */
  readonly context: readonly string[];
  /** There were more calls than are kept. */
  readonly areCallsCut: boolean;
  /** There was more context than is kept. */
  readonly isContextCut: boolean;
  readonly usage: ReportedUsage | null;
}

const text = z.catch(z.optional(z.string()), undefined);

/** As a turn's metadata holds it, under `agent`. */
const storedCall = z.object({
  id: text,
  name: text,
  arguments: text,
  result: text,
  truncated: z.catch(z.optional(z.boolean()), undefined),
  arguments_cut: z.catch(z.optional(z.boolean()), undefined),
});
const stored = z.object({
  tool_calls: z.catch(z.optional(z.array(storedCall)), undefined),
  context: z.catch(z.optional(z.array(z.string())), undefined),
  tool_calls_cut: z.catch(z.optional(z.boolean()), undefined),
  context_cut: z.catch(z.optional(z.boolean()), undefined),
});

/** @param metadata what is kept of the turn; undefined where nothing is */
export function actsIn(metadata: Notes | undefined): AgentActs {
  const agent = agentNotesIn(metadata);
  const data = stored.parse(agent);
  return {
    toolCalls:
      data.tool_calls?.map((call) => ({
        id: call.id ?? null,
        name: call.name ?? '',
        arguments: call.arguments ?? null,
        result: call.result ?? null,
        truncated: call.truncated ?? false,
        areArgumentsCut: call.arguments_cut ?? false,
      })) ?? null,
    context: data.context ?? [],
    areCallsCut: data.tool_calls_cut ?? false,
    isContextCut: data.context_cut ?? false,
    usage: usageIn(agent),
  };
}

/** Turns that a derived run took over keep what they cost under another name, so that it is not counted twice. */
function usageIn(agent: Notes): ReportedUsage | null {
  const usage = agent['usage'] ?? agent['usage_in_source'];
  if (!isNotes(usage)) return null;
  const input = firstOf(usage, ['input_tokens', 'prompt_tokens']);
  const output = firstOf(usage, ['output_tokens', 'completion_tokens']);
  const sum = input === null || output === null ? null : input + output;
  const reported: ReportedUsage = {
    input_tokens: input,
    output_tokens: output,
    total_tokens: firstOf(usage, ['total_tokens']) ?? sum,
    cost_usd: firstOf(usage, ['cost_usd', 'cost', 'total_cost']),
  };
  return Object.values(reported).some((value) => value !== null) ? reported : null;
}

function firstOf(usage: Notes, names: readonly string[]): number | null {
  for (const name of names) {
    const value = usage[name];
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  }
  return null;
}

function agentNotesIn(metadata: Notes | undefined): Notes {
  const agent = metadata?.['agent'];
  return isNotes(agent) ? agent : {};
}

function isNotes(value: unknown): value is Notes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A call on one line, as it is quoted: `book_visit({"day":"Monday"})`. */
export function callText({ name, arguments: given }: Pick<ToolCall, 'name' | 'arguments'>): string {
  return `${name === '' ? 'a tool without a name' : name}(${given ?? '…'})`;
}

/** What the service tells of an agent's acts, as far as a line about them needs it. */
interface ToldActs {
  readonly tool_calls: readonly unknown[] | null;
  readonly context: readonly unknown[];
  readonly usage: Pick<ReportedUsage, 'total_tokens' | 'cost_usd'> | null;
  readonly truncated: boolean;
}

/** What was done for a reply, counted: `2 tool calls · 1 piece of context · 1,204 tokens · $0.0021`; empty where there is nothing. */
export function actsSummary({ tool_calls, context, usage, truncated }: ToldActs): string {
  const calls = tool_calls?.length ?? 0;
  const cost = usage?.cost_usd ?? null;
  const tokens = usage?.total_tokens ?? null;
  return [
    ...(calls === 0 ? [] : [counted(calls, 'tool call')]),
    ...(context.length === 0 ? [] : [`${counted(context.length, 'piece')} of context`]),
    ...(tokens === null ? [] : [counted(tokens, 'token')]),
    ...(cost === null ? [] : [`$${cost.toLocaleString('en', { maximumSignificantDigits: 4 })}`]),
    ...(truncated ? ['not all is kept'] : []),
  ].join(' · ');
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
