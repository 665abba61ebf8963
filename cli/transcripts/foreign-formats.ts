import { z } from 'zod';
import { askedIn } from '../calibration/meta-evaluation';
import { checked, isWrong, type Wrong } from '../import/checked';
import { isObject } from '../read-input';

/** The result of reading a format: the fields of a conversation as POST /api/v1/transcripts takes them, still unchecked. */
export type Conversation = Readonly<Record<string, unknown>>;

/** A message of chat completions; its content is text, a list of parts, or nothing beside tool calls. */
const chatMessage = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string().optional() })), z.null()]).optional(),
});
type ChatMessage = z.output<typeof chatMessage>;

const chatLine = z.looseObject({ messages: z.array(chatMessage).min(1) });

export function isChat(value: Conversation): boolean {
  return Array.isArray(value['messages']);
}

/** OpenAI's chat messages: instructions and the results of tools are no part of what was said. */
export function readChat(value: Conversation): Conversation | Wrong {
  const read = checked(chatLine, value);
  if (isWrong(read)) return read;
  return { ...markedBy(value), transcript: spoken(read.data.messages) };
}

function spoken(messages: readonly ChatMessage[]): readonly object[] {
  return messages
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .map(({ role, content }) => ({ role, content: textOf(content) }))
    .filter(({ content }) => content.trim() !== '');
}

function textOf(content: ChatMessage['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
}

/** Fields of a line that say what its conversation is marked by; fields of other tools are ignored. */
function markedBy(value: Conversation): Conversation {
  const fields = ['name', 'scenario_id', 'rubric_criteria', 'rubric_scale'];
  return Object.fromEntries(fields.filter((field) => field in value).map((field) => [field, value[field]]));
}

const healthBench = z.looseObject({
  prompt: z.array(z.object({ role: z.string(), content: z.string() })).min(1),
  rubrics: z
    .array(z.object({ criterion: z.string(), points: z.number(), tags: z.array(z.string()).default([]) }))
    .min(1),
  prompt_id: z.string().optional(),
  completion: z.string({ error: 'is required: the answer that is to be marked' }).min(1),
});

/** A line of HealthBench, with the answer in `completion`. Its criteria are about that answer alone. */
export function readHealthBench(value: Conversation): Conversation | Wrong {
  const read = checked(healthBench, value);
  if (isWrong(read)) return read;
  const { prompt, rubrics, prompt_id, completion } = read.data;
  return {
    ...(prompt_id === undefined ? {} : { name: `HealthBench ${prompt_id}` }),
    rubric_criteria: rubrics,
    rubric_scale: 'binary',
    transcript: [
      { role: 'patient', content: askedIn(prompt) },
      { role: 'agent', content: completion },
    ],
  };
}

const inspectLog = z.looseObject({
  eval: z.looseObject({ task: z.string().optional(), model: z.string().optional() }).default({}),
  samples: z.array(z.unknown()).min(1),
});
const inspectSample = z.looseObject({
  id: z.union([z.string(), z.number()]),
  epoch: z.number().default(1),
  messages: z.array(chatMessage).min(1),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

export function isInspectLog(value: Conversation): boolean {
  return Array.isArray(value['samples']) && isObject(value['eval']);
}

/** The samples of Inspect's log; their metadata says what they are marked by. Samples with the same id are trials of one item. */
export function samplesOf(
  log: Conversation,
): { readonly samples: readonly unknown[]; readonly model: string | null } | Wrong {
  const read = checked(inspectLog, log);
  if (isWrong(read)) return read;
  return { samples: read.data.samples, model: read.data.eval.model ?? null };
}

export function readInspectSample(value: unknown): Conversation | Wrong {
  const read = checked(inspectSample, value);
  if (isWrong(read)) return read;
  const { id, messages, metadata } = read.data;
  return { name: `Sample ${id}`, ...markedBy(metadata ?? {}), transcript: spoken(messages) };
}
