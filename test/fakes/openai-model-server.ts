import { z } from 'zod';
import { startFakeModel, type FakeModel, type FakeModelOptions, type Wire } from './model-server';

const chatRequest = z.object({
  model: z.string(),
  max_completion_tokens: z.number().optional(),
  max_tokens: z.number().optional(),
  messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })).min(1),
  response_format: z.object({ type: z.string(), json_schema: z.unknown() }).optional(),
  tools: z.array(z.object({ function: z.object({ name: z.string(), parameters: z.unknown() }) })).optional(),
  tool_choice: z.unknown().optional(),
});
export type ChatRequest = z.output<typeof chatRequest>;

/**
 * What a server makes of a shape that is asked for: `schema` and `tools` answer in it and refuse what they do not know, `words`
 * refuses both, `deaf` takes a schema and does as it likes.
 */
export type Ability = 'schema' | 'tools' | 'words' | 'deaf';

export interface FakeOpenAiModelOptions extends FakeModelOptions<ChatRequest> {
  readonly ability?: Ability;
  /** Knows `max_tokens` only, and refuses the other name. */
  readonly hasOldLimit?: boolean;
  /** Replaces the usage of every answer; null leaves it out. */
  readonly usage?: unknown;
}

export interface FakeOpenAiModel extends FakeModel<ChatRequest> {
  /** For EXAMINER_BASE_URL. */
  readonly url: string;
}

const FINISH_REASONS = { done: 'stop', refused: 'stop', cut: 'length' } as const;
const ASKS_FOR_DOCUMENT = ['"response_format"', '"tools"', 'It fits this JSON schema'];

/** Chat completions by a model that plays and marks, on loopback. */
export async function startFakeOpenAiModel(options: FakeOpenAiModelOptions = {}): Promise<FakeOpenAiModel> {
  const { ability = 'schema', hasOldLimit = false, usage, ...rest } = options;
  const counted = usage === undefined ? { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } : usage;
  const wire: Wire<ChatRequest> = {
    purposeOf: (raw) => {
      if (!ASKS_FOR_DOCUMENT.some((sign) => raw.includes(sign))) return 'patient';
      if (holdsProperty(raw, 'faults')) return 'audit';
      return holdsProperty(raw, 'answers') ? 'judge' : 'generator';
    },
    read: (json) => chatRequest.parse(json),
    repliesIn: ({ messages }) => messages.filter(({ role }) => role === 'assistant').length,
    questionOf: ({ messages }) => messages.find(({ role }) => role === 'user')?.content ?? '',
    refuse: (body) => {
      const refused = refusedField(body, ability, hasOldLimit);
      if (refused === undefined) return undefined;
      // As vLLM, llama.cpp and proxies do it: in a sentence, without `param`.
      return { kind: 'status', status: 400, message: `Unsupported parameter: ${refused}` };
    },
    document: ({ text, end, isDocument }, body) => ({
      id: 'chatcmpl-fake',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'fake',
      choices: [
        {
          index: 0,
          message: messageOf(end === 'refused' ? null : inWords(text, isDocument, ability, body), body),
          finish_reason: body.tools !== undefined && end === 'done' ? 'tool_calls' : FINISH_REASONS[end],
        },
      ],
      ...(counted === null ? {} : { usage: counted }),
    }),
    errorDocument: ({ message = 'scripted', code = null, param = null }) => ({
      error: { message, type: 'invalid_request_error', code, param },
    }),
  };
  const model = await startFakeModel(wire, rest);
  return Object.assign(model, { url: `${model.origin}/v1` });
}

/** In a schema, or in the words of one. */
function holdsProperty(raw: Buffer, name: string): boolean {
  return raw.includes(`"${name}":{`) || raw.includes(`\\"${name}\\":{`);
}

function refusedField(body: ChatRequest, ability: Ability, hasOldLimit: boolean): string | undefined {
  if (hasOldLimit && body.max_completion_tokens !== undefined) return 'max_completion_tokens';
  if (body.response_format !== undefined && (ability === 'tools' || ability === 'words')) return 'response_format';
  return body.tools !== undefined && ability === 'words' ? 'tools' : undefined;
}

/** A model that was only asked in words fences its document, and one that nobody asked so writes prose. */
function inWords(text: string, isDocument: boolean, ability: Ability, body: ChatRequest): string {
  if (!isDocument) return text;
  const isAskedInWords = body.messages[0]?.content.includes('It fits this JSON schema') === true;
  if (isAskedInWords) return `<think>The schema {"says"} it all.</think>\n\`\`\`json\n${text}\n\`\`\``;
  return ability === 'deaf' ? 'All in all the assistant did well.' : text;
}

/** @param text null refuses */
function messageOf(text: string | null, { tools }: ChatRequest): object {
  if (text === null) return { role: 'assistant', content: null, refusal: 'I cannot help with that.' };
  const name = tools?.[0]?.function.name;
  if (name === undefined) return { role: 'assistant', content: text, refusal: null };
  const call = { id: 'call_1', type: 'function', function: { name, arguments: text } };
  return { role: 'assistant', content: null, tool_calls: [call] };
}
