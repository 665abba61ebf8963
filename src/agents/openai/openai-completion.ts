import { z } from 'zod';
import type { Json } from '../provider';

/** The part of a chat completion that the harness reads; servers differ in the rest. */
const Completion = z.object({
  id: z.string().nullish().catch(null),
  model: z.string().nullish().catch(null),
  choices: z.preprocess(
    firstOnly,
    z
      .array(
        z.object({
          error: z.unknown().optional(),
          message: z.object({
            content: z.union([z.string(), z.array(z.object({ text: z.string().optional() }))]).nullish(),
            refusal: z.string().nullish(),
            tool_calls: z
              .preprocess(
                firstFew,
                z.array(z.object({ function: z.object({ name: z.string() }).optional().catch(undefined) })).nullish(),
              )
              .catch(null),
          }),
          finish_reason: z.string().nullish().catch(null),
        }),
      )
      .min(1),
  ),
  usage: z.unknown().optional(),
});

/** Further ones are never read, however many a server sends. */
function firstOnly(choices: unknown): unknown {
  return Array.isArray(choices) ? choices.slice(0, 1) : choices;
}

/** No reply calls more tools at once. */
const MAX_TOOL_CALLS = 50;

function firstFew(calls: unknown): unknown {
  return Array.isArray(calls) ? calls.slice(0, MAX_TOOL_CALLS) : calls;
}

export interface CompletionFacts {
  /** Empty when the answer holds no text. */
  readonly text: string;
  /** The tools that it calls, by their names. */
  readonly tools: readonly string[];
  readonly facts: Readonly<Record<string, Json>>;
}

/** Vendor strings are identifiers; a longer one is truncated. */
const MAX_IDENTIFIER = 200;
const MAX_USAGE_FIELDS = 20;

/**
 * The reply's text and what is worth keeping beside it; null when the JSON is not a chat completion, or one that broke off in an error: some
 * routers answer so when the model behind them fails, with the words up to there (https://openrouter.ai/docs/api-reference/errors).
 */
export function readCompletion(json: unknown): CompletionFacts | null {
  const { data } = Completion.safeParse(json);
  const choice = data?.choices[0];
  if (data === undefined || choice === undefined) return null;
  if (choice.finish_reason === 'error' || isObject(choice.error)) return null;
  const { content, refusal, tool_calls } = choice.message;
  return {
    text: (typeof content === 'string' ? content : content?.map(({ text }) => text ?? '').join('')) ?? refusal ?? '',
    tools: (tool_calls ?? []).flatMap((call) => (call.function === undefined ? [] : [call.function.name])),
    facts: {
      response_id: data.id?.slice(0, MAX_IDENTIFIER) ?? null,
      model: data.model?.slice(0, MAX_IDENTIFIER) ?? null,
      finish_reason: choice.finish_reason?.slice(0, MAX_IDENTIFIER) ?? null,
      usage: isObject(data.usage) ? counts(data.usage) : null,
    },
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The numbers of `usage`, including those of its details (`prompt_tokens_details`). */
function counts(usage: object, depth = 0): Readonly<Record<string, Json>> {
  const kept: Record<string, Json> = {};
  const entries: [string, unknown][] = Object.entries(usage);
  for (const [name, value] of entries.slice(0, MAX_USAGE_FIELDS)) {
    if (typeof value === 'number') kept[name.slice(0, MAX_IDENTIFIER)] = value;
    else if (typeof value === 'object' && value !== null && depth === 0) {
      kept[name.slice(0, MAX_IDENTIFIER)] = counts(value, depth + 1);
    }
  }
  return kept;
}

const Refusal = z.object({
  error: z.object({
    message: z.string().catch(''),
    type: z.string().nullish().catch(null),
    code: z.string().nullish().catch(null),
    param: z.string().nullish().catch(null),
  }),
});

/** https://platform.openai.com/docs/guides/error-codes: for these, waiting does not help; payment does. */
const QUOTA_CODES = new Set(['insufficient_quota', 'billing_hard_limit_reached']);

export function saysQuotaIsUsedUp(json: unknown): boolean {
  const error = Refusal.safeParse(json).data?.error;
  return error !== undefined && (QUOTA_CODES.has(error.code ?? '') || QUOTA_CODES.has(error.type ?? ''));
}

/** Whether a refusal is about this request field: by `param`, or, from compatible servers that send none, by its name. */
export function refusesField(json: unknown, field: string): boolean {
  const error = Refusal.safeParse(json).data?.error;
  return error !== undefined && (error.param === field || error.message.includes(field));
}
