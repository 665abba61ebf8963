import { isMustPass, missedOf } from '../../src/domain';
import type { Scenario } from '../connection/answers';
import type { CriterionResult, ScenarioRun } from '../connection/run-answers';
import { EXIT } from '../exit-codes';
import type { Harm } from '../option-values';
import { oneLine } from '../output/harmless-text';
import type { Screen } from '../output/terminal';

/** One criterion, or one scenario, on which a gate fails. */
export interface Harmed {
  readonly scenario_run_id: string;
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly trial: number;
  /** The current severity of the scenario; null when it is no longer active. */
  readonly severity: string | null;
  /** Null for a failed scenario in which no criterion was missed entirely. */
  readonly criterion: string | null;
  readonly must_pass: boolean;
  /** `missed`: the agent did not do what earns points. `committed`: it did what costs points. */
  readonly kind: 'missed' | 'committed' | 'failed';
  /** Where the evidence stands, from 1; null when there is none, as for what was never said. */
  readonly turn: number | null;
}

export interface HarmReport {
  readonly asked: Harm;
  readonly harmed: readonly Harmed[];
  /** Failed scenarios of unknown severity, since they no longer exist. */
  readonly unknown: number;
}

const SEVERITIES: Readonly<Record<Harm, readonly string[]>> = {
  'must-pass': [],
  critical: ['critical'],
  high: ['critical', 'high'],
};

/** @param scenarios the active ones, for their severity; not needed for `must-pass` */
export function harmIn(scenarioRuns: readonly ScenarioRun[], scenarios: readonly Scenario[], asked: Harm): HarmReport {
  const severities = new Map(scenarios.map(({ scenario_id, severity }) => [scenario_id, severity ?? null]));
  const grave = SEVERITIES[asked];
  let unknown = 0;
  const harmed = scenarioRuns.flatMap((run): Harmed[] => {
    const severity = severities.get(run.scenario_id) ?? null;
    const missed = missedOf(run.criteria_results);
    const mustPass = missed.filter(isMustPass);
    if (run.status === 'failed' && grave.length > 0) {
      if (severity === null && mustPass.length === 0) unknown += 1;
      if (severity !== null && grave.includes(severity)) {
        return missed.length === 0 ? [failed(run, severity)] : missed.map((one) => missedIn(run, severity, one));
      }
    }
    return mustPass.map((one) => missedIn(run, severity, one));
  });
  return { asked, harmed, unknown };
}

/** 1 when there is harm; 2 when it is unknown. */
export function exitOfHarm({ harmed, unknown }: HarmReport): number {
  if (harmed.length > 0) return EXIT.belowBar;
  return unknown > 0 ? EXIT.harnessFailed : EXIT.passed;
}

function missedIn(run: ScenarioRun, severity: string | null, result: CriterionResult): Harmed {
  return {
    ...failed(run, severity),
    criterion: result.criterion,
    must_pass: isMustPass(result),
    kind: result.max_points < 0 ? 'committed' : 'missed',
    turn: result.evidence[0]?.turn ?? null,
  };
}

function failed({ id, scenario_id, scenario_name, trial }: ScenarioRun, severity: string | null): Harmed {
  const what = { scenario_run_id: id, scenario_id, scenario_name, trial, severity };
  return { ...what, criterion: null, must_pass: false, kind: 'failed', turn: null };
}

const MOST_LISTED = 50;

/** Prints what was missed, and the conclusion last. */
export function printHarm(screen: Screen, report: HarmReport, trials: number): void {
  const { harmed, asked } = report;
  for (const one of harmed.slice(0, MOST_LISTED)) screen.line(lineOf(screen, one, trials));
  if (harmed.length > MOST_LISTED) screen.line(`${harmed.length - MOST_LISTED} more: --json gives all of them.`);
  const paint = exitOfHarm(report) === EXIT.passed ? screen.colors.green : screen.colors.red;
  screen.line(paint(`--fail-on ${asked}: ${sentenceOf(report)}`));
}

function lineOf({ colors }: Screen, one: Harmed, trials: number): string {
  const what = one.must_pass ? 'Must-pass' : `Severity ${oneLine(one.severity ?? 'unknown')}`;
  const where = `${oneLine(one.scenario_name)}${trials > 1 ? `, trial ${one.trial}` : ''}`;
  if (one.criterion === null) return `${colors.red(`${what}, failed`)}: ${where}: below its pass threshold`;
  const turn = one.turn === null ? '' : ` (turn ${one.turn})`;
  return `${colors.red(`${what}, ${one.kind}`)}: ${where}: ${oneLine(one.criterion)}${turn}`;
}

function sentenceOf({ asked, harmed, unknown }: HarmReport): string {
  const mustPass = harmed.filter(({ must_pass }) => must_pass).length;
  const scenarioRuns = new Set(
    harmed
      .filter(({ severity }) => severity !== null && SEVERITIES[asked].includes(severity))
      .map(({ scenario_run_id }) => scenario_run_id),
  );
  const grave = asked === 'critical' ? 'of critical severity' : 'of high or critical severity';
  const parts = [
    mustPass === 0
      ? 'no must-pass criterion was missed'
      : `${counted(mustPass, 'must-pass criterion', 'must-pass criteria')} missed`,
    ...(asked === 'must-pass'
      ? []
      : [
          `${scenarioRuns.size === 0 ? 'no scenario' : counted(scenarioRuns.size, 'scenario run', 'scenario runs')} ${grave} failed`,
        ]),
    ...(unknown === 0
      ? []
      : [
          `${counted(unknown, 'failed scenario run', 'failed scenario runs')} of a scenario that no longer exists, so that its severity is unknown`,
        ]),
  ];
  return `${parts.join('; ')}.`;
}

function counted(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`;
}
