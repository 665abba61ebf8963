import { passRateOf } from '../../persistence/ledger/run-counts';
import type { NotableRun, RunTallies, ScenarioTally } from '../../persistence/run-statistics.store';
import type { TestRunRecord } from '../../persistence/test-run.row';
import { rateOf, sumOf, type Rate } from '../../statistics/clusters';
import { byGroup, isUnstable, type Group } from '../../statistics/groups';
import { passHat } from '../../statistics/pass-hat';
import { minimumDetectableDrop } from '../../statistics/power';
import type { ExaminersView, MustPassViolationView, RateView, StatisticsView } from './statistics.view';

/** The statistics of a run from its tallies. @param confidencePercent such as 95 */
export function statisticsOf(run: TestRunRecord, tallies: RunTallies, confidencePercent: number): StatisticsView {
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
    scenarios: scenarios.length,
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
    unstable: scenarios.filter(isUnstable).map((one) => ({
      scenario_id: one.scenario_id,
      scenario_name: one.scenario_name,
      graded: one.graded,
      passed: one.passed,
    })),
    excluded: tallies.ungraded.map(({ status, error_code, count }) => ({ status, error_code, count })),
    by_category: byGroup(scenarios, categoryOf, confidence).map(({ name, ...group }) => ({
      category: name,
      ...groupView(group),
    })),
    by_tag: byGroup(scenarios, ({ tags }) => tags, confidence).map(({ name, ...group }) => ({
      tag: name,
      ...groupView(group),
    })),
    must_pass_violations: notable.flatMap(violationsOf),
    disputed: disputedOf(notable),
    flagged: flaggedOf(notable),
    patient_faults: patientFaultsOf(scenarios, notable, confidence),
    minimum_detectable_drop: drop === null ? null : percent(drop),
    examiners: examinersOf(tallies),
    calibration: null,
  };
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

function categoryOf({ category }: ScenarioTally): readonly string[] {
  return category === null ? [] : [category];
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
  scenarios: readonly ScenarioTally[],
  notable: readonly NotableRun[],
  confidence: number,
): StatisticsView['patient_faults'] {
  const faulty = notable.filter(({ findings }) => findings.patient_faults.length > 0);
  const counts = countedBy(faulty.flatMap(({ findings }) => findings.patient_faults));
  return {
    scenario_runs: faulty.length,
    by_kind: counts.map(([kind, count]) => ({ kind, count })),
    pass_rate_without: faulty.length === 0 ? null : rateView(rateOf(without(scenarios, faulty), confidence)),
  };
}

/** The tallies as if those scenario runs had not been graded. */
function without(scenarios: readonly ScenarioTally[], left: readonly NotableRun[]): ScenarioTally[] {
  const graded = new Map<string, { graded: number; passed: number }>();
  for (const { scenario_id, status } of left) {
    const sum = graded.get(scenario_id) ?? { graded: 0, passed: 0 };
    if (status === 'passed' || status === 'failed') sum.graded += 1;
    if (status === 'passed') sum.passed += 1;
    graded.set(scenario_id, sum);
  }
  return scenarios.map((scenario) => ({
    ...scenario,
    graded: scenario.graded - (graded.get(scenario.scenario_id)?.graded ?? 0),
    passed: scenario.passed - (graded.get(scenario.scenario_id)?.passed ?? 0),
  }));
}

function examinersOf({ examiners }: RunTallies): ExaminersView | null {
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
