import Anthropic, { APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { z } from 'zod';
import { PUBLIC_ADDRESS, type ModelConnection } from '../../platform/config';
import type { Egress } from '../../platform/egress';
import type { CallLimits, AnswerFormat, Prompt, PromptMessage } from './language-model';
import { refused, type CallFault, ModelError } from './model-error';
import { costOf, priceOf, type Price } from './model-prices';
import { lossFrom } from './model.transport';
import type { ModelUsage, OnUsage } from './model-usage';
import { ServedModel } from './served-model';
import type { RawAnswer } from './structured-answer';

/** The vendor keeps it for five minutes. */
const EPHEMERAL = { type: 'ephemeral' } as const;
const MAX_NAME_CHARACTERS = 200;

/** Older models do not know the effort setting and refuse it; an unknown name may be any model. */
const KNOWS_EFFORT = /^claude-(?:[a-z]+-(?:[5-9]|\d\d)(?:-|$)|(?:opus|sonnet)-4-[6-9])/;

/** One model behind the Messages API. */
export class AnthropicModel extends ServedModel {
  readonly vendor = 'anthropic';
  private readonly client: Anthropic;
  private readonly price: Price | null;

  constructor(connection: ModelConnection, onUsage: OnUsage = () => undefined, egress?: Egress) {
    const { model, apiKey, baseUrl, keyVariable, addressVariable } = connection;
    super({ server: 'The Messages API', model, keyVariable, addressVariable }, connection, onUsage, egress);
    this.price = priceOf(connection);
    this.client = new Anthropic({
      apiKey,
      authToken: null,
      baseURL: baseUrl ?? PUBLIC_ADDRESS.anthropic,
      maxRetries: 0,
      fetch: this.transport.fetch,
      // It would print prompts.
      logLevel: 'off',
      openTelemetry: false,
    });
  }

  protected async ask<Schema extends z.ZodType>(
    { system, messages, maxTokens, effort }: Prompt,
    format: AnswerFormat<Schema> | null,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<RawAnswer> {
    const outputConfig = {
      ...(KNOWS_EFFORT.test(this.name) ? { effort } : {}),
      ...(format === null ? {} : { format: outputFormatOf(format) }),
    };
    const request: Anthropic.MessageCreateParamsNonStreaming = {
      model: this.name,
      max_tokens: maxTokens,
      // The same for every call of a conversation: worth a place in the vendor's cache where it is long enough for one.
      system: [{ type: 'text', text: system, cache_control: EPHEMERAL }],
      messages: messages.map(cached),
      ...(Object.keys(outputConfig).length > 0 ? { output_config: outputConfig } : {}),
    };
    const options = { timeout: limits.attemptMs, signal };
    const message = Answered.parse(await this.attempt(() => this.client.messages.create(request, options), signal));
    const answeredBy = message.model?.slice(0, MAX_NAME_CHARACTERS) ?? null;
    const usage = usageOf(this.price, message, answeredBy);
    this.onUsage(usage);
    if (message.stop_reason === 'refusal') {
      const refusal = `${this.name} refused to answer; the scenario's text may touch its safety rules.`;
      throw new ModelError('answer_refused', refusal, { usage });
    }
    return {
      text: textOf(message),
      isCutOff: message.stop_reason === 'max_tokens' || message.stop_reason === 'model_context_window_exceeded',
      usage,
      answeredBy,
    };
  }

  protected faultOf(error: unknown): CallFault | null {
    if (error instanceof APIConnectionTimeoutError) return { kind: 'silent' };
    if (error instanceof APIConnectionError) return lossFrom(error.cause);
    if (!isApiError(error) || error.status === undefined) return null;
    const reason = vendorError.safeParse(error.error).data?.error.message ?? null;
    return refused(error.status, error.headers, { reason, isQuotaSpent: false });
  }
}

function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}

/** Marks for the vendor's cache what other calls begin with too. */
function cached({ role, content, sharedCharacters = 0 }: PromptMessage): Anthropic.MessageParam {
  const rest = content.slice(sharedCharacters);
  if (sharedCharacters === 0 || rest === '') return { role, content };
  const shared = { type: 'text', text: content.slice(0, sharedCharacters), cache_control: EPHEMERAL } as const;
  return { role, content: [shared, { type: 'text', text: rest }] };
}

const vendorError = z.object({ error: z.object({ message: z.string() }) });

interface OutputFormat {
  readonly type: 'json_schema';
  readonly schema: Record<string, unknown>;
}

/** Deriving the JSON schema costs more than a call. */
const outputFormats = new WeakMap<AnswerFormat<z.ZodType>, OutputFormat>();

function outputFormatOf(format: AnswerFormat<z.ZodType>): OutputFormat {
  const known = outputFormats.get(format);
  if (known !== undefined) return known;
  const { type, schema } = zodOutputFormat(format.schema);
  const made = { type, schema };
  outputFormats.set(format, made);
  return made;
}

/** How many blocks of an answer are read; the rest are ignored. */
const MOST_BLOCKS = 1_000;
const few = (list: unknown): unknown => (Array.isArray(list) ? list.slice(0, MOST_BLOCKS) : []);
const tokens = z.int().min(0).max(1_000_000_000).catch(0);
/** Such as the text of a web page. */
const documentIn = (answer: unknown): unknown => (typeof answer === 'object' ? answer : {});
const textBlock = z
  .object({ type: z.literal('text'), text: z.string() })
  .nullable()
  .catch(null);

/** The fields of an answer that are read: a server that only claims to speak this API may leave them out, or say anything. */
const Answered = z.preprocess(
  documentIn,
  z.object({
    model: z.string().nullish().catch(null),
    content: z.preprocess(few, z.array(textBlock)),
    stop_reason: z.string().nullish().catch(null),
    usage: z
      .object({
        input_tokens: tokens,
        output_tokens: tokens,
        cache_read_input_tokens: tokens,
        cache_creation_input_tokens: tokens,
      })
      .nullish()
      .catch(null),
  }),
);
type Answered = z.output<typeof Answered>;

function textOf({ content }: Answered): string {
  return content.map((block) => block?.text ?? '').join('');
}

/** The API counts what it read from its cache, or wrote to it, separately from `input_tokens`. */
function usageOf(price: Price | null, { usage }: Answered, answeredBy: string | null): ModelUsage {
  const cacheReadTokens = usage?.cache_read_input_tokens ?? 0;
  const cacheWriteTokens = usage?.cache_creation_input_tokens ?? 0;
  const counted = {
    inputTokens: (usage?.input_tokens ?? 0) + cacheReadTokens + cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: usage?.output_tokens ?? 0,
  };
  const costUsd = usage === null || usage === undefined ? null : costOf(price, counted);
  return { ...counted, calls: 1, answeredBy: answeredBy === null ? [] : [answeredBy], costUsd };
}
