import { HttpException, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { RecurringTask } from '../../platform/concurrency/recurring-task';
import { Log } from '../../platform/config/log';
import { WebhookComparisonsStore, type DueComparison } from './webhook-comparisons.store';
import { ComparisonService } from '../statistics/comparison.service';
import { WebhookPayloads, type WebhookPayload } from './webhook-payloads';

const LOOK_EVERY_MS = 2_000;
/** Comparisons made in a round; the rest are left to other processes. */
const A_ROUND = 5;
const MOST_ATTEMPTS = 5;
/** The confidence of a comparison when a client asks for no other. */
const CONFIDENCE_PERCENT = 95;
const MIN_COVERAGE_PERCENT = 95;

/** Compares a finished run with its agent's baseline, once, where a webhook is to be told of a run that is worse. */
@Injectable()
export class BaselineWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly looking: RecurringTask;

  constructor(
    private readonly due: WebhookComparisonsStore,
    private readonly comparisons: ComparisonService,
    private readonly payloads: WebhookPayloads,
    private readonly log: Log,
  ) {
    this.looking = new RecurringTask('comparisons with baselines', LOOK_EVERY_MS, () => this.look(), log);
  }

  onApplicationBootstrap(): void {
    this.looking.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.looking.stop();
  }

  private async look(): Promise<void> {
    for (let made = 0; made < A_ROUND; made += 1) {
      const due = await this.due.claim();
      if (due === null) return;
      await this.compare(due);
    }
  }

  private async compare(due: DueComparison): Promise<void> {
    try {
      await this.due.settle(due, 'comparison.worse', await this.toTell(due));
    } catch (error) {
      const { testRunId, attempt } = due;
      this.log.warn('A run could not be compared with its baseline', { error, testRunId, attempt });
      if (attempt < MOST_ATTEMPTS) await this.due.postpone(due);
      else await this.due.settle(due, 'comparison.worse', null);
    }
  }

  /** Null when the run is worse in nothing, or when either of the two is gone. */
  private async toTell({ testRunId, baselineTestRunId }: DueComparison): Promise<WebhookPayload | null> {
    try {
      const comparison = await this.comparisons.compare({
        before: baselineTestRunId,
        after: testRunId,
        confidencePercent: CONFIDENCE_PERCENT,
        minCoverage: MIN_COVERAGE_PERCENT,
      });
      const isWorse = comparison.verdict === 'worse' || comparison.verdict === 'mixed';
      return isWorse ? await this.payloads.ofWorse(testRunId, comparison) : null;
    } catch (error) {
      if (error instanceof HttpException) return null;
      throw error;
    }
  }
}
