import { HttpException, Injectable } from '@nestjs/common';
import { againstBar, againstBaseline, lackOfCoverage } from '../../domain';
import { passRateOf } from '../../engine/ledger';
import { Jobs, type ClaimedJob, type Ending } from '../../platform/jobs';
import { countsOf, type TestRunRecord } from '../runs/test-run.row';
import { TestRunsStore } from '../runs/test-runs.store';
import { ComparisonService } from '../statistics/comparison.service';
import { noteDeliveries } from '../webhooks/webhook-deliveries.store';
import { WebhookPayloads } from '../webhooks/webhook-payloads';
import { GATES, ScheduleStartsStore, type GatedStart } from './schedule-starts.store';
import type { ComparisonView } from '../../../contract/comparison';
import type { GateView } from '../../../contract/schedules';

const MOST_ATTEMPTS = 5;
const RETRY_MS = 60_000;
/** As a comparison has it when a client asks for nothing else. */
const CONFIDENCE_PERCENT = 95;
const MIN_COVERAGE_PERCENT = 95;

const RUN_DELETED = 'The run was deleted before its gate was decided.';
const UNFINISHED = 'The service could not measure the run; its log says why.';
const NO_BASELINE =
  'The agent has no baseline to compare this run with: name one (osce agents baseline), or leave fail_on out of the gate.';

/** What a gate says of a run that has ended. */
export interface GateDecision {
  /** `undecided`: nothing can be said about the agent. */
  readonly verdict: 'passed' | 'failed' | 'undecided';
  readonly sentence: string;
}

/** Measures the runs of schedules by their gates, once each, when they have ended. Tells webhooks of those that did not pass. */
@Injectable()
export class GateVerdicts {
  constructor(
    jobs: Jobs,
    private readonly starts: ScheduleStartsStore,
    private readonly testRuns: TestRunsStore,
    private readonly comparisons: ComparisonService,
    private readonly payloads: WebhookPayloads,
  ) {
    jobs.add({
      name: 'gates of schedules',
      table: GATES,
      lookEveryMs: 2_000,
      atOnce: 1,
      leaseMs: 30_000,
      // Far more than a comparison of the largest runs takes.
      limitMs: 600_000,
      backoff: (attempt) => (attempt < MOST_ATTEMPTS ? RETRY_MS : null),
      attempt: (job) => this.measure(job),
      givenUp: (tx, { key }) => starts.decide(tx, key, 'undecided', UNFINISHED),
    });
  }

  private async measure(job: ClaimedJob): Promise<Ending> {
    const start = await this.starts.gated(job);
    // Its schedule was deleted.
    if (start === null) return { kind: 'done' };
    const decision = await this.decide(start);
    const { verdict, sentence } = decision;
    const payload =
      verdict === 'passed' ? null : await this.payloads.ofGate(toldOf(start), start.testRunId, { verdict, sentence });
    return {
      kind: 'done',
      write: async (tx) => {
        await this.starts.decide(tx, job.key, verdict, sentence);
        if (payload !== null) await noteDeliveries(tx, payload, start.testRunId);
      },
    };
  }

  private async decide({ testRunId, gate }: GatedStart): Promise<GateDecision> {
    const found = await this.testRuns.find(testRunId);
    if (found === null) return { verdict: 'undecided', sentence: RUN_DELETED };
    const run = { ...found, pass_rate: passRateOf(countsOf(found)) };
    const bar = againstBar(run, gate.fail_under);
    if (run.status !== 'completed') return { verdict: 'undecided', sentence: bar.sentence };
    const decisions: GateDecision[] = [{ verdict: VERDICTS[bar.outcome], sentence: bar.sentence }];
    const lacking = lackOfCoverage(run, gate.min_coverage);
    if (lacking !== null) decisions.push({ verdict: 'undecided', sentence: lacking });
    if (gate.fail_on !== null) decisions.push(await this.compared(run, gate, gate.fail_on));
    return gravest(decisions);
  }

  private async compared(
    run: TestRunRecord,
    { min_coverage }: GateView,
    failOn: NonNullable<GateView['fail_on']>,
  ): Promise<GateDecision> {
    if (run.baseline_test_run_id === null) return { verdict: 'undecided', sentence: NO_BASELINE };
    try {
      const comparison = await this.comparisons.compare({
        before: run.baseline_test_run_id,
        after: run.id,
        confidencePercent: CONFIDENCE_PERCENT,
        minCoverage: min_coverage ?? MIN_COVERAGE_PERCENT,
      });
      return { verdict: COMPARED[againstBaseline(comparison, failOn)], sentence: comparedSentence(comparison) };
    } catch (error) {
      // The baseline was deleted in this moment, or is under way.
      if (error instanceof HttpException)
        return { verdict: 'undecided', sentence: `Not compared with the baseline: ${error.message}` };
      throw error;
    }
  }
}

const VERDICTS = {
  passed: 'passed',
  below_bar: 'failed',
  undecided: 'undecided',
  failed: 'undecided',
  canceled: 'undecided',
} as const;

const COMPARED = { passed: 'passed', harmed: 'failed', undecided: 'undecided' } as const;

/** Harm counts first, then doubt; the sentence is that of what counts. */
function gravest(found: readonly GateDecision[]): GateDecision {
  const verdict =
    (['failed', 'undecided'] as const).find((one) => found.some((decision) => decision.verdict === one)) ?? 'passed';
  const sentences = found.filter((decision) => decision.verdict === verdict).map(({ sentence }) => sentence);
  return { verdict, sentence: sentences.join(' ') };
}

function comparedSentence({ sentence, new_must_pass_violations: violations, before }: ComparisonView): string {
  const count = violations.length;
  const more = count === 0 ? '' : ` Must-pass criteria violated that were not before: ${count}.`;
  return `Compared with the baseline ${before.test_run_id}: ${sentence}${more}`;
}

function toldOf({ scheduleId, scheduleName, gate }: GatedStart) {
  return { id: scheduleId, name: scheduleName, gate };
}
