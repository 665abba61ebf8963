import { z } from 'zod';

const Text = z.union([z.string(), z.array(z.object({ text: z.string().optional() }))]).nullish();

/** No message calls more tools at once; the rest is not looked at. */
const MAX_TOOL_CALLS = 50;

/** Names of the tools that a message calls; of what is malformed none. */
const ToolCalls = z
  .preprocess(
    (calls) => (Array.isArray(calls) ? calls.slice(0, MAX_TOOL_CALLS) : calls),
    z.array(z.object({ function: z.object({ name: z.string() }).optional().catch(undefined) })).nullish(),
  )
  .catch(null);

/** One entry of `output`: a message of any role; tool calls and tool results hold no text of the assistant. */
const Message = z.object({
  role: z.string().nullish(),
  content: Text.catch(null),
  text: z.string().nullish().catch(null),
  tool_calls: ToolCalls,
  toolCalls: ToolCalls,
});

const Chat = z.object({
  id: z.string().min(1),
  output: z.union([z.array(Message), z.string(), Message]),
});

/** More than any turn has, tool calls and results included: checking a megabyte of them would take long. */
const MAX_MESSAGES = 1_000;

export interface ChatReply {
  /** Identifies the conversation up to here: the next message continues from it. */
  readonly chatId: string;
  /** Every assistant message with text, joined by newlines; empty when there is none. */
  readonly text: string;
  /** The tools that the assistant called, by their names. */
  readonly tools: readonly string[];
}

/** Null when the JSON is not a chat, or has no id, without which the conversation cannot continue. */
export function readChat(json: unknown): ChatReply | null {
  if (hasTooManyMessages(json)) return null;
  const { data } = Chat.safeParse(json);
  if (data === undefined) return null;
  const { id, output } = data;
  if (typeof output === 'string') return { chatId: id, text: output, tools: [] };
  const messages = Array.isArray(output) ? output : [output];
  const texts = messages.filter(({ role }) => (role ?? 'assistant') === 'assistant').map(textOf);
  return { chatId: id, text: texts.filter((text) => text !== '').join('\n'), tools: messages.flatMap(toolsOf) };
}

function hasTooManyMessages(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || !('output' in json)) return false;
  return Array.isArray(json.output) && json.output.length > MAX_MESSAGES;
}

function textOf({ content, text }: z.infer<typeof Message>): string {
  if (typeof content === 'string') return content;
  return content?.map((part) => part.text ?? '').join('') ?? text ?? '';
}

function toolsOf({ tool_calls, toolCalls }: z.infer<typeof Message>): string[] {
  return (tool_calls ?? toolCalls ?? []).flatMap((call) => (call.function === undefined ? [] : [call.function.name]));
}

const Refusal = z.object({ message: z.union([z.string(), z.array(z.string())]) });

/** An unknown assistant is a 400 as well: the body repeats the status and has a message, but no code. */
export function saysUnknownAssistant(json: unknown): boolean {
  return /\b(does not|doesn't|do not|don't) exist\b|\bnot found\b/i.test(messageOf(json));
}

/** A 429 also stands for too many calls at once, which passes; one about billing does not. Only the message says which. */
export function saysCreditIsUsedUp(json: unknown): boolean {
  return /\b(insufficient|out of|no) (credits?|funds|balance|quota)\b|\bbilling\b/i.test(messageOf(json));
}

function messageOf(json: unknown): string {
  const message = Refusal.safeParse(json).data?.message ?? '';
  return typeof message === 'string' ? message : message.join('\n');
}
