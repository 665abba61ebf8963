import { z } from 'zod';
import { functionNames, HeardCalls, usageNumbers, type HeardActs } from '../heard-acts';
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
            tool_calls: z.unknown().optional(),
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

export interface CompletionFacts {
  /** Empty when the answer holds no text. */
  readonly text: string;
  /** The tools that it calls, by their names. */
  readonly tools: readonly string[];
  readonly acts: HeardActs;
  readonly facts: Readonly<Record<string, Json>>;
}

/** Vendor strings are identifiers; a longer one is truncated. */
const MAX_IDENTIFIER = 200;

/**
 * The reply's text and what is worth keeping beside it; null when the JSON is not a chat completion, or one that broke off in an error: some
 * routers answer so when the model behind them fails, with the words up to there (https://openrouter.ai/docs/api-reference/errors).
 * @param reportsCalls whether an answer that says nothing of tool calls means that there were none
 */
export function readCompletion(json: unknown, reportsCalls = false): CompletionFacts | null {
  const { data } = Completion.safeParse(json);
  const choice = data?.choices[0];
  if (data === undefined || choice === undefined) return null;
  if (choice.finish_reason === 'error' || isObject(choice.error)) return null;
  const { content, refusal, tool_calls } = choice.message;
  const calls = new HeardCalls();
  if (Array.isArray(tool_calls)) calls.hear(tool_calls);
  const tellsCalls = reportsCalls || tool_calls !== undefined;
  return {
    text: (typeof content === 'string' ? content : content?.map(({ text }) => text ?? '').join('')) ?? refusal ?? '',
    tools: functionNames(tool_calls),
    acts: { calls: tellsCalls ? calls.list : null, areCallsCut: calls.isCut, context: [], isContextCut: false },
    facts: {
      response_id: data.id?.slice(0, MAX_IDENTIFIER) ?? null,
      model: data.model?.slice(0, MAX_IDENTIFIER) ?? null,
      finish_reason: choice.finish_reason?.slice(0, MAX_IDENTIFIER) ?? null,
      usage: usageNumbers(data.usage),
    },
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
