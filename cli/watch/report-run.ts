import { lackOfCoverage, tallyMissed } from '../../src/domain';
import { exitOf, gravestOf } from '../comparison/exit-code-of';
import { printComparison } from '../comparison/print-comparison';
import { printTwins } from '../comparison/print-twins';
import { downloadComparedJunit, downloadExport } from '../connection/download';
import type { Comparison, ScenarioRun, TestRun } from '../connection/run-answers';
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
  /** The run that it is a twin of, when that has ended too: what the one way costs against the other is then shown. */
  readonly twin?: TestRun;
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

/** What a run that has ended comes to. */
export interface RunResult {
  readonly run: TestRun;
  readonly exitCode: number;
  /** As JSON. */
  readonly answer: object;
  /** What makes a comparison with the baseline doubtful, and the marks; each a sentence. */
  readonly warnings: readonly string[];
  /** The verdict, the rate, and what the gate has found. */
  readonly printSummary: (screen: Screen) => void;
  readonly printScenarios: (screen: Screen) => void;
  /** The run that it was compared with. */
  readonly comparison: Comparison | null;
}

/** Says how a run ended, writes the requested files, and returns the exit code. */
export async function reportRun(session: Session, run: TestRun, options: ReportOptions): Promise<number> {
  const { output } = session;
  const result = await resultOf(session, run, options);
  const { twin, gate = OPEN } = options;
  const pair = twin === undefined ? null : await twinComparison(session, twin, run, gate.minCoverage);
  output.answer({ ...result.answer, ...(pair && { twin_comparison: pair }) }, (screen) => {
    result.printScenarios(screen);
    result.printSummary(screen);
    if (pair !== null) printTwins(screen, pair);
  });
  for (const warning of result.warnings) output.warn(warning);
  if (options.junit !== null) await saveJunit(session, result, options.junit, options.gate);
  return result.exitCode;
}

/** Reads how a run ended, and what that means for its gate. */
export async function resultOf(
  session: Session,
  run: TestRun,
  { bar, gate = OPEN }: Pick<ReportOptions, 'bar' | 'gate'>,
): Promise<RunResult> {
  const scenarioRuns = await session.api.scenarioRuns(run.id);
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
  return {
    run,
    exitCode,
    comparison,
    answer: {
      ...{ outcome, exit_code: exitCode, fail_under: bar, run, scenario_runs: scenarioRuns },
      ...(comparison && { comparison }),
      ...(harm && { harm: harm.harmed }),
    },
    warnings: [
      ...(comparison?.doubts ?? []).map((doubt) => oneLine(doubt.sentence)),
      ...(isOffline(scenarioRuns)
        ? ['The patient or the judge ran on rules, not on a language model: the marks have no clinical meaning.']
        : []),
      ...(run.error_count > 0 && exitCode === EXIT.passed
        ? [`${run.error_count} scenarios ended in error and count as not passed.`]
        : []),
    ],
    printScenarios: (screen) => printResults(screen, scenarioRuns),
    printSummary: (screen) => {
      screen.line(paintOfVerdict(screen, ownCode, bar)(sentence));
      screen.line(passRateLine(screen, run, tallyMissed(scenarioRuns)));
      if (comparison !== null) {
        if (!gate.isNamed) {
          screen.line(`Compared with the agent’s baseline, ${oneLine(comparison.before.test_run_id)}:`);
        }
        printComparison(screen, comparison);
      }
      if (harm !== null) printHarm(screen, harm, run.trials);
      if (lacking !== null) screen.line(screen.colors.red(lacking));
    },
  };
}

/** Writes the result of a run as JUnit XML. */
export async function saveJunit(
  { api, output }: Session,
  { run, comparison }: RunResult,
  file: string,
  { baseline, minCoverage }: Gate = OPEN,
): Promise<void> {
  const save = (chunks: AsyncIterable<Uint8Array>): Promise<void> => saveFile(file, chunks);
  if (comparison === null || baseline === null) await downloadExport(api.http, run.id, 'junit', save);
  else await downloadComparedJunit(api.http, run.id, { before: baseline.id, minCoverage }, save);
  output.remark(`Written: ${file}`);
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

/** Null, with a warning, when one of two twins was deleted meanwhile: their results stay. */
export async function twinComparison(
  { api, output }: Session,
  before: TestRun,
  after: TestRun,
  minCoverage: number | null,
): Promise<Comparison | null> {
  try {
    return await api.compare(before.id, after.id, { asTwins: true, ...(minCoverage !== null && { minCoverage }) });
  } catch (error) {
    if (!(error instanceof RefusedFailure)) throw error;
    output.warn(`The twins were not compared with each other: ${oneLine(error.message)}`);
    return null;
  }
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
