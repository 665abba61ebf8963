import { createHash } from 'node:crypto';
import { z } from 'zod';
import { REFERENCE_AGENTS } from './reference-agents';

/** The model name of the demo clinic agent. */
export const CLINIC_MODEL = 'demo-clinic-agent';

const text = z.union([
  z.string(),
  z
    .array(z.object({ type: z.literal('text'), text: z.string() }))
    .transform((parts) => parts.map((part) => part.text).join('\n')),
]);

/** The part of a chat completion request that the agent reads; it ignores temperature, tools and the like. */
const chatRequest = z.object({
  model: z.string().optional(),
  messages: z
    .array(z.object({ role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']), content: text.nullish() }))
    .min(1),
  stream: z.literal(false, { error: 'Streaming is not supported' }).nullish(),
});
export type ChatRequest = z.output<typeof chatRequest>;

/** A request that cannot be answered: status and the fields of the API's error object. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';

  constructor(
    readonly status: number,
    message: string,
    readonly param: string | null = null,
  ) {
    super(message);
  }

  get body(): object {
    return { error: { message: this.message, type: 'invalid_request_error', param: this.param, code: null } };
  }
}

/** @throws RequestRefused naming the field */
export function readChatRequest(body: string): ChatRequest {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new RequestRefused(400, 'The body is not JSON.');
  }
  const parsed = chatRequest.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const param = issue?.path.join('.') ?? '';
  throw new RequestRefused(400, `${param || 'The body'}: ${issue?.message ?? 'is wrong'}.`, param || null);
}

/** What the patient has said, in order. */
export function patientMessagesOf({ messages }: ChatRequest): string[] {
  return messages.flatMap(({ role, content }) => (role === 'user' ? [content ?? ''] : []));
}

/** A name for the conversation: the same for the same messages. */
export function fingerprintOf({ messages }: ChatRequest): string {
  return createHash('sha256').update(JSON.stringify(messages)).digest('hex').slice(0, 24);
}

export function completionOf(request: ChatRequest, reply: string, at: Date): object {
  const promptTokens = request.messages.reduce((sum, { content }) => sum + aboutTokens(content ?? ''), 0);
  const completionTokens = aboutTokens(reply);
  return {
    id: `chatcmpl-${fingerprintOf(request)}`,
    object: 'chat.completion',
    created: Math.floor(at.getTime() / 1000),
    model: request.model ?? CLINIC_MODEL,
    choices: [{ index: 0, message: { role: 'assistant', content: reply, refusal: null }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

export function modelList(): object {
  return {
    object: 'list',
    data: [CLINIC_MODEL, ...Object.keys(REFERENCE_AGENTS)].map((id) => {
      return { id, object: 'model', created: 1_767_225_600, owned_by: 'agent-osce' };
    }),
  };
}

/** Four characters per token, the rule of thumb for English. */
function aboutTokens(said: string): number {
  return Math.ceil(said.length / 4);
}
