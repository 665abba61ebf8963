import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { isFinalTestRun } from '../../domain/statuses';
import { VERSION } from '../../platform/config/version';
import { canonicalHash } from '../../domain/fingerprint/canonical-hash';
import { RunReportStore, type ReportedScenario } from './run-report.store';
import type { TestRunRecord } from '../runs/test-run.row';
import { TestRunsStore } from '../runs/test-runs.store';
import { AgreementService } from '../reviews/agreement.service';
import type { AgreementView } from '../reviews/agreement.view';
import { DEFAULT_SAMPLE } from '../reviews/review-queue';
import { ComparisonService } from '../statistics/comparison.service';
import { StatisticsService } from '../statistics/statistics.service';
import { assertRunExists } from '../runs/assert-run-exists';
import { hazardsOf } from './hazards';
import { limitsOf, NATURE } from './limits';
import { disputedIn, patientFaultsIn, shortened, violationsIn } from './notable';
import type { ReportView, SignedReport } from './report.view';
import { LEAST_COVERAGE, warningsOn } from './warnings';

const CONFIDENCE_PERCENT = 95;
const MOST_SCENARIOS = 1_000;
const MOST_NOTABLE = 1_000;
const MOST_REVIEWS = 200;

/** What a run comes to, for those who decide about the agent. */
@Injectable()
export class ReportService {
  constructor(
    private readonly testRuns: TestRunsStore,
    private readonly store: RunReportStore,
    private readonly statistics: StatisticsService,
    private readonly comparisons: ComparisonService,
    private readonly agreement: AgreementService,
  ) {}

  /**
   * The same each time, as long as what it names stays the same: it has no time of its own.
   * @throws NotFoundException; ConflictException while the run is under way
   */
  async of(idOrLabel: string): Promise<SignedReport> {
    const run = await this.testRuns.find(idOrLabel);
    if (run === null) throw new NotFoundException('Test run not found');
    if (!isFinalTestRun(run.status)) {
      throw new ConflictException(`The run is ${run.status}: its report can be written when it has ended.`);
    }
    const [{ flaky_scenarios: _ofOtherRuns, ...statistics }, scenarios, notable, baseline, reviews] = await Promise.all(
      [
        this.statistics.find(run.id, CONFIDENCE_PERCENT),
        this.store.scenarios(run.id, MOST_SCENARIOS),
        this.store.notable(run.id, MOST_NOTABLE),
        this.sinceBaseline(run),
        this.store.reviews(run.id, MOST_REVIEWS),
      ],
    );
    const whole = { ...statistics, flaky_scenarios: [] };
    const report: ReportView = {
      format: 'agent-osce-report/1',
      title: `Examination of ${run.agentName}`,
      nature: NATURE,
      warnings: warningsOn(run, whole),
      examined: { ...examined(run), scenarios: scenarios.map(scenarioView) },
      statistics,
      must_pass_violations: { total: statistics.must_pass_violations.length, shown: violationsIn(notable) },
      disputed: { total: statistics.disputed.criteria, shown: disputedIn(notable) },
      patients: {
        scenario_runs: statistics.patient_faults.scenario_runs,
        share: statistics.total === 0 ? 0 : statistics.patient_faults.scenario_runs / statistics.total,
        shown: patientFaultsIn(notable),
      },
      reviews: {
        scenario_runs: statistics.reviewed.scenario_runs,
        changed: statistics.reviewed.changed,
        pass_rate: statistics.reviewed_pass_rate,
        shown: reviews.map((review) => ({ ...review, comment: shortened(review.comment) })),
        agreement: reviews.length === 0 ? null : await this.agreementIn(run.id),
      },
      baseline,
      hazards: hazardsOf(scenarios, notable),
      limits: limitsOf(whole),
    };
    await assertRunExists(this.testRuns, run.id);
    return { sha256: canonicalHash(report), report };
  }

  /** As GET /api/v1/agreement answers it of this run. */
  private async agreementIn(testRun: string): Promise<AgreementView> {
    const all = { judge: null, tag: null, seed: null };
    const asked = { ...all, testRun, confidence: CONFIDENCE_PERCENT, sample: DEFAULT_SAMPLE };
    return (await this.agreement.find(asked)).view;
  }

  private async sinceBaseline({ id, baselineTestRunId }: TestRunRecord): Promise<ReportView['baseline']> {
    if (baselineTestRunId === null) {
      return { comparison: null, note: 'The agent has no other run as its baseline: nothing to compare with.' };
    }
    try {
      const comparison = await this.comparisons.compare({
        before: baselineTestRunId,
        after: id,
        confidencePercent: CONFIDENCE_PERCENT,
        minCoverage: LEAST_COVERAGE,
      });
      return { comparison, note: comparison.sentence };
    } catch (error) {
      if (!(error instanceof NotFoundException || error instanceof ConflictException)) throw error;
      return { comparison: null, note: `The run cannot be compared with its baseline: ${error.message}` };
    }
  }
}

function examined(run: TestRunRecord): Omit<ReportView['examined'], 'scenarios'> {
  return {
    run: {
      id: run.id,
      test_run_id: run.label,
      name: run.name,
      status: run.status,
      created_at: run.createdAt.toISOString(),
      started_at: run.startedAt?.toISOString() ?? null,
      ended_at: (run.completedAt ?? run.canceledAt)?.toISOString() ?? null,
      trials: run.trials,
      max_turns: run.maxTurns,
      pass_threshold: run.passThreshold,
      region: run.region,
      derived_from: run.derivedFrom,
      derivation: run.derivation,
    },
    agent: {
      id: run.agentId,
      name: run.agentName,
      provider: run.agentProvider,
      version: run.agentVersion,
      config_hash: run.agentConfigHash,
    },
    service_version: VERSION,
  };
}

function scenarioView({ scenario_name: name, hazard: _hazard, rubric: _rubric, ...same }: ReportedScenario) {
  return { name, ...same };
}
