import { gravestOf } from '../comparison/exit-code-of';
import { printTwins } from '../comparison/print-twins';
import type { StartedRun } from '../connection/run-answers';
import { EXIT } from '../exit-codes';
import { InterruptedFailure } from '../failure';
import { oneLine } from '../output/harmless-text';
import type { Session } from '../session';
import { cancelRunsOnService } from './cancel-on-service';
import { resultOf, saveJunit, twinComparison, type Gate, type RunResult } from './report-run';
import { numbered } from './run-set';
import type { Patience } from './started-run';
import { RunTimeout, watchRuns, type TitledRun } from './watch-run';

/** A run of a pair that this command has started, and how it is held. */
export interface StartedTwin {
  readonly title: string;
  readonly started: StartedRun;
}

/** Follows twins to the end of both; given up by Ctrl-C or the timeout, both are canceled on the service. */
export async function watchTwinsOrCancel(
  session: Session,
  twins: readonly StartedTwin[],
  options: Patience,
): Promise<readonly TitledRun[]> {
  try {
    const runs: TitledRun[] = [];
    for (const { title, started } of twins) {
      const run = await session.api.testRun(started.id);
      for (const warning of run.warnings) session.output.warn(`${title}: ${oneLine(warning)}`);
      runs.push({ title, run });
    }
    return await watchRuns(session, runs, {
      patienceMs: options.patience * 1_000,
      timeoutMs: options.timeout === undefined ? null : options.timeout * 60_000,
    });
  } catch (error) {
    const runs = twins.map(({ started }) => started);
    const isOurs = error instanceof InterruptedFailure || error instanceof RunTimeout;
    if (isOurs) throw await cancelRunsOnService(session, runs, error);
    for (const { test_run_id } of runs) {
      session.output.remark(`The run may continue. Check with: osce runs show ${oneLine(test_run_id)}`);
    }
    throw error;
  }
}

export interface PairOptions {
  /** Minimum pass rate of each in percent; null for none. */
  readonly bar: number | null;
  /** Where to write JUnit XML, a file for each run; null for nowhere. */
  readonly junit: string | null;
  /** Of each run, in their order. */
  readonly gates: readonly Gate[];
  readonly minCoverage: number | null;
}

/**
 * Says how each of two twins ended and then what the one way costs against the other.
 * @param ended the run to measure by comes first
 * @returns the exit code: each has to hold its gate, and the difference is only shown
 */
export async function reportPair(
  session: Session,
  ended: readonly TitledRun[],
  { bar, junit, gates, minCoverage }: PairOptions,
): Promise<number> {
  const { output } = session;
  const results: (RunResult & { readonly title: string })[] = [];
  for (const [place, { title, run }] of ended.entries()) {
    const gate = gates[place];
    results.push({ title, ...(await resultOf(session, run, { bar, ...(gate && { gate }) })) });
  }
  const [first, second] = ended;
  const comparison =
    first === undefined || second === undefined
      ? null
      : await twinComparison(session, first.run, second.run, minCoverage);
  const exitCode = gravestOf(results.map((result) => result.exitCode));
  const answer = {
    exit_code: exitCode,
    runs: results.map(({ title, answer: one }) => ({ title, ...one })),
    comparison,
  };
  output.answer(answer, (screen) => {
    for (const { title, printSummary, exitCode: own } of results) {
      screen.line(screen.colors.bold(title));
      printSummary(screen);
      if (own !== EXIT.passed) screen.line(screen.colors.red(`${title}: the gate is not held.`));
      screen.line();
    }
    if (comparison !== null) printTwins(screen, comparison);
  });
  for (const warning of new Set(results.flatMap(({ warnings }) => warnings))) output.warn(warning);
  if (junit !== null) {
    for (const [place, result] of results.entries()) {
      await saveJunit(session, result, numbered(junit, place + 1), gates[place]);
    }
  }
  return exitCode;
}
