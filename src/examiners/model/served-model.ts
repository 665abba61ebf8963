import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { PUBLIC_ADDRESS, type ModelConnection } from '../../platform/config';
import { Egress } from '../../platform/egress';
import { leastWaitMs, withRetries } from '../../platform/outbound';
import {
  CallDeadline,
  type CallLimits,
  LanguageModel,
  type AnswerFormat,
  type ModelAnswer,
  type Prompt,
} from './language-model';
import { waitAfter, type CallFault, type ServerNames, classified, ModelError } from './model-error';
import { NO_USAGE, sumOfUsage, type ModelUsage, type OnUsage } from './model-usage';
import { ModelTransport } from './model.transport';
import { parsed, repairOf, type RawAnswer } from './structured-answer';

/** Attempts after the first one. */
const MOST_RETRIES = 6;
/** The longest wait that a server may ask for; every call's own deadline is earlier. */
const LONGEST_WISH_MS = 3_600_000;

/** A model behind some vendor's API: one deadline for the whole call, one repair, one family of errors. */
export abstract class ServedModel<Answer extends RawAnswer = RawAnswer> extends LanguageModel {
  readonly name: string;
  protected readonly transport: ModelTransport;
  private readonly secrets: readonly string[];
  private isClosed = false;

  constructor(
    protected readonly names: ServerNames,
    { apiKey, baseUrl, model, vendor }: ModelConnection,
    /** Called for every answer that was paid for, including those that cannot be used. */
    protected readonly onUsage: OnUsage,
    egress: Egress = Egress.direct(),
  ) {
    super();
    this.name = model;
    this.secrets = [apiKey, ...egress.secrets];
    this.transport = new ModelTransport(baseUrl ?? PUBLIC_ADDRESS[vendor], egress);
  }

  /** One answer, in the given shape if there is one. Ends early when the signal is aborted. */
  protected abstract ask<Schema extends z.ZodType>(
    prompt: Prompt,
    format: AnswerFormat<Schema> | null,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<Answer>;

  /** What the vendor's SDK means by one of its errors; null for any other error. */
  protected abstract faultOf(error: unknown): CallFault | null;

  /** Called with whether an answer had the shape that was asked for. */
  protected noteShape(_answer: Answer, _hadShape: boolean): void {}

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
    return this.within(limits, signal, async (linked, spend) => {
      const first = await this.ask(prompt, format, limits, linked);
      spend(first.usage);
      const read = parsed(first, format);
      this.noteShape(first, read.ok);
      if (read.ok) return { value: read.value, usage: first.usage, answeredBy: first.answeredBy };
      const second = await this.ask(repairOf(prompt, first, read.fault), format, limits, linked);
      spend(second.usage);
      const repaired = parsed(second, format);
      this.noteShape(second, repaired.ok);
      if (!repaired.ok) {
        throw new ModelError('answer_unusable', `The answer of ${this.name} was unusable twice: ${repaired.fault}`);
      }
      const usage = sumOfUsage(first.usage, second.usage);
      return { value: repaired.value, usage, answeredBy: second.answeredBy };
    });
  }

  close(): Promise<void> {
    this.isClosed = true;
    return this.transport.close();
  }

  /**
   * Attempts within the limits of one answer. The SDKs' own retries are off: OpenAI's cannot be woken from a wait, and both repeat a call
   * whose answer was too long.
   */
  protected attempt<Result>(once: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return withRetries(once, {
      maxRetries: MOST_RETRIES,
      waitBefore: (retry, error) => {
        const fault = this.isClosed || signal.aborted ? null : this.faultOf(error);
        const wish = fault === null ? null : waitAfter(fault);
        return wish === null ? null : waitMs(retry, wish);
      },
      sleep: (ms) => sleep(ms, undefined, { signal }),
    });
  }

  private async within<Result>(
    limits: CallLimits,
    signal: AbortSignal,
    work: (linked: AbortSignal, spend: OnUsage) => Promise<Result>,
  ): Promise<Result> {
    let spent = NO_USAGE;
    const deadline = new CallDeadline(limits.overallMs, signal);
    try {
      return await work(deadline.signal, (usage) => {
        spent = sumOfUsage(spent, usage);
      });
    } catch (error) {
      throw classified(error, {
        canceled: signal.aborted,
        expired: deadline.isExpired,
        limits,
        spent,
        names: this.names,
        secrets: this.secrets,
        faultOf: (thrown) => this.faultOf(thrown),
      });
    } finally {
      deadline.clear();
    }
  }
}

/** As long as the server asks, or else between half and all of the usual wait; at random, so that not all come at once. */
function waitMs(retry: number, wish: number): number {
  const usual = leastWaitMs(retry);
  const least = wish > 0 ? Math.min(wish, LONGEST_WISH_MS) : usual;
  return least + Math.random() * Math.min(usual, least);
}
