import type { z } from 'zod';
import { PUBLIC_ADDRESS, type ModelConnection } from '../../platform/config/examiner-models';
import { CallDeadline, type CallLimits } from './call-deadline';
import { waitAfter, type CallFault, type ServerNames } from './call-fault';
import { LanguageModel, type AnswerFormat, type ModelAnswer, type Prompt } from './language-model';
import { classified, ModelError } from './model-error';
import { NO_USAGE, sumOfUsage, type ModelUsage, type OnUsage } from './model-usage';
import { ModelTransport } from './model.transport';
import { withRetries } from './retries';
import { parsed, repairOf, type RawAnswer } from './structured-answer';

/** A model behind some vendor's API: one deadline for the whole call, one repair, one family of errors. */
export abstract class ServedModel<Answer extends RawAnswer = RawAnswer> extends LanguageModel {
  readonly name: string;
  protected readonly transport: ModelTransport;
  private readonly secret: string;
  private isClosed = false;

  constructor(
    protected readonly names: ServerNames,
    { apiKey, baseUrl, model, vendor }: ModelConnection,
    /** Called for every answer that was paid for, including those that cannot be used. */
    protected readonly onUsage: OnUsage,
  ) {
    super();
    this.name = model;
    this.secret = apiKey;
    this.transport = new ModelTransport(baseUrl ?? PUBLIC_ADDRESS[vendor]);
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

  /** Attempts within the limits of one answer; the SDK itself does not retry. */
  protected attempt<Result>(once: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const waitFor = (error: unknown): number | null => {
      const fault = this.isClosed ? null : this.faultOf(error);
      return fault === null ? null : waitAfter(fault);
    };
    return withRetries(once, waitFor, signal);
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
        secret: this.secret,
        faultOf: (thrown) => this.faultOf(thrown),
      });
    } finally {
      deadline.clear();
    }
  }
}
