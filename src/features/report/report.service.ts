import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { annotationsOf } from '../../../contract/run-annotations';
import { canonicalHash } from '../../domain/fingerprint';
import { isFinalTestRun, twinsInOrder } from '../../domain';
import { VERSION } from '../../platform/config';
import { AgreementService } from '../reviews/agreement.service';
import { assertRunExists, TestRunsStore } from '../runs/test-runs.store';
import { firstOfTwins, type TestRunRecord } from '../runs/test-run.row';
import { EvidenceSound } from '../speech/evidence-sound';
import { SpeechMeasuresService } from '../speech/speech-measures.service';
import { ComparisonService } from '../statistics/comparison.service';
import { StatisticsService } from '../statistics/statistics.service';
import { TwinPairsStore } from '../statistics/twin-pairs.store';
import { hazardsOf } from './hazards';
import { disputedIn, patientFaultsIn, shortened, violationsIn } from './notable';
import type { ReportedTwin, ReportView, SignedReport } from './report.view';
import { RunReportStore, type ReportedScenario } from './run-report.store';
import { LEAST_COVERAGE, warningsOn } from './warnings';
import { oneDecimal } from './html';
import type { AgreementView } from '../../../contract/agreement';
import type { ComparisonView } from '../../../contract/comparison';
import { DEFAULT_SAMPLE } from '../../../contract/review-queue';
import type { StatisticsView } from '../../../contract/statistics';

/** What the report is, as its first page says. */
const NATURE =
  'Supporting evidence about one run of examinations. It is not a safety case, not a clinical evaluation and not an approval: those need people who answer for them, and evidence of other kinds.';

/** What the numbers of any run do not say, in plain words. */
function limitsOf({ scenarios, ...statistics }: StatisticsView): string[] {
  return [
    'The patients were simulated. Real people leave out more, ask otherwise, and do not follow a script.',
    `${scenarios} scenario${scenarios === 1 ? ' was' : 's were'} examined. What none of them asks for has not been examined; passing them says nothing of it.`,
    'A judge marked the conversations by checklists. It makes mistakes; the calibration, where there is one, says how often it agreed with people on other transcripts.',
    'Intervals tell what chance alone can do with this many conversations. A biased judge, an unusual choice of scenarios or a patient that helps has intervals just as narrow.',
    unnoticedDrop(statistics),
    'The result holds for the configuration of the agent whose hash is given. After any change of model, prompt, tools or provider it is history.',
  ];
}

function unnoticedDrop({
  graded_pass_rate: { value },
  minimum_detectable_drop: drop,
}: Pick<StatisticsView, 'graded_pass_rate' | 'minimum_detectable_drop'>): string {
  if (value === 0) return 'The rate is 0 %: it cannot drop further.';
  if (drop === null) return 'No drop of the pass rate would show in a second run of this size.';
  return `In a second run of this size, a drop of the pass rate by less than ${oneDecimal(drop)} points would most likely go unnoticed.`;
}

const CONFIDENCE_PERCENT = 95;
const MOST_SCENARIOS = 1_000;
const MOST_NOTABLE = 1_000;
const MOST_REVIEWS = 200;
/** More than the lines there are, each with noise and without. */
const MOST_TWINS = 12;

