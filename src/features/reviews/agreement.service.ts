import { Injectable, NotFoundException } from '@nestjs/common';
import { currentOf, reviewerOf, DECISIONS, type Decision, isFinalTestRun, type TestRunStatus } from '../../domain';
import {
  agreementOf,
  type Agreement,
  type RatedTranscript,
  type RatedPair,
  correctedRate,
  type AuditedVerdict,
  type Measure,
} from '../../domain/statistics';
import { othersTurn } from '../../platform/concurrency';
import type { TestRunRecord } from '../runs/test-run.row';
import { TestRunsStore } from '../runs/test-runs.store';
import { seedOf, sampleSize } from './review-queue.service';
import {
  ReviewedConversationsStore,
  type ReviewedConversation,
  type QueuedRun,
  type ReviewableRuns,
} from './reviewed-conversations.store';
import { type AgreementView } from '../../../contract/agreement';

function betweenRatersView(agreement: Agreement) {
  return {
    pairs: agreement.pairs,
    confusion: { decisions: [...DECISIONS], counts: agreement.confusion.map((row) => [...row]) },
    raw: inPercent(agreement.raw),
    kappa: measureView(agreement.kappa),
    ac1: measureView(agreement.ac1),
    macro_f1: measureView(agreement.macroF1),
  };
}

function withJudgeView(agreement: Agreement): AgreementView['with_judge'] {
  return {
    ...betweenRatersView(agreement),
    faults: agreement.faults,
    sensitivity: inPercent(agreement.sensitivity),
    specificity: inPercent(agreement.specificity),
  };
}

function measureView({ value, low, high, reason: why }: Measure) {
  return { value, low, high, reason: why };
}

function inPercent({ value, low, high, reason: why }: Measure) {
  const percent = (share: number | null) => (share === null ? null : share * 100);
  return { value: percent(value), low: percent(low), high: percent(high), reason: why };
}

export interface AskedAgreement {
  readonly judge: string | null;
  readonly tag: string | null;
  /** UUID or label. */
  readonly testRun: string | null;
  /** Percent, such as 95. */
  readonly confidence: number;
  /** The sample of the review queue, in percent. */
  readonly sample: number;
  readonly seed: number | null;
}

/** Draws of conversations that take less than some milliseconds. */
const DRAWS_A_TURN = 50_000;

/** How far the judge and the reviewers agree. */
@Injectable()
export class AgreementService {
  constructor(
    private readonly testRuns: TestRunsStore,
    private readonly conversations: ReviewedConversationsStore,
  ) {}

  /**
   * With the runs of the conversations that it is about.
   * @throws NotFoundException for a test run that does not exist
   */
  async find(
    asked: AskedAgreement,
  ): Promise<{ readonly view: AgreementView; readonly testRunIds: ReadonlySet<string> }> {
    const run = asked.testRun === null ? null : await this.testRuns.find(asked.testRun);
    if (asked.testRun !== null && run === null) throw new NotFoundException('Test run not found');
    const { rated, notBlind, testRunIds } = await this.read(asked, run?.id ?? null);
    const confidence = asked.confidence / 100;
    const doubled = rated.filter(({ betweenReviewers }) => betweenReviewers.length > 0);
    const withJudge = await inTurns(
      rated.map((one) => one.withJudge),
      confidence,
    );
    const between =
      doubled.length === 0
        ? null
        : await inTurns(
            doubled.map((one) => one.betweenReviewers),
            confidence,
          );
    const view: AgreementView = {
      test_run_id: run?.id ?? null,
      judge: asked.judge,
      tag: asked.tag,
      confidence: asked.confidence,
      conversations: rated.length,
      criteria: rated.reduce((sum, { criteria }) => sum + criteria, 0),
      raters: new Set(rated.flatMap(({ reviewers }) => reviewers)).size,
      not_blind: notBlind,
      judges: judgesOf(rated),
      with_judge: withJudgeView(withJudge),
      between_reviewers: between && { conversations: between.transcripts, ...betweenRatersView(between) },
      corrected_pass_rate: await this.corrected(asked, run),
    };
    return { view, testRunIds };
  }

  private async read({ judge, tag }: AskedAgreement, testRunId: string | null) {
    const rated: RatedConversation[] = [];
    const testRunIds = new Set<string>();
    let notBlind = 0;
    for await (const conversation of this.conversations.conversations({ judge, testRunId })) {
      const found = ratedConversation(conversation, tag);
      if (found !== null) {
        rated.push(found);
        testRunIds.add(conversation.test_run_id);
      }
      if (!conversation.reviews.some(({ blind }) => blind)) notBlind += 1;
    }
    return { rated, notBlind, testRunIds };
  }

  private async corrected(
    { tag, judge, sample, seed, confidence }: AskedAgreement,
    run: TestRunRecord | null,
  ): Promise<AgreementView['corrected_pass_rate']> {
    if (run === null) return refused('A pass rate belongs to one run: name it with test_run_id.');
    if (tag !== null) return refused('A verdict rests on all criteria of its rubric: leave tag out.');
    if (judge !== null) return refused('A pass rate is that of all of the run’s verdicts: leave judge out.');
    const runs = await this.conversations.reviewable(run.id, seed ?? seedOf(run.id));
    return correctedPassRate({ status: run.status, runs, sample, confidence: confidence / 100 });
  }
}

function judgesOf(rated: readonly RatedConversation[]): AgreementView['judges'] {
  const counts = new Map<string, AgreementView['judges'][number]>();
  for (const { judge } of rated) {
    const key = JSON.stringify([judge.name, judge.model, judge.prompt_version]);
    counts.set(key, { ...judge, conversations: (counts.get(key)?.conversations ?? 0) + 1 });
  }
  return [...counts.values()].sort((one, other) => other.conversations - one.conversations);
}

