import { Injectable, NotFoundException } from '@nestjs/common';
import { reviewerKey, reviewerOf } from '../../domain';
import { TestRunsStore } from '../runs/test-runs.store';
import { ReviewedConversationsStore, type QueuedRun, type ReviewableRuns } from './reviewed-conversations.store';
import type { QueueReason, ReviewQueueView } from '../../../contract/review-queue';
import type { Page } from '../../../contract/page';

interface QueueEntry {
  readonly run: QueuedRun;
  readonly reason: QueueReason;
}

/** What is to be reviewed of a run: all that stands out, the gravest first, then a random sample of the rest. */
function queueOf({ notable, rest }: ReviewableRuns, samplePercent: number): QueueEntry[] {
  const of = (reason: QueueReason): QueueEntry[] =>
    notable.filter((run) => reasonOf(run) === reason).map((run) => ({ run, reason }));
  const drawn = rest.slice(0, sampleSize(rest.length, samplePercent));
  return [
    ...of('must_pass_violation'),
    ...of('disputed'),
    ...of('flagged'),
    ...drawn.map((run): QueueEntry => ({ run, reason: 'sample' })),
  ];
}

export function sampleSize(rest: number, samplePercent: number): number {
  return Math.ceil((rest * samplePercent) / 100);
}

/** The same for every client that names no seed, so that several reviewers work on one sample. */
export function seedOf(testRunId: string): number {
  return Number.parseInt(testRunId.replaceAll('-', '').slice(0, 8), 16);
}

/** Whose reviews are asked for: those of a key, of a name with any key, or of all reviewers. */
export type Whose = { readonly keyName: string } | { readonly reviewer: string } | 'anybody';

function isReviewed({ reviews }: QueuedRun, whose: Whose): boolean {
  if (whose === 'anybody') return reviews.length > 0;
  if ('keyName' in whose) return reviews.some(({ key_name }) => key_name === whose.keyName);
  return reviews.some(({ reviewer }) => reviewerKey(reviewer) === reviewerKey(whose.reviewer));
}

/** The names of its reviewers, as each wrote it last. */
function namesOf({ reviews }: QueuedRun): string[] {
  return [...new Map(reviews.map((review) => [reviewerOf(review), review.reviewer])).values()];
}

function reasonOf({ findings }: ReviewableRuns['notable'][number]): QueueReason {
  if (findings.violations.length > 0) return 'must_pass_violation';
  return findings.disputed > 0 ? 'disputed' : 'flagged';
}

export interface AskedQueue extends Page {
  /** Percent. */
  readonly sample: number;
  readonly seed: number | null;
  readonly whose: Whose;
  /** Only what is not reviewed yet. */
  readonly open: boolean;
  /** Without what the judge found. */
  readonly blind: boolean;
}

/** Finds the conversations of a run that a reviewer should look at again. */
@Injectable()
export class ReviewQueueService {
  constructor(
    private readonly testRuns: TestRunsStore,
    private readonly conversations: ReviewedConversationsStore,
  ) {}

  /** @throws NotFoundException */
  async find(idOrLabel: string, asked: AskedQueue): Promise<ReviewQueueView> {
    const testRunId = await this.testRuns.resolve(idOrLabel);
    if (testRunId === null) throw new NotFoundException('Test run not found');
    const seed = asked.seed ?? seedOf(testRunId);
    const queue = queueOf(await this.conversations.reviewable(testRunId, seed), asked.sample);
    const reviewed = queue.filter(({ run }) => isReviewed(run, asked.whose));
    const chosen = asked.open ? queue.filter(({ run }) => !isReviewed(run, asked.whose)) : queue;
    return {
      test_run_id: testRunId,
      sample: asked.sample,
      seed,
      progress: {
        reviewed: reviewed.length,
        to_review: queue.length,
        disagreements: queue.filter(({ run }) => run.disagreements > 0).length,
      },
      results: chosen.slice(asked.offset, asked.offset + asked.limit).map(({ run, reason }) => ({
        scenario_run_id: run.id,
        scenario_id: run.scenario_id,
        scenario_name: run.scenario_name,
        trial: run.trial,
        reason: asked.blind ? null : reason,
        reviews: run.reviews.length,
        reviewers: namesOf(run),
        is_reviewed: isReviewed(run, asked.whose),
        disagreements: run.disagreements,
      })),
      total: chosen.length,
    };
  }
}
