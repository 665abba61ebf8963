import { rateOf, scenariosIn, sumOf, byGroup } from '../../../domain/statistics';
import { bySeverity, examinersOf } from '../statistics-of';
import type { PastResult, PastRun, SevereScenarios } from './agent-history.store';
import type { DifferenceBetween, HistoryPoint } from '../../../../contract/agent-history';

/** Of the intervals, as statistics have them unless they are asked for others. */
const CONFIDENCE = 0.95;
/** Percent of the conversations that need a verdict, as in a comparison. */
const ENOUGH_COVERAGE = 95;
/** Scenario runs of all points together: more would take PostgreSQL seconds. */
const MOST_SCENARIO_RUNS = 200_000;

/** The newest of them, as many as are read in a moment: one at least. */
export function affordable(newestFirst: readonly PastRun[]): readonly PastRun[] {
  let scenarioRuns = 0;
  const end = newestFirst.findIndex(({ total_scenarios }, place) => {
    scenarioRuns += total_scenarios;
    return place > 0 && scenarioRuns > MOST_SCENARIO_RUNS;
  });
  return end < 0 ? newestFirst : newestFirst.slice(0, end);
}

/** The runs of an agent as points of a line, each compared with those before it. */
export class HistoryLine {
  /** Those that have a rate, the oldest first. */
  private readonly seen: Measured[] = [];

  /** @param run later than all before it; one that has ended */
  add(run: PastRun, result: PastResult): HistoryPoint {
    const measured = { run, result, point: pointOf(run, result) };
    const point = { ...measured.point, ...comparabilityOf(measured, this.seen) };
    if (point.graded_pass_rate !== null) this.seen.push(measured);
    return point;
  }
}

type Comparability = 'comparable_to_previous' | 'comparable_to' | 'differs_in';

interface Measured {
  readonly run: PastRun;
  readonly result: PastResult;
  readonly point: Omit<HistoryPoint, Comparability>;
}

function pointOf(run: PastRun, { severe, examiners, scenarios_hash }: PastResult): Omit<HistoryPoint, Comparability> {
  const { status } = run;
  if (status !== 'completed' && status !== 'failed' && status !== 'canceled')
    throw new Error(`A run that is ${status} has not ended.`);
  const sum = (of: (group: SevereScenarios) => number): number => severe.reduce((total, group) => total + of(group), 0);
  // What was left undone is chosen by no rule: a rate of the rest would say nothing about the agent.
  const rate = status === 'completed' ? rateOf(severe, CONFIDENCE) : null;
  const scored = sum((group) => group.scored);
  const total = sum((group) => group.total);
  return {
    test_run_id: run.id,
    label: run.test_run_id,
    name: run.name,
    status,
    derivation: run.derivation,
    modality: run.modality,
    agent_version: run.agent_version,
    agent_config_hash: run.agent_config_hash,
    at: run.at,
    scenarios_hash,
    scenarios: scenariosIn(severe),
    trials: run.trials,
    graded_pass_rate: rate && { value: rate.value * 100, low: rate.low * 100, high: rate.high * 100 },
    mean_score: rate === null || scored === 0 ? null : sum((group) => group.score) / scored,
    must_pass_violations: sum((group) => group.unknown) > 0 ? null : sum((group) => group.violations),
    by_severity: rate === null ? [] : bySeverity(byGroup(severe.flatMap(named), CONFIDENCE)),
    coverage: total === 0 ? 0 : (sumOf(severe).graded / total) * 100,
    examiners: examinersOf({ examiners }),
    baseline: run.is_baseline,
  };
}

function named({ severity, ...group }: SevereScenarios) {
  return severity === null ? [] : [{ name: severity, ...group }];
}

/** @param seen points before it that have a rate, the oldest first */
function comparabilityOf(measured: Measured, seen: readonly Measured[]): Pick<HistoryPoint, Comparability> {
  const previous = seen.at(-1);
  if (measured.point.graded_pass_rate === null || previous === undefined) {
    return { comparable_to_previous: false, comparable_to: null, differs_in: [] };
  }
  const differs = differencesBetween(previous, measured);
  const like = seen.findLast((one) => differencesBetween(one, measured).length === 0);
  return {
    comparable_to_previous: differs.length === 0,
    comparable_to: like?.run.id ?? null,
    differs_in: differs,
  };
}

/**
 * Stricter than a comparison, which names what it doubts: a line through points has no room for doubts. So both runs must have
 * had examiners with the same instructions, and conversations with the same bounds.
 */
function differencesBetween(one: Measured, other: Measured): DifferenceBetween[] {
  const differences: DifferenceBetween[] = [];
  const unless = (isSame: boolean, difference: DifferenceBetween): void => {
    if (!isSame) differences.push(difference);
  };
  unless(one.result.scenarios_hash === other.result.scenarios_hash, 'scenarios');
  unless(one.result.patients.join('\n') === other.result.patients.join('\n'), 'patients');
  unless(one.run.trials === other.run.trials, 'trials');
  const examiners = examinersKey(one);
  unless(examiners !== '' && examiners === examinersKey(other), 'examiners');
  unless(one.run.max_turns === other.run.max_turns, 'max_turns');
  unless(one.run.pass_threshold === other.run.pass_threshold, 'pass_threshold');
  unless(one.run.region === other.run.region, 'region');
  const isAlike = one.run.modality === other.run.modality;
  unless(isAlike, 'modality');
  unless(!isAlike || one.run.sound === other.run.sound, 'spoken');
  unless(Math.min(one.point.coverage, other.point.coverage) >= ENOUGH_COVERAGE, 'coverage');
  return differences;
}

/** Empty when the examiners are unknown. */
function examinersKey({ result: { examiners } }: Measured): string {
  return examiners
    .map(({ tester, judge }) => [tester, judge].map((who) => [who.name, who.model, who.prompt_version]))
    .map((pair) => JSON.stringify(pair))
    .sort()
    .join('\n');
}
