import { NO_USAGE, sumOfUsage, type ModelUsage } from '../model/model-usage';
import type { Evidence } from '../../domain';
import type { MarkingAnswer } from './marking-request';

/** A part of an agent's reply that the judge did not get to see. */
export interface Unread {
  readonly turn: number;
  readonly characters: number;
}

/** What is kept of an examination, whether or not it reached a verdict. */
export interface ExaminationRecord {
  /** Determines the order of the criteria and the choice of control questions. */
  readonly seed: number;
  /** The usage of all calls together. */
  readonly usage: ModelUsage;
  readonly calls: number;
  /** How many of the calls did not see the whole conversation: votes, and readings of proofs. */
  readonly votes: number;
  readonly controls: { readonly asked: number; readonly wrong: number };
  /** Models that answered, as they named themselves. */
  readonly answeredBy: readonly string[];
  readonly unread: readonly Unread[];
  /** Sentences of the agent that address the examiner. */
  readonly addressedToExaminer: readonly Evidence[];
}

/** Gathers what an examination costs and finds. */
export class ExaminationNotes {
  private usage = NO_USAGE;
  private calls = 0;
  private votes = 0;
  private asked = 0;
  private wrong = 0;
  private readonly models = new Set<string>();
  private unread: readonly Unread[] = [];
  private addressed: readonly Evidence[] = [];

  constructor(readonly seed: number) {}

  noteRead(unread: readonly Unread[]): void {
    this.unread = unread;
  }

  noteAddressed(addressed: readonly Evidence[]): void {
    this.addressed = addressed;
  }

  noteCall({ usage, answeredBy }: MarkingAnswer, isVote: boolean): void {
    this.calls += 1;
    if (isVote) this.votes += 1;
    this.usage = sumOfUsage(this.usage, usage);
    if (answeredBy !== null) this.models.add(answeredBy);
  }

  /** One that ended in an error; it counts if an answer was paid for. */
  noteFailedCall(usage: ModelUsage, isVote: boolean): void {
    if (usage.calls === 0) return;
    this.calls += 1;
    if (isVote) this.votes += 1;
    this.usage = sumOfUsage(this.usage, usage);
    for (const name of usage.answeredBy) this.models.add(name);
  }

  noteControls(asked: number, wrong: number): void {
    this.asked += asked;
    this.wrong += wrong;
  }

  get record(): ExaminationRecord {
    return {
      seed: this.seed,
      usage: this.usage,
      calls: this.calls,
      votes: this.votes,
      controls: { asked: this.asked, wrong: this.wrong },
      answeredBy: [...this.models],
      unread: this.unread,
      addressedToExaminer: this.addressed,
    };
  }
}
