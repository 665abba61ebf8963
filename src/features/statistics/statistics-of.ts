import { z } from 'zod';
import { gravityOf } from '../../domain';
import {
  rateOf,
  scenariosIn,
  sumOf,
  without,
  type Rate,
  byGroup,
  type Group,
  passHat,
  minimumDetectableDrop,
} from '../../domain/statistics';
import { passRateOf, type ExaminerDocument } from '../../engine/ledger';
import type { CompletedCalibration } from '../calibrations/calibrations.store';
import { changesOf } from '../calibrations/judge-document';
import type { TestRunRecord } from '../runs/test-run.row';
import type { NotableRun } from './run-findings';
import type { RunTallies } from './run-statistics.store';
import {
  type ExaminersView,
  type MustPassViolationView,
  type RateView,
  type StatisticsView,
  shownCalibration,
  type ShownCalibration,
} from '../../../contract/statistics';

/** The statistics of a run from its tallies. @param confidencePercent such as 95 */
export function statisticsOf(
  run: Pick<TestRunRecord, 'id' | 'status' | 'trials'>,
  tallies: RunTallies,
  confidencePercent: number,
  calibrated: CompletedCalibration | null = null,
): StatisticsView {
  const { scenarios, notable } = tallies;
  const confidence = confidencePercent / 100;
  const total = scenarios.reduce((sum, one) => sum + one.total, 0);
  const { graded, passed } = sumOf(scenarios);
  const rate = rateOf(scenarios, confidence);
  const drop = rate && minimumDetectableDrop(rate.value, rate.effectiveSize);
  return {
    test_run_id: run.id,
    status: run.status,
    confidence: confidencePercent,
    scenarios: scenariosIn(scenarios),
    trials: run.trials,
    total,
    graded,
    passed,
    coverage: percentOf(graded, total),
    pass_rate: passRateOf({ passed, total }),
    graded_pass_rate: rateView(rate),
    bounds: { low: percentOf(passed, total), high: percentOf(passed + total - graded, total) },
    pass_hat: Array.from({ length: run.trials }, (_, place) => passHat(scenarios, place + 1)).map((one) => ({
      ...one,
      value: one.value === null ? null : percent(one.value),
    })),
    unstable: tallies.unstable.map(({ scenario_id, scenario_name, graded: of, passed: some }) => ({
      scenario_id,
      scenario_name,
      graded: of,
      passed: some,
    })),
    flaky_scenarios: [...tallies.flaky],
    excluded: tallies.ungraded.map(({ status, error_code, count }) => ({ status, error_code, count })),
    by_category: byGroup(tallies.byCategory, confidence).map(({ name, ...group }) => ({
      category: name,
      ...groupView(group),
    })),
    by_severity: bySeverity(byGroup(tallies.bySeverity, confidence)),
    by_tag: byGroup(tallies.byTag, confidence).map(({ name, ...group }) => ({
      tag: name,
      ...groupView(group),
    })),
    must_pass_violations: notable.flatMap(violationsOf),
    disputed: disputedOf(notable),
    flagged: flaggedOf(notable),
    patient_faults: patientFaultsOf(tallies, confidence),
    reviewed: { scenario_runs: sumOver(tallies.reviewed, 'reviewed'), changed: sumOver(tallies.reviewed, 'changed') },
    reviewed_pass_rate: reviewedRateOf(tallies, confidence),
    minimum_detectable_drop: drop === null ? null : percent(drop),
    examiners: examinersOf(tallies),
    ...calibrationShown(tallies.examiners[0]?.judge ?? null, calibrated),
  };
}

/** The gravest first; last those of no known severity. */
export function bySeverity(groups: readonly Group[]): StatisticsView['by_severity'] {
  return [...groups]
    .sort((one, other) => gravityOf(other.name) - gravityOf(one.name))
    .map(({ name, ...group }) => ({ severity: name, ...groupView(group) }));
}

export function violationsOf(run: NotableRun): MustPassViolationView[] {
  return run.findings.violations.map(({ criterion, kind }) => ({
    scenario_run_id: run.id,
    scenario_id: run.scenario_id,
    scenario_name: run.scenario_name,
    trial: run.trial,
    criterion,
    kind,
  }));
}

function percent(share: number): number {
  return share * 100;
}

function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100;
}

function rateView(rate: Rate | null): RateView {
  if (rate === null) return { value: null, low: null, high: null, method: 'wilson', effective_n: 0 };
  const { value, low, high, method, effectiveSize } = rate;
  return { value: percent(value), low: percent(low), high: percent(high), method, effective_n: effectiveSize };
}

function groupView({ graded, passed, rate }: Omit<Group, 'name'>) {
  const { value, low, high } = rateView(rate);
  return { graded, passed, value, low, high };
}

function disputedOf(notable: readonly NotableRun[]): StatisticsView['disputed'] {
  const disputed = notable.filter(({ findings }) => findings.disputed > 0);
  return {
    criteria: disputed.reduce((sum, { findings }) => sum + findings.disputed, 0),
    scenario_runs: disputed.length,
  };
}

