import { HttpException, Injectable } from '@nestjs/common';
import { Database } from '../../platform/database';
import { type ClaimedJob, type Ending, Jobs } from '../../platform/jobs';
import { ComparisonService } from '../statistics/comparison.service';
import { noteDeliveries } from './webhook-deliveries.store';
import { WebhookPayloads, type WebhookPayload } from './webhook-payloads';

const MOST_ATTEMPTS = 5;
const RETRY_MS = 60_000;
/** The confidence of a comparison when a client asks for no other. */
const CONFIDENCE_PERCENT = 95;
const MIN_COVERAGE_PERCENT = 95;

/** Compares a finished run with the baseline that its agent had when it ended, once, where a webhook is to be told of a run that is worse. */
@Injectable()
export class WebhookComparisons {
  constructor(
    jobs: Jobs,
    private readonly database: Database,
    private readonly comparisons: ComparisonService,
    private readonly payloads: WebhookPayloads,
  ) {
    jobs.add({
      name: 'comparisons with baselines',
      table: { name: 'webhook_comparisons', key: 'test_run_id', keepsRows: false },
      lookEveryMs: 2_000,
      atOnce: 1,
      leaseMs: 30_000,
      // The largest runs take some seconds.
      // Far more than one takes: a comparison that is given up goes on in the background.
      limitMs: 600_000,
      backoff: (attempt) => (attempt < MOST_ATTEMPTS ? RETRY_MS : null),
      attempt: (job) => this.compare(job),
    });
  }

  private async compare({ key: testRunId }: ClaimedJob): Promise<Ending> {
    const payload = await this.toTell(testRunId);
    if (payload === null) return { kind: 'done' };
    return { kind: 'done', write: (tx) => noteDeliveries(tx, payload, testRunId) };
  }

  /** Null when the run is worse in nothing, or when either of the two is gone. */
  private async toTell(testRunId: string): Promise<WebhookPayload | null> {
    const [due] = await this.database.query<{ baseline: string }>(
      'SELECT baseline_test_run_id AS baseline FROM webhook_comparisons WHERE test_run_id = $1',
      [testRunId],
    );
    if (due === undefined) return null;
    try {
      const comparison = await this.comparisons.compare({
        before: due.baseline,
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
