import Anthropic from '@anthropic-ai/sdk';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import type { z } from 'zod';
import { AnthropicTransport } from './anthropic.transport';
import { CallDeadline, type CallLimits } from './call-deadline';
import { LanguageModel, type AnswerFormat, type ModelAnswer, type Prompt, type PromptMessage } from './language-model';
import { classified, ModelError } from './model-error';
import { costOf } from './model-prices';
import { sumOfUsage, type ModelUsage } from './model-usage';

export interface AnthropicOptions {
  readonly apiKey: string;
  /** Null: the vendor's public address. */
  readonly baseUrl: string | null;
  readonly model: string;
  /** Hears of every answer that was paid for, also of those that cannot be used. */
  readonly onUsage?: (usage: ModelUsage) => void;
}

/** Retries of an attempt that met 408, 409, 429, 5xx or a lost connection; the SDK waits 0.5 s doubling to 8 s, or Retry-After. */
const MAX_RETRIES = 6;
const MAX_NAME_CHARACTERS = 200;
const PUBLIC_ADDRESS = 'https://api.anthropic.com';

/** Models older than these know no effort setting and refuse it; unknown names may be anything. */
const KNOWS_EFFORT = /^claude-(?:[a-z]+-(?:[5-9]|\d\d)(?:-|$)|(?:opus|sonnet)-4-[6-9])/;

/** One model behind the Messages API. */
export class AnthropicModel extends LanguageModel {
  readonly vendor = 'anthropic';
  readonly name: string;
  private readonly client: Anthropic;
  private readonly transport: AnthropicTransport;
  private readonly secret: string;
  private readonly onUsage: (usage: ModelUsage) => void;

  constructor({ apiKey, baseUrl, model, onUsage = () => undefined }: AnthropicOptions) {
    super();
    this.onUsage = onUsage;
    this.secret = apiKey;
    this.name = model;
    const baseURL = baseUrl ?? PUBLIC_ADDRESS;
    this.transport = new AnthropicTransport(baseURL);
    this.client = new Anthropic({
      apiKey,
      authToken: null,
      baseURL,
      maxRetries: MAX_RETRIES,
      fetch: this.transport.fetch,
      // It would print prompts.
      logLevel: 'off',
      openTelemetry: false,
    });
  }

  async write(prompt: Prompt, limits: CallLimits, signal: AbortSignal): Promise<{ text: string; usage: ModelUsage }> {
    return this.within(limits, signal, async (linked) => {
      const { text, usage } = await this.ask(prompt, null, limits, linked);
      return { text, usage };
    });
  }

  async answer<Schema extends z.ZodType>(
    prompt: Prompt,
    format: AnswerFormat<Schema>,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<ModelAnswer<z.output<Schema>>> {
    return this.within(limits, signal, async (linked) => {
      const first = await this.ask(prompt, format, limits, linked);
      const read = parsed(first, format);
      if (read.ok) return { value: read.value, usage: first.usage, answeredBy: first.answeredBy };
      const second = await this.ask(repairOf(prompt, first, read.fault), format, limits, linked);
      const repaired = parsed(second, format);
      if (!repaired.ok) {
        throw new ModelError('answer_unusable', `The answer of ${this.name} was unusable twice: ${repaired.fault}`);
      }
      const usage = sumOfUsage(first.usage, second.usage);
      return { value: repaired.value, usage, answeredBy: second.answeredBy };
    });
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  private async within<Result>(
    limits: CallLimits,
    signal: AbortSignal,
    work: (linked: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const deadline = new CallDeadline(limits.overallMs, signal);
    try {
      return await work(deadline.signal);
    } catch (error) {
      throw classified(error, this.name, {
        canceled: signal.aborted,
        expired: deadline.isExpired,
        limits,
        secret: this.secret,
      });
    } finally {
      deadline.clear();
    }
  }

  private async ask<Schema extends z.ZodType>(
    { system, messages, maxTokens, effort }: Prompt,
    format: AnswerFormat<Schema> | null,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<Answer> {
    const outputConfig = {
      ...(KNOWS_EFFORT.test(this.name) ? { effort } : {}),
      ...(format === null ? {} : { format: outputFormatOf(format) }),
    };
    const message = await this.client.messages.create(
      {
        model: this.name,
        max_tokens: maxTokens,
        system,
        messages: messages.map(({ role, content }) => ({ role, content })),
        ...(Object.keys(outputConfig).length > 0 ? { output_config: outputConfig } : {}),
      },
      { timeout: limits.attemptMs, signal },
    );
    const usage = usageOf(this.name, message);
    this.onUsage(usage);
    if (message.stop_reason === 'refusal') {
      const refusal = `${this.name} refused to answer; the scenario's text may touch its safety rules.`;
      throw new ModelError('answer_refused', refusal);
    }
    return {
      text: textOf(message),
      isCutOff: message.stop_reason === 'max_tokens' || message.stop_reason === 'model_context_window_exceeded',
      usage,
      // A server that only claims to speak this API may leave it out, or say anything.
      answeredBy: typeof message.model === 'string' ? message.model.slice(0, MAX_NAME_CHARACTERS) : null,
    };
  }
}

interface Answer {
  readonly text: string;
  readonly isCutOff: boolean;
  readonly usage: ModelUsage;
  readonly answeredBy: string | null;
}

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

type Parsed<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly fault: string };

function parsed<Schema extends z.ZodType>(
  { text, isCutOff }: Answer,
  { schema }: AnswerFormat<Schema>,
): Parsed<z.output<Schema>> {
  if (isCutOff) return { ok: false, fault: 'it was cut off at the token limit.' };
  const json = jsonOf(text);
  if (json === undefined) return { ok: false, fault: 'it was not JSON.' };
  const checked = schema.safeParse(json);
  if (checked.success) return { ok: true, value: checked.data };
  const issues = checked.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'answer'}: ${message}`);
  return { ok: false, fault: `it did not have the required shape (${issues.join('; ')}).` };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Shows the model its answer and the fault; one that was cut off is asked for again with more room instead. */
function repairOf(prompt: Prompt, { text, isCutOff }: Answer, fault: string): Prompt {
  if (isCutOff || text.trim() === '') {
    const note: PromptMessage = { role: 'user', content: 'Answer briefly: an earlier answer was too long.' };
    return { ...prompt, messages: [...prompt.messages, note], maxTokens: prompt.maxTokens * 2 };
  }
  return {
    ...prompt,
    messages: [
      ...prompt.messages,
      { role: 'assistant', content: text.trim() },
      {
        role: 'user',
        content: `That answer cannot be used: ${fault} Give the whole answer again in the required shape.`,
      },
    ],
  };
}

function textOf(message: Partial<Anthropic.Message>): string {
  // A server that only claims to speak this API may leave content out.
  return (message.content ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}

function usageOf(model: string, { usage }: Partial<Anthropic.Message>): ModelUsage {
  const inputTokens = usage?.input_tokens ?? 0;
  const outputTokens = usage?.output_tokens ?? 0;
  return { inputTokens, outputTokens, costUsd: costOf(model, inputTokens, outputTokens) };
}
