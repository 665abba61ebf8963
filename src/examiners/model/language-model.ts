import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { ModelUsage } from './model-usage';

export interface Prompt {
  /** The same in all calls of a kind: a prompt begins with what never changes. */
  readonly system: string;
  /** Starts and ends with a user message: current models refuse a prefilled answer. */
  readonly messages: readonly PromptMessage[];
  /** Covers the model's thinking too. */
  readonly maxTokens: number;
  readonly effort: 'low' | 'medium';
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** How many characters at its beginning other calls also begin with, after the same system text: a vendor's cache may keep them. */
  readonly sharedCharacters?: number;
}

/** The shape an answer must have. Made once, so that a client can derive the vendor's form of it and keep that. */
export class AnswerFormat<Schema extends z.ZodType> {
  constructor(readonly schema: Schema) {}
}

export interface ModelAnswer<Value> {
  readonly value: Value;
  /** Includes the repair. */
  readonly usage: ModelUsage;
  /** The model that answered, as it named itself; null when it did not say. */
  readonly answeredBy: string | null;
}

/** Port: one language model, of any vendor. Tester and judge ask it without knowing the vendor. */
export abstract class LanguageModel {
  /** The vendor whose API is used, as metadata names it. */
  abstract readonly vendor: string;
  /** As configured, without the vendor's prefix. */
  abstract readonly name: string;

  /** Plain text. @throws ModelError */
  abstract write(
    prompt: Prompt,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly usage: ModelUsage }>;

  /**
   * An answer of the given shape. If it is cut off or has a different shape, it is asked for once more, saying what was wrong.
   * @throws ModelError
   */
  abstract answer<Schema extends z.ZodType>(
    prompt: Prompt,
    format: AnswerFormat<Schema>,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<ModelAnswer<z.output<Schema>>>;

  /** Ends calls in flight. Idempotent. */
  abstract close(): Promise<void>;
}

/** What the health check says about a tester or judge: a warning when it is not good enough for real verdicts. */
export interface AdapterHealth {
  readonly status: 'ok' | 'warning';
  readonly detail: string;
}

/** A marker that no text from outside can guess. */
export function randomMarker(): string {
  return randomBytes(9).toString('hex');
}

/** Text from outside, in a fence that it cannot close without knowing the marker. */
export function fenced(name: string, content: string, marker: string): string {
  return `<${name}-${marker}>\n${content}\n</${name}-${marker}>`;
}

/** How long a call may take: a single attempt, and all attempts, waits and the repair together. */
export interface CallLimits {
  readonly attemptMs: number;
  readonly overallMs: number;
}

/**
 * A signal that is aborted when the caller's is or when the time is up. Linked by hand and cleared after the call:
 * AbortSignal.any with a long-lived signal leaks memory on Node 20.
 */
export class CallDeadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private expired = false;

  constructor(
    milliseconds: number,
    private readonly parent: AbortSignal,
  ) {
    this.timer = setTimeout(() => {
      this.expired = true;
      this.controller.abort();
    }, milliseconds);
    if (parent.aborted) this.controller.abort();
    else parent.addEventListener('abort', this.onParentAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isExpired(): boolean {
    return this.expired;
  }

  clear(): void {
    clearTimeout(this.timer);
    this.parent.removeEventListener('abort', this.onParentAbort);
  }

  private readonly onParentAbort = (): void => this.controller.abort();
}
