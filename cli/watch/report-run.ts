import { lackOfCoverage, tallyMissed } from '../../src/domain';
import { exitOf, gravestOf } from '../comparison/exit-code-of';
import { printComparison } from '../comparison/print-comparison';
import { downloadComparedJunit, downloadExport } from '../connection/download';
import type { Comparison, ScenarioRun, TestRun } from '../connection/answers';
import { EXIT } from '../exit-codes';
import { RefusedFailure } from '../failure';
import type { FailOn, Harm } from '../option-values';
import { oneLine } from '../output/harmless-text';
import { saveFile } from '../output/save-file';
import type { Screen } from '../output/terminal';
import type { Session } from '../session';
import { exitOfHarm, harmIn, printHarm, type HarmReport } from './harm';
import { isOffline, passRateLine, printResults } from './results';
import { verdictOf } from './verdict';

export interface ReportOptions {
  /** Minimum pass rate in percent; null for none. */
  readonly bar: number | null;
  /** Where to write JUnit XML; null for nowhere. */
  readonly junit: string | null;
  readonly gate?: Gate;
}

/** Further requirements of a run. */
export interface Gate {
  /** The run that it is compared with. */
  readonly baseline: TestRun | null;
  /** False when the caller named no run, and the agent's baseline is used. */
  readonly isNamed: boolean;
  /** Null: the comparison is only shown. */
  readonly failOn: FailOn | null;
  /** The harm that the run itself must not show; null for none. */
  readonly harm: Harm | null;
  /** Percent of the conversations that need a verdict; null for as many as have one. */
  readonly minCoverage: number | null;
}

/** Says how a run ended, writes the requested files, and returns the exit code. */
export async function reportRun(
  session: Session,
  run: TestRun,
  { bar, junit, gate = OPEN }: ReportOptions,
): Promise<number> {
  const { api, output } = session;
  const scenarioRuns = await api.scenarioRuns(run.id);
  const { outcome, exitCode: ownCode, sentence } = verdictOf(run, bar);
  const comparison = await comparedWith(session, run, gate);
  const lacking = lackOfCoverage(run, gate.minCoverage);
  const harm = await harmOf(session, scenarioRuns, gate.harm);
  const exitCode = gravestOf([
    ownCode,
    comparison === null ? EXIT.passed : exitOf(comparison, gate.failOn),
    lacking === null ? EXIT.passed : EXIT.harnessFailed,
    harm === null ? EXIT.passed : exitOfHarm(harm),
  ]);
  const answer = {
    ...{ outcome, exit_code: exitCode, fail_under: bar, run, scenario_runs: scenarioRuns },
    ...(comparison && { comparison }),
    ...(harm && { harm: harm.harmed }),
  };
  for (const doubt of comparison?.doubts ?? []) output.warn(oneLine(doubt.sentence));
  output.answer(answer, (screen) => {
    printResults(screen, scenarioRuns);
    screen.line(paintOfVerdict(screen, ownCode, bar)(sentence));
    screen.line(passRateLine(screen, run, tallyMissed(scenarioRuns)));
    if (comparison !== null) {
      if (!gate.isNamed) screen.line(`Compared with the agent’s baseline, ${oneLine(comparison.before.test_run_id)}:`);
      printComparison(screen, comparison);
    }
    if (harm !== null) printHarm(screen, harm, run.trials);
    if (lacking !== null) screen.line(screen.colors.red(lacking));
  });
  if (isOffline(scenarioRuns)) {
    output.warn('The patient or the judge ran on rules, not on a language model: the marks have no clinical meaning.');
  }
  if (run.error_count > 0 && exitCode === 0) {
    output.warn(`${run.error_count} scenarios ended in error and count as not passed.`);
  }
  if (junit !== null) {
    const save = (chunks: AsyncIterable<Uint8Array>): Promise<void> => saveFile(junit, chunks);
    if (comparison === null || gate.baseline === null) await downloadExport(api.http, run.id, 'junit', save);
    else {
      const against = { before: gate.baseline.id, minCoverage: gate.minCoverage };
      await downloadComparedJunit(api.http, run.id, against, save);
    }
    output.remark(`Written: ${junit}`);
  }
  return exitCode;
}

export const OPEN: Gate = { baseline: null, isNamed: false, failOn: null, harm: null, minCoverage: null };

/** A complete run says nothing about the agent: only a bar that was reached is shown as good. */
function paintOfVerdict({ colors }: Screen, code: number, bar: number | null): (text: string) => string {
  if (code !== EXIT.passed) return colors.red;
  return bar === null ? (text) => text : colors.green;
}

/** The harm of the requested kind that a run shows; null when no kind was requested. */
export async function harmOf(
  { api }: Session,
  scenarioRuns: readonly ScenarioRun[],
  asked: Harm | null,
): Promise<HarmReport | null> {
  if (asked === null) return null;
  return harmIn(scenarioRuns, asked === 'must-pass' ? [] : await api.scenarios(), asked);
}

/** Null when there is no run to compare with, or the run was not carried out: its own verdict is then enough. */
async function comparedWith({ api, output }: Session, run: TestRun, gate: Gate): Promise<Comparison | null> {
  const { baseline, minCoverage } = gate;
  if (baseline === null || run.status !== 'completed') return null;
  try {
    return await api.compare(baseline.id, run.id, minCoverage === null ? {} : { minCoverage });
  } catch (error) {
    // A comparison that the caller did not ask for must not cost the result.
    if (gate.isNamed || gate.failOn !== null || !(error instanceof RefusedFailure)) throw error;
    output.warn(`Not compared with the agent’s baseline: ${oneLine(error.message)}`);
    return null;
  }
}
