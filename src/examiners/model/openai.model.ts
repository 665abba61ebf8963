import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { PUBLIC_ADDRESS, type ModelConnection } from '../../platform/config';
import type { Egress } from '../../platform/egress';
import type { CallLimits, AnswerFormat, Prompt } from './language-model';
import { refused, type CallFault, ModelError } from './model-error';
import { readChatCompletion, type ChatCompletion } from './chat-completion';
import { costOf, priceOf, type Price } from './model-prices';
import type { ModelUsage, OnUsage } from './model-usage';
import { lossFrom } from './model.transport';
import { ServedModel } from './served-model';
import type { RawAnswer } from './structured-answer';

/** Ways to ask a server for an answer of a given shape, best first: as a response schema, as a tool's parameters, or in words alone. */
const SHAPES = ['schema', 'tool', 'words'] as const;
type Shape = (typeof SHAPES)[number];

type Fields = Pick<OpenAI.ChatCompletionCreateParamsNonStreaming, 'response_format' | 'tools' | 'tool_choice'>;

interface ShapedRequest {
  readonly fields: Fields;
  /** Appended to the system prompt. */
  readonly instruction: string;
}

const NAME = 'answer';

const UNSHAPED: ShapedRequest = { fields: {}, instruction: '' };

/** What is added to a request so that the answer has the shape. */
function shapedRequest(shape: Shape, format: AnswerFormat<z.ZodType>): ShapedRequest {
  const { responseFormat, schema } = derivedFrom(format);
  switch (shape) {
    case 'schema':
      return { fields: { response_format: responseFormat }, instruction: '' };
    case 'tool':
      return {
        fields: {
          tools: [
            { type: 'function', function: { name: NAME, description: 'Takes the whole answer.', parameters: schema } },
          ],
          tool_choice: { type: 'function', function: { name: NAME } },
        },
        instruction: '',
      };
    case 'words':
      return {
        fields: {},
        instruction:
          '\n\nAnswer with one JSON document and nothing else: no words before or after it. It fits this JSON schema:\n' +
          JSON.stringify(schema),
      };
  }
}

interface Derived {
  readonly responseFormat: OpenAI.ResponseFormatJSONSchema;
  readonly schema: Record<string, unknown>;
}

/** Deriving the JSON schema costs more than a call. */
const derived = new WeakMap<AnswerFormat<z.ZodType>, Derived>();

function derivedFrom(format: AnswerFormat<z.ZodType>): Derived {
  const known = derived.get(format);
  if (known !== undefined) return known;
  const { type, json_schema } = zodResponseFormat(format.schema, NAME);
  const made = { responseFormat: { type, json_schema }, schema: json_schema.schema ?? {} };
  derived.set(format, made);
  return made;
}

/**
 * What is known about how one server wants to be asked for one model. A shape counts as proven once an answer had it; until then a
 * refusal leads to the next shape, and an answer of a different shape leads to asking in words.
 */
class ServerDialect {
  private proven: Shape | null = null;
  private begin: Shape = 'schema';
  /** Reasoning models refuse the old name, and some self-hosted servers do not know the new one. */
  limitField: 'max_completion_tokens' | 'max_tokens' = 'max_completion_tokens';

  /** In the order in which to try them. */
  get shapes(): readonly Shape[] {
    return this.proven === null ? SHAPES.slice(SHAPES.indexOf(this.begin)) : [this.proven];
  }

  /** The server accepted a request for this shape, after refusing those for the shapes before it. */
  noteAccepted(shape: Shape): void {
    this.begin = shape;
  }

  /** @param hadShape false may mean that the server accepts a schema and ignores it: then words have to say it */
  noteAnswer(shape: Shape, hadShape: boolean): void {
    if (hadShape) this.proven ??= shape;
    else if (this.proven === null) this.begin = 'words';
  }
}

/** Statuses with which a server may refuse a request field that it does not know. */
const REFUSALS = new Set([400, 415, 422, 501]);
/** https://platform.openai.com/docs/guides/error-codes: these mean that waiting will not help, a payment will. */
const QUOTA_CODES = new Set(['insufficient_quota', 'billing_hard_limit_reached']);

interface ShapedAnswer extends RawAnswer {
  /** Null when none was asked for. */
  readonly shape: Shape | null;
}

/** One model behind the chat completions API: OpenAI's own, or any compatible server. */
export class OpenAiModel extends ServedModel<ShapedAnswer> {
  readonly vendor = 'openai';
  private readonly client: OpenAI;
  private readonly price: Price | null;
  private readonly dialect = new ServerDialect();

