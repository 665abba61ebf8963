import { z } from 'zod';
import { readSheet, type ReadSheet } from '../../bench/attacks/read-sheet';
import { startFakeModel, type FakeModel, type FakeModelOptions, type Recorded, type Wire } from './model-server';

export type { FakeAnswer, Purpose } from './model-server';

/** Whole, or in blocks. */
const text = z.union([
  z.string(),
  z.array(z.object({ text: z.string() })).transform((blocks) => blocks.map((block) => block.text).join('')),
]);

const messagesRequest = z.object({
  model: z.string(),
  max_tokens: z.number(),
  system: text.optional(),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: text })),
  output_config: z
    .object({
      effort: z.string().optional(),
      format: z.object({ schema: z.record(z.string(), z.unknown()) }).optional(),
    })
    .optional(),
});
export type MessagesRequest = z.output<typeof messagesRequest>;

export type RecordedRequest = Recorded<MessagesRequest>;

export interface FakeAnthropicOptions extends FakeModelOptions<MessagesRequest> {
  /** Added to the usage of every answer. */
  readonly usage?: Readonly<Record<string, number>>;
}

export interface FakeAnthropic extends FakeModel<MessagesRequest> {
  /** For ANTHROPIC_BASE_URL. */
  readonly url: string;
}

const STOP_REASONS = { done: 'end_turn', refused: 'refusal', cut: 'max_tokens' } as const;

/** A Messages API on loopback. */
export async function startFakeAnthropic({ usage, ...options }: FakeAnthropicOptions = {}): Promise<FakeAnthropic> {
  const wire: Wire<MessagesRequest> = {
    /** Looked for in the bytes: most requests are never parsed. */
    purposeOf: (raw) => {
      if (!raw.includes('"json_schema"')) return 'patient';
      if (raw.includes('"faults":{')) return 'audit';
      return raw.includes('"answers":{') ? 'judge' : 'generator';
    },
    read: (json) => messagesRequest.parse(json),
    questionOf: ({ messages }) => messages[0]?.content ?? '',
    repliesIn: ({ messages }) => messages.filter(({ role }) => role === 'assistant').length,
    document: ({ text, end }) => ({
      id: 'msg_fake',
      type: 'message',
      role: 'assistant',
      model: 'fake',
      content: text === '' ? [] : [{ type: 'text', text }],
      stop_reason: STOP_REASONS[end],
      stop_sequence: null,
      usage: { input_tokens: 100, output_tokens: 20, ...usage },
    }),
    errorDocument: ({ message = 'scripted' }) => ({ type: 'error', error: { type: 'api_error', message } }),
  };
  const model = await startFakeModel(wire, options);
  return Object.assign(model, { url: model.origin });
}

/** What the judge's prompt holds. */
export function readJudgePrompt({ body }: RecordedRequest): ReadSheet {
  return readSheet(body.messages[0]?.content ?? '');
}
