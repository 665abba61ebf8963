import { isFinalTestRun, type TestRunStatus } from '../../domain/statuses';
import type { QueuedRun, ReviewableRuns } from './reviewed-conversations.store';
import { correctedRate, type AuditedVerdict } from '../../domain/statistics/rogan-gladen';
import { sampleSize } from './review-queue';
import type { AgreementView } from './agreement.view';

type Corrected = AgreementView['corrected_pass_rate'];

export interface ReviewedTestRun {
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
export function correctedPassRate({ status, runs, sample, confidence }: ReviewedTestRun): Corrected {
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

export function refused(reason: string): Corrected {
  return { value: null, reason };
}

function isBlindlyReviewed({ reviews, effective_passed }: QueuedRun): boolean {
  return effective_passed !== null && reviews.length > 0 && reviews.every(({ blind }) => blind);
}

function auditedOf({ passed, effective_passed }: QueuedRun, weight: number): AuditedVerdict {
  return { judgePassed: passed, reviewerPassed: effective_passed === true, weight };
}
