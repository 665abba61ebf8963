import type { Exchange } from '../../machines/conversation';
import { EffectFailed } from '../../machines/failure';
import type { RubricCriterion, Verdict } from '../../machines/rubric';
import { sumOfUsage, type ModelUsage } from '../model/model-usage';
import type { PatientScenario } from '../../machines/scenario';
import type { TextThreads } from '../threads/text-threads';
import {
  JudgeError,
  type CriterionDecision,
  type IndexedCriterion,
  type Judge,
  type JudgeRequest,
  type Unread,
} from './judge';
import type { Review } from './review';
import { verdictOf } from './verdict';

export interface Examination {
  readonly judge: Judge;
  readonly scenario: PatientScenario;
  readonly criteria: readonly RubricCriterion[];
  readonly transcript: readonly Exchange[];
  /** 0..100 */
  readonly passThreshold: number;
  /** Where quotes are looked for in long transcripts. */
  readonly threads: TextThreads;
  /** Awaited before the judge is asked again: the first answer may have taken minutes. */
  readonly assureOwnership?: (signal: AbortSignal) => Promise<void>;
}

export interface ExaminationOutcome {
  readonly verdict: Verdict;
  /** Of both askings together. */
  readonly usage: ModelUsage;
  readonly asked: 1 | 2;
  /** What was left out of the agent's replies for the judge, by turn. */
  readonly unread: readonly Unread[];
}

const REVIEW_DEADLINE_MS = 60_000;

/**
 * Marks a transcript: the judge decides, every decision is reviewed, what was objected to is asked once more. Then evidence
 * that still does not hold counts as NOT MET, and a criterion without a usable decision ends the grading: also a fault that
 * the judge insists on but cannot quote, which is neither proven nor denied (ADR 11).
 * @throws JudgeError when the judge fails or leaves a criterion undecided
 * @throws EffectFailed `no_rubric` when there are no criteria
 */
export async function examine(examination: Examination, signal: AbortSignal): Promise<ExaminationOutcome> {
  const { judge, scenario, criteria, transcript, passThreshold, threads } = examination;
  if (criteria.length === 0) {
    throw new EffectFailed({ code: 'no_rubric', message: 'The scenario has no rubric criteria to grade against.' });
  }
  const indexed = criteria.map((criterion, index): IndexedCriterion => ({ ...criterion, index }));
  const request: JudgeRequest = {
    scenarioName: scenario.name,
    chiefComplaint: scenario.content.chief_complaint,
    transcript,
    criteria: indexed,
    objections: new Map(),
  };
  const reviewOf = (...answers: readonly (readonly CriterionDecision[])[]): Promise<Review> =>
    threads
      .run('review', { criteria: indexed, transcript, answers }, REVIEW_DEADLINE_MS, signal)
      .catch((error: unknown) => {
        throw new JudgeError(error instanceof Error ? error.message : 'The review failed.', { cause: error });
      });
  const first = await judge.grade(request, signal);
  let review = await reviewOf(first.decisions);
  let usage = first.usage;
  let asked: 1 | 2 = 1;
  const { objections } = review;
  if (objections.size > 0) {
    const disputed = indexed.filter(({ index }) => objections.has(index));
    await examination.assureOwnership?.(signal);
    const second = await judge.grade({ ...request, criteria: disputed, objections }, signal);
    review = await reviewOf(first.decisions, second.decisions);
    usage = sumOfUsage(usage, second.usage);
    asked = 2;
  }
  const decisions = review.settled;
  const unread = first.unread ?? [];
  const undecided = indexed.filter(({ index }) => !decisions.some((decision) => decision.index === index));
  if (undecided.length > 0) {
    const numbers = undecided.map(({ index }) => index + 1).join(', ');
    throw new JudgeError(`The judge gave no usable decision on criterion ${numbers} when asked twice.`);
  }
  const summary = [first.summary, ...unread.map((part) => leftOut(part))].join(' ').trim();
  return { verdict: verdictOf(criteria, decisions, passThreshold, summary), usage, asked, unread };
}

function leftOut({ turn, characters }: Unread): string {
  return `Of the reply in turn ${turn}, ${characters} characters were left out for the judge: it is too long.`;
}
