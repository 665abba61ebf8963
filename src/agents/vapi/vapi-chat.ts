import { z } from 'zod';
import { functionNames, HeardCalls, type HeardActs } from '../heard-acts';

const Text = z.union([z.string(), z.array(z.object({ text: z.string().optional() }))]).nullish();

/** One entry of `output`: a message of any role; tool calls and tool results hold no text of the assistant. */
const Message = z.object({
  role: z.string().nullish(),
  content: Text.catch(null),
  text: z.string().nullish().catch(null),
  tool_calls: z.unknown().optional(),
  toolCalls: z.unknown().optional(),
  /** Of a message with what a tool answered. */
  tool_call_id: z.string().nullish().catch(null),
  toolCallId: z.string().nullish().catch(null),
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
  readonly acts: HeardActs;
}

/** Null when the JSON is not a chat, or has no id, without which the conversation cannot continue. */
export function readChat(json: unknown): ChatReply | null {
  if (hasTooManyMessages(json)) return null;
  const { data } = Chat.safeParse(json);
  if (data === undefined) return null;
  const { id, output } = data;
  if (typeof output === 'string') return { chatId: id, text: output, tools: [], acts: UNTOLD };
  const messages = Array.isArray(output) ? output : [output];
  const texts = messages.filter(({ role }) => (role ?? 'assistant') === 'assistant').map(textOf);
  const calls = new HeardCalls();
  for (const message of messages) {
    const called = callsOf(message);
    if (Array.isArray(called)) calls.hear(called);
    const answered = message.tool_call_id ?? message.toolCallId;
    if (message.role === 'tool' && answered) calls.hear({ id: answered, result: textOf(message) });
  }
  return {
    chatId: id,
    text: texts.filter((text) => text !== '').join('\n'),
    tools: messages.flatMap((message) => functionNames(callsOf(message))),
    acts: { calls: calls.list, areCallsCut: calls.isCut, context: [], isContextCut: false },
  };
}

/** A stub of the API answers with nothing but words. */
const UNTOLD: HeardActs = { calls: null, areCallsCut: false, context: [], isContextCut: false };

function hasTooManyMessages(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || !('output' in json)) return false;
  return Array.isArray(json.output) && json.output.length > MAX_MESSAGES;
}

function callsOf({ tool_calls, toolCalls }: z.infer<typeof Message>): unknown {
  return tool_calls ?? toolCalls;
}

function textOf({ content, text }: z.infer<typeof Message>): string {
  if (typeof content === 'string') return content;
  return content?.map((part) => part.text ?? '').join('') ?? text ?? '';
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