/** Works in turns of the event loop, with turns for other work in between. */
async function inTurns(transcripts: readonly RatedTranscript[], confidence: number): Promise<Agreement> {
  const aTurn = Math.max(1, Math.floor(DRAWS_A_TURN / Math.max(1, transcripts.length)));
  const steps = agreementOf(transcripts, confidence);
  for (let taken = 1; ; taken += 1) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (taken % aTurn === 0) await othersTurn();
  }
}

type Review = ReviewedConversation['reviews'][number];

/** What reviewers decided about a conversation, paired with the judge and with each other. */
interface RatedConversation {
  readonly judge: ReviewedConversation['judge'];
  readonly criteria: number;
  /** As they are compared. */
  readonly reviewers: readonly string[];
  readonly withJudge: RatedTranscript;
  /** Empty where fewer than two reviewed it. */
  readonly betweenReviewers: RatedTranscript;
}

/**
 * The pairs of a conversation; null when no review of it was blind, or no criterion has the tag. The judge is compared with the last
 * adjudication where there is one; else with each reviewer, so that what they disagree about is not left out as if it were clear.
 */
function ratedConversation(
  { judge, marks, reviews }: ReviewedConversation,
  tag: string | null,
): RatedConversation | null {
  const places = marks.flatMap(({ tags, check }, index) =>
    // What a rule decided says nothing about the judge.
    check === null && (tag === null || tags.includes(tag)) ? [index] : [],
  );
  const blind = reviews.filter((review) => review.blind);
  const current = currentOf(blind);
  const adjudicated = blind.findLast(({ role }) => role === 'adjudicator');
  const against = adjudicated === undefined ? current : [adjudicated];
  if (places.length === 0 || against.length === 0) return null;
  const isFault = (index: number): boolean => (marks[index]?.max_points ?? 0) < 0;
  const pairs = (one: readonly Decision[], other: readonly Decision[]): RatedPair[] =>
    places.flatMap((index) => {
      const [first, second] = [placeOf(one[index]), placeOf(other[index])];
      return first < 0 || second < 0 ? [] : [{ one: first, other: second, isFault: isFault(index) }];
    });
  const judged = marks.map(({ decision }) => decision);
  return {
    judge,
    criteria: places.length,
    reviewers: [...new Set(blind.map(reviewerOf))],
    withJudge: against.flatMap(({ decisions }) => pairs(decisions, judged)),
    betweenReviewers: everyTwo(current).flatMap(([one, other]) => pairs(one.decisions, other.decisions)),
  };
}

function placeOf(decision: Decision | undefined): number {
  return DECISIONS.findIndex((one) => one === decision);
}

function everyTwo(reviews: readonly Review[]): [Review, Review][] {
  return reviews.flatMap((one, place) => reviews.slice(place + 1).map((other): [Review, Review] => [one, other]));
}

type Corrected = AgreementView['corrected_pass_rate'];

interface ReviewedTestRun {
  readonly status: TestRunStatus;
  readonly runs: ReviewableRuns;
  /** Percent of the rest that the queue draws. */
  readonly sample: number;
  /** 0..1 */
  readonly confidence: number;
}

/**
 * The pass rate of a run without the judge's errors, if the reviews allow it: everything that stands out has to be reviewed, and the random
 * sample of the rest as far as it goes. Reviews that were chosen otherwise say nothing about how often the judge errs, and are left out.
 */
function correctedPassRate({ status, runs, sample, confidence }: ReviewedTestRun): Corrected {
  const { notable, rest } = runs;
  if (!isFinalTestRun(status)) return refused('The run is under way.');
  const graded = [...notable, ...rest];
  if (graded.length === 0) return refused('Nothing was graded.');
  const open = notable.filter((run) => !isBlindlyReviewed(run)).length;
  if (open > 0) {
    return refused(
      `${open} of the ${notable.length} conversations that stand out are not reviewed blind yet: finish the review queue.`,
    );
  }
  const wanted = sampleSize(rest.length, sample);
  const firstOpen = rest.findIndex((run) => !isBlindlyReviewed(run));
  const drawn = rest.slice(0, firstOpen === -1 ? rest.length : firstOpen);
  if (drawn.length < wanted || (rest.length > 0 && drawn.length === 0)) {
    return refused(
      `The random sample is not complete: ${drawn.length} of its ${Math.max(1, wanted)} conversations are reviewed blind in its order. Reviews of ` +
        'conversations that somebody chose do not tell how often the judge errs.',
    );
  }
  const weight = rest.length / Math.max(1, drawn.length);
  const audited = [...notable.map((run) => auditedOf(run, 1)), ...drawn.map((run) => auditedOf(run, weight))];
  const passed = graded.filter((run) => run.passed).length;
  const found = correctedRate({ graded: graded.length, passed }, audited, confidence);
  if ('reason' in found) return refused(found.reason);
  return {
    value: found.value * 100,
    low: found.low * 100,
    high: found.high * 100,
    judged: (passed / graded.length) * 100,
    sensitivity: found.sensitivity * 100,
    specificity: found.specificity * 100,
    reviewed: audited.length,
    graded: graded.length,
    reason: null,
  };
}

function refused(reason: string): Corrected {
  return { value: null, reason };
}

/** Without a review there is no effective verdict. */
function isBlindlyReviewed({ reviews, effective_passed }: QueuedRun): boolean {
  return effective_passed !== null && reviews.every(({ blind }) => blind);
}

function auditedOf({ passed, effective_passed }: QueuedRun, weight: number): AuditedVerdict {
  return { judgePassed: passed, reviewerPassed: effective_passed === true, weight };
}