/** What a run comes to, for those who decide about the agent. */
@Injectable()
export class ReportService {
  constructor(
    private readonly testRuns: TestRunsStore,
    private readonly store: RunReportStore,
    private readonly statistics: StatisticsService,
    private readonly comparisons: ComparisonService,
    private readonly agreement: AgreementService,
    private readonly speech: SpeechMeasuresService,
    private readonly sound: EvidenceSound,
    private readonly pairs: TwinPairsStore,
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
    const [{ flaky_scenarios: _ofOtherRuns, ...statistics }, scenarios, signed, notable, baseline, reviews] =
      await Promise.all([
        this.statistics.find(run.id, CONFIDENCE_PERCENT),
        this.store.scenarios(run.id, MOST_SCENARIOS),
        this.store.signedScenarios(run.id),
        this.store.notable(run.id, MOST_NOTABLE),
        this.sinceBaseline(run),
        this.store.reviews(run.id, MOST_REVIEWS),
      ]);
    const spoken = run.modality === 'spoken' ? await this.spokenIn(run.id) : null;
    const twins = await this.besideTwins(run);
    const violated = violationsIn(notable);
    const whole = { ...statistics, flaky_scenarios: [] };
    const report: ReportView = {
      format: 'agent-osce-report/1',
      title: `Examination of ${run.agent_name}`,
      nature: NATURE,
      warnings: warningsOn(run, whole, signed),
      examined: { ...examined(run), scenarios: scenarios.map(scenarioView) },
      statistics,
      must_pass_violations: {
        total: statistics.must_pass_violations.length,
        shown: spoken === null ? violated : await this.withSound(violated),
      },
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
      ...(spoken && { spoken }),
      ...(twins.length > 0 && { twins }),
      baseline,
      hazards: hazardsOf(scenarios, notable),
      limits: limitsOf(whole),
    };
    await assertRunExists(this.testRuns, run.id);
    return { sha256: canonicalHash(report), report };
  }

  private async spokenIn(testRunId: string): Promise<NonNullable<ReportView['spoken']>> {
    const {
      by_turn: _turns,
      test_run_id: _id,
      status: _status,
      conversations: _count,
      ...measures
    } = await this.speech.find(testRunId, CONFIDENCE_PERCENT, null);
    return measures;
  }

  /** The same violations, with when the agent said its words. */
  private async withSound(
    violated: ReportView['must_pass_violations']['shown'],
  ): Promise<ReportView['must_pass_violations']['shown']> {
    const soundOf = await this.sound.of(violated.map(({ scenario_run_id }) => scenario_run_id));
    return violated.map(({ words, ...violation }) => ({
      ...violation,
      words: words.map((one) => ({
        ...one,
        ...(one.call === undefined ? soundOf(violation.scenario_run_id, one) : null),
      })),
    }));
  }

  /** As GET /api/v1/agreement answers it of this run. */
  private async agreementIn(testRun: string): Promise<AgreementView> {
    const all = { judge: null, tag: null, seed: null };
    const asked = { ...all, testRun, confidence: CONFIDENCE_PERCENT, sample: DEFAULT_SAMPLE };
    return (await this.agreement.find(asked)).view;
  }

  /** The run against the most easily held of its twins that have ended; where it is that one itself, each other against it. */
  private async besideTwins(run: TestRunRecord): Promise<ReportedTwin[]> {
    const family = await this.pairs.family(firstOfTwins(run));
    const [first, ...others] = twinsInOrder(family.filter(({ status }) => isFinalTestRun(status)));
    const harder = first?.id === run.id ? others.slice(0, MOST_TWINS) : others.filter(({ id }) => id === run.id);
    const found: ReportedTwin[] = [];
    for (const { id } of harder) {
      const comparison = await this.compared(first?.id ?? run.id, id);
      if (typeof comparison === 'string' || comparison.twins === null) continue;
      const { before, after, verdict, tests, twins: pairs } = comparison;
      found.push({ before, after, verdict, tests, pairs });
    }
    return found;
  }

  private async sinceBaseline({ id, baseline_test_run_id: before }: TestRunRecord): Promise<ReportView['baseline']> {
    if (before === null) {
      const note = 'The agent has no other run as its baseline: nothing to compare with.';
      return { agent_version: null, comparison: null, note };
    }
    const version = (await this.testRuns.find(before))?.agent_version ?? null;
    const comparison = await this.compared(before, id);
    return typeof comparison === 'string'
      ? {
          agent_version: version,
          comparison: null,
          note: `The run cannot be compared with its baseline: ${comparison}`,
        }
      : { agent_version: version, comparison, note: comparison.sentence };
  }

  /** Two runs; why they cannot be compared, where one of them is gone or under way. */
  private async compared(before: string, after: string): Promise<ComparisonView | string> {
    try {
      return await this.comparisons.compare({
        before,
        after,
        confidencePercent: CONFIDENCE_PERCENT,
        minCoverage: LEAST_COVERAGE,
      });
    } catch (error) {
      if (!(error instanceof NotFoundException || error instanceof ConflictException)) throw error;
      return error.message;
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
