import { Injectable, NotFoundException } from '@nestjs/common';
import type { Page } from '../../platform/http/page';
import { ReviewedConversationsStore } from './reviewed-conversations.store';
import { TestRunsStore } from '../runs/test-runs.store';
import { isReviewed, namesOf, queueOf, seedOf, type Whose } from './review-queue';
import type { ReviewQueueView } from './review-queue.view';

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

/** Which conversations of a run somebody should look at again. */
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