  constructor(connection: ModelConnection, onUsage: OnUsage = () => undefined, egress?: Egress) {
    const { model, apiKey, baseUrl, keyVariable, addressVariable } = connection;
    const server = baseUrl === null ? 'The OpenAI API' : `The model server ${new URL(baseUrl).host}`;
    super({ server, model, keyVariable, addressVariable }, connection, onUsage, egress);
    this.price = priceOf(connection);
    this.client = new OpenAI({
      apiKey,
      baseURL: baseUrl ?? PUBLIC_ADDRESS.openai,
      // Variables that the environment holds for other uses are ignored; a header in OPENAI_CUSTOM_HEADERS cannot replace the key.
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      defaultHeaders: { authorization: `Bearer ${apiKey}` },
      maxRetries: 0,
      fetch: this.transport.fetch,
      // It would print prompts.
      logLevel: 'off',
    });
  }

  protected async ask<Schema extends z.ZodType>(
    prompt: Prompt,
    format: AnswerFormat<Schema> | null,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<ShapedAnswer> {
    if (format === null) return this.complete(prompt, null, UNSHAPED, limits, signal);
    let first: unknown = null;
    for (const shape of this.dialect.shapes) {
      try {
        const answer = await this.complete(prompt, shape, shapedRequest(shape, format), limits, signal);
        if (first !== null) this.dialect.noteAccepted(shape);
        return answer;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        // If the shape is not what is wrong, the first error names what is.
        first ??= error;
      }
    }
    throw first;
  }

  protected override noteShape({ shape, isCutOff }: ShapedAnswer, hadShape: boolean): void {
    if (shape !== null && !isCutOff) this.dialect.noteAnswer(shape, hadShape);
  }

  protected faultOf(error: unknown): CallFault | null {
    if (error instanceof APIConnectionTimeoutError) return { kind: 'silent' };
    if (error instanceof APIConnectionError) return lossFrom(error.cause);
    if (!isApiError(error) || error.status === undefined) return null;
    const reason = vendorError.safeParse(error.error).data?.message ?? null;
    return refused(error.status, error.headers, { reason, isQuotaSpent: isQuotaSpent(error) });
  }

  private async complete(
    prompt: Prompt,
    shape: Shape | null,
    shaped: ShapedRequest,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<ShapedAnswer> {
    const body = await this.send(prompt, shaped, limits, signal);
    const completion = readChatCompletion(body);
    if (completion === null) {
      const { server, addressVariable } = this.names;
      const sentence = `${server} answered something other than a chat completion; check ${addressVariable}.`;
      throw new ModelError('unreachable', sentence);
    }
    const usage = usageOf(this.price, completion);
    this.onUsage(usage);
    if (completion.isRefusal) {
      const refusal = `${this.name} refused to answer; the scenario's text may touch its safety rules.`;
      throw new ModelError('answer_refused', refusal, { usage });
    }
    const { text, isCutOff, model } = completion;
    return { text, isCutOff, usage, answeredBy: model, shape };
  }

  private async send(prompt: Prompt, shaped: ShapedRequest, limits: CallLimits, signal: AbortSignal): Promise<unknown> {
    const { limitField } = this.dialect;
    const request: OpenAI.ChatCompletionCreateParamsNonStreaming = {
      model: this.name,
      messages: [
        { role: 'system', content: prompt.system + shaped.instruction },
        ...prompt.messages.map(({ role, content }) => ({ role, content })),
      ],
      [limitField]: prompt.maxTokens,
      ...shaped.fields,
    };
    const options = { timeout: limits.attemptMs, signal };
    try {
      return await this.attempt(() => this.client.chat.completions.create(request, options), signal);
    } catch (error) {
      if (limitField === 'max_tokens' || !isRefusal(error) || !namesField(error, limitField)) throw error;
      this.dialect.limitField = 'max_tokens';
      return this.send(prompt, shaped, limits, signal);
    }
  }
}

const vendorError = z.object({ message: z.string() });

function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}

function isRefusal(error: unknown): error is APIError {
  return isApiError(error) && error.status !== undefined && REFUSALS.has(error.status);
}

/** By `param`, or, for compatible servers that send none, by its name in the message. */
function namesField(error: APIError, field: string): boolean {
  return error.param === field || (vendorError.safeParse(error.error).data?.message.includes(field) ?? false);
}

function isQuotaSpent({ status, code, type }: APIError): boolean {
  return status === 402 || QUOTA_CODES.has(code ?? '') || QUOTA_CODES.has(type ?? '');
}

function usageOf(price: Price | null, { usage, model }: ChatCompletion): ModelUsage {
  const tokens = usage ?? { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
  const costUsd = usage === null ? null : costOf(price, tokens);
  return { ...tokens, calls: 1, answeredBy: model === null ? [] : [model], costUsd };
}