function flaggedOf(notable: readonly NotableRun[]): StatisticsView['flagged'] {
  const flagged = notable.filter(({ findings }) => findings.flags.length > 0);
  const counts = countedBy(flagged.flatMap(({ findings }) => findings.flags));
  return { scenario_runs: flagged.length, by_flag: counts.map(([flag, count]) => ({ flag, count })) };
}

function patientFaultsOf(
  { scenarios, notable, faulty }: RunTallies,
  confidence: number,
): StatisticsView['patient_faults'] {
  const runs = notable.filter(({ findings }) => findings.patient_faults.length > 0);
  const counts = countedBy(runs.flatMap(({ findings }) => findings.patient_faults));
  const gradedIn = gradedByScenario(runs);
  const leftOut = faulty.map((from) => ({ from, ...(gradedIn.get(from.scenario_id) ?? NONE) }));
  return {
    scenario_runs: runs.length,
    by_kind: counts.map(([kind, count]) => ({ kind, count })),
    pass_rate_without: runs.length === 0 ? null : rateView(rateOf(without(scenarios, leftOut), confidence)),
  };
}

/** As if the reviewers had marked what they have reviewed. */
function reviewedRateOf({ scenarios, reviewed }: RunTallies, confidence: number): RateView | null {
  if (reviewed.length === 0) return null;
  const leftOut = reviewed.map(({ graded, passed }) => ({ from: { graded, passed }, graded, passed }));
  const added = reviewed.map(({ graded, passed_by_review: passed }) => ({ graded, passed }));
  return rateView(rateOf([...without(scenarios, leftOut), ...added], confidence));
}

function sumOver(reviewed: RunTallies['reviewed'], field: 'reviewed' | 'changed'): number {
  return reviewed.reduce((sum, one) => sum + one[field], 0);
}

const NONE = { graded: 0, passed: 0 };

function gradedByScenario(runs: readonly NotableRun[]): Map<string, { graded: number; passed: number }> {
  const sums = new Map<string, { graded: number; passed: number }>();
  for (const { scenario_id, status } of runs) {
    const sum = sums.get(scenario_id) ?? { ...NONE };
    if (status === 'passed' || status === 'failed') sum.graded += 1;
    if (status === 'passed') sum.passed += 1;
    sums.set(scenario_id, sum);
  }
  return sums;
}

/** @param examiners most often first */
export function examinersOf({ examiners }: Pick<RunTallies, 'examiners'>): ExaminersView | null {
  const [first] = examiners;
  if (first === undefined) return null;
  const isOffline = examiners.some(({ tester, judge }) => tester.name === 'offline' || judge.name === 'offline');
  return { ...first, clinical: !isOffline, mixed: examiners.length > 1 };
}

/** Most often first. */
function countedBy(names: readonly string[]): [name: string, count: number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([one, many], [other, more]) => more - many || one.localeCompare(other, 'en'));
}

const { raw, kappa, ac1, macro_f1 } = shownCalibration.shape;
const storedAgreement = z.object({ raw, kappa, ac1, macro_f1 });
const storedControls = z.object({ share: z.number().nullable() });

const NOTHING_MARKED = 'Nothing has been marked yet.';
const UNCALIBRATED =
  'The judge has not been calibrated: how far it agrees with clinicians is not known. "osce calibrate" measures it.';

/**
 * How far the judge of a run is known to agree with people.
 * @param judge that marked most of the run; null before anything is marked
 * @param calibrated its newest calibration, or that of another model or other prompts of the same vendor
 */
function calibrationShown(
  judge: ExaminerDocument | null,
  calibrated: CompletedCalibration | null,
): Pick<StatisticsView, 'calibration' | 'calibration_note'> {
  if (judge === null) return { calibration: null, calibration_note: NOTHING_MARKED };
  if (calibrated === null) return { calibration: null, calibration_note: UNCALIBRATED };
  const changed = changesOf(calibrated.judge, judge);
  const calibration = {
    id: calibrated.id,
    name: calibrated.name,
    source: calibrated.source,
    at: calibrated.completedAt.toISOString(),
    judge: { ...calibrated.judge },
    stale: changed.length > 0,
    changed,
    transcripts: calibrated.transcripts,
    ...storedAgreement.parse(calibrated.agreement),
    controls_wrong: storedControls.parse(calibrated.controls).share,
  };
  return { calibration, calibration_note: noteOn(calibration) };
}

function noteOn({ judge, stale, changed, source }: ShownCalibration): string {
  if (stale) {
    const what = changed.map((one) => (one === 'model' ? 'another model' : 'other prompts or rules')).join(' and ');
    return `The calibration is stale: it was made with ${what} than this run. Calibrate again before relying on it.`;
  }
  if (judge.name === 'offline') {
    return 'The offline judge was calibrated: it matches words, and its agreement with the labels has no clinical meaning.';
  }
  return source === 'starter_set'
    ? 'The judge was tried with the starter set only: a smoke test, not a validation on conversations like these.'
    : 'The judge was calibrated with the model and the prompts of this run.';
}
