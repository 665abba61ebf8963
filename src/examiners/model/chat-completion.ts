import { z } from 'zod';

/** How many parts of a text are read; the rest are ignored. */
const MOST_PARTS = 1_000;
const MAX_NAME_CHARACTERS = 200;

const first = (list: unknown): unknown => (Array.isArray(list) ? list.slice(0, 1) : list);
const few = (list: unknown): unknown => (Array.isArray(list) ? list.slice(0, MOST_PARTS) : list);
const tokens = z.int().min(0).max(1_000_000_000).catch(0);

/** The fields of a chat completion that are read; servers differ in the rest. */
const Completion = z.object({
  model: z.string().nullish().catch(null),
  choices: z.preprocess(
    first,
    z
      .array(
        z.object({
          message: z.object({
            content: z.preprocess(
              few,
              z.union([z.string(), z.array(z.object({ text: z.string().optional() }))]).nullish(),
            ),
            refusal: z.string().nullish().catch(null),
            tool_calls: z
              .preprocess(first, z.array(z.object({ function: z.object({ arguments: z.string() }) })).nullish())
              .catch(null),
          }),
          finish_reason: z.string().nullish().catch(null),
        }),
      )
      .min(1),
  ),
  usage: z
    .object({
      prompt_tokens: tokens,
      completion_tokens: tokens,
      prompt_tokens_details: z.object({ cached_tokens: tokens, cache_write_tokens: tokens }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

export interface ChatCompletion {
  /** The arguments of the first tool call where there is one; empty when nothing was said. */
  readonly text: string;
  readonly isRefusal: boolean;
  readonly isCutOff: boolean;
  /** As the server named it. */
  readonly model: string | null;
  /** Null: the server did not say. */
  readonly usage: {
    readonly inputTokens: number;
    /** Input tokens that were read from the server's cache. */
    readonly cacheReadTokens: number;
    /** Input tokens that were written to it. */
    readonly cacheWriteTokens: number;
    readonly outputTokens: number;
  } | null;
}

/** Null when the answer is not a chat completion. */
export function readChatCompletion(body: unknown): ChatCompletion | null {
  const { data } = Completion.safeParse(body);
  const choice = data?.choices[0];
  if (data === undefined || choice === undefined) return null;
  const { content, refusal, tool_calls: calls } = choice.message;
  const said = typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('');
  return {
    text: calls?.[0]?.function.arguments ?? said,
    isRefusal: (refusal ?? '') !== '' || choice.finish_reason === 'content_filter',
    isCutOff: choice.finish_reason === 'length',
    model: data.model?.slice(0, MAX_NAME_CHARACTERS) ?? null,
    usage: usageIn(data.usage ?? null),
  };
}

/** The parts of the prompt are never more than the whole, whatever the server says. */
function usageIn(usage: NonNullable<z.output<typeof Completion>['usage']> | null): ChatCompletion['usage'] {
  if (usage === null) return null;
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens, prompt_tokens_details: details } = usage;
  const cacheReadTokens = Math.min(inputTokens, details?.cached_tokens ?? 0);
  const cacheWriteTokens = Math.min(inputTokens - cacheReadTokens, details?.cache_write_tokens ?? 0);
  return { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens };
}
