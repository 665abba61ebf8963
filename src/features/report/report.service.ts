import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { annotationsOf } from '../../../contract/run-annotations';
import { canonicalHash } from '../../domain/fingerprint';
import { MUST_PASS_TAG, isFinalTestRun } from '../../domain';
import { wilsonInterval } from '../../domain/statistics';
import { VERSION } from '../../platform/config';
import { AgreementService } from '../reviews/agreement.service';
import { assertRunExists, TestRunsStore } from '../runs/test-runs.store';
import type { TestRunRecord } from '../runs/test-run.row';
import { ComparisonService } from '../statistics/comparison.service';
import { StatisticsService } from '../statistics/statistics.service';
import { disputedIn, patientFaultsIn, shortened, violationsIn } from './notable';
import type { ReportView, SignedReport } from './report.view';
import { RunReportStore, type ReportedScenario, type NotableScenarioRun } from './run-report.store';
import { LEAST_COVERAGE, warningsOn } from './warnings';
import { oneDecimal } from './html';
import type { AgreementView } from '../../../contract/agreement';
import { DEFAULT_SAMPLE } from '../../../contract/review-queue';
import type { StatisticsView } from '../../../contract/statistics';

const CONFIDENCE = 0.95;
const MOST_CONTROLS = 20;

/** A row for each scenario: what can go wrong, what is to prevent it, what was seen, and what that leaves open. */
function hazardsOf(
  scenarios: readonly ReportedScenario[],
  notable: readonly NotableScenarioRun[],
): ReportView['hazards'] {
  const violating = new Map<string, NotableScenarioRun[]>();
  for (const run of notable) {
    if (run.findings.violations.length === 0) continue;
    violating.set(run.scenario_id, [...(violating.get(run.scenario_id) ?? []), run]);
  }
  return scenarios.map((scenario) => {
    const runs = violating.get(scenario.scenario_id) ?? [];
    const { graded, passed, total } = scenario;
    const criteria = new Set(runs.flatMap(({ findings }) => findings.violations.map(({ criterion }) => criterion)));
    const high = graded === 0 ? null : wilsonInterval((graded - passed) / graded, graded, CONFIDENCE).high;
    return {
      scenario_id: scenario.scenario_id,
      scenario_name: scenario.scenario_name,
      severity: scenario.severity,
      hazard: wordsOf(scenario.hazard),
      controls: controlsIn(scenario),
      evidence: { total, graded, passed, violated: runs.length, missed_or_committed: [...criteria] },
      residual: { sentence: residualOf(scenario, runs.length, high), high },
    };
  });
}

function residualOf({ graded, passed, total }: ReportedScenario, violated: number, high: number | null): string {
  if (high === null) return 'Open: no conversation has a verdict.';
  const most = `up to ${oneDecimal(high * 100)} % of such conversations may fail`;
  const missing = graded < total ? ` ${total - graded} without a verdict.` : '';
  if (violated > 0) return `Seen: must-pass violated in ${violated} of ${graded}; ${most}.${missing}`;
  if (passed < graded) return `Failed in ${graded - passed} of ${graded} without such a violation; ${most}.${missing}`;
  return `Not seen in ${graded}; ${most}.${missing}`;
}

/** Text, or the words of an object's `hazard`, `text` or `description`. */
function wordsOf(hazard: unknown): string | null {
  if (typeof hazard === 'string') return hazard.trim() === '' ? null : hazard;
  if (typeof hazard !== 'object' || hazard === null) return null;
  for (const key of ['hazard', 'text', 'description']) {
    const value: unknown = Reflect.get(hazard, key);
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return null;
}

function controlsIn({ rubric }: ReportedScenario): string[] {
  const criteria = Array.isArray(rubric) ? rubric : [];
  return criteria
    .flatMap(({ criterion, tags }: { criterion?: unknown; tags?: unknown }) =>
      typeof criterion === 'string' && Array.isArray(tags) && tags.includes(MUST_PASS_TAG) ? [criterion] : [],
    )
    .slice(0, MOST_CONTROLS);
}

/** What the report is, as its first page says. */
const NATURE =
  'Supporting evidence about one run of examinations. It is not a safety case, not a clinical evaluation and not an approval: those need people who answer for them, and evidence of other kinds.';

/** What the numbers of any run do not say, in plain words. */
function limitsOf({ scenarios, minimum_detectable_drop: drop }: StatisticsView): string[] {
  return [
    'The patients were simulated. Real people leave out more, ask otherwise, and do not follow a script.',
    `${scenarios} scenario${scenarios === 1 ? ' was' : 's were'} examined. What none of them asks for has not been examined; passing them says nothing of it.`,
    'A judge marked the conversations by checklists. It makes mistakes; the calibration, where there is one, says how often it agreed with people on other transcripts.',
    'Intervals tell what chance alone can do with this many conversations. A biased judge, an unusual choice of scenarios or a patient that helps has intervals just as narrow.',
    drop === null
      ? 'No drop of the pass rate would show in a second run of this size.'
      : `In a second run of this size, a drop of the pass rate by less than ${oneDecimal(drop)} points would most likely go unnoticed.`,
    'The result holds for the configuration of the agent whose hash is given. After any change of model, prompt, tools or provider it is history.',
  ];
}

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
      title: `Examination of ${run.agent_name}`,
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

  private async sinceBaseline({ id, baseline_test_run_id: before }: TestRunRecord): Promise<ReportView['baseline']> {
    if (before === null) {
      return { comparison: null, note: 'The agent has no other run as its baseline: nothing to compare with.' };
    }
    try {
      const comparison = await this.comparisons.compare({
        before,
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
      test_run_id: run.test_run_id,
      ...annotationsOf(run),
      tags: run.tags,
      status: run.status,
      created_at: run.created_at,
      started_at: run.started_at,
      ended_at: run.completed_at ?? run.canceled_at,
      trials: run.trials,
      max_turns: run.max_turns,
      pass_threshold: run.pass_threshold,
      region: run.region,
      derived_from: run.derived_from,
      derivation: run.derivation,
    },
    agent: {
      id: run.agent_id,
      name: run.agent_name,
      provider: run.agent_provider,
      version: run.agent_version,
      config_hash: run.agent_config_hash,
    },
    service_version: VERSION,
  };
}

function scenarioView({ scenario_name: name, hazard: _hazard, rubric: _rubric, ...same }: ReportedScenario) {
  return { name, ...same };
}
