import { gravestOf } from '../comparison/exit-code-of';
import type { SetComparisons, StartedSet } from '../connection/run-answers';
import { EXIT } from '../exit-codes';
import { InterruptedFailure, RefusedFailure } from '../failure';
import { oneLine } from '../output/harmless-text';
import type { Screen } from '../output/terminal';
import type { Session } from '../session';
import { cancelSetOnService } from './cancel-on-service';
import { resultOf, saveJunit, type Gate, type RunResult } from './report-run';
import type { Patience } from './started-run';
import { RunTimeout, watchRuns, type TitledRun } from './watch-run';

export interface SetReportOptions {
  /** Minimum pass rate in percent; null for none. */
  readonly bar: number | null;
  /** Where to write JUnit XML, a file for each run; null for nowhere. */
  readonly junit: string | null;
  /** Of each run, in their order. */
  readonly gates: readonly Gate[];
  readonly minCoverage: number | null;
}

/** Follows runs that this command has started to the end of all; given up by Ctrl-C or the timeout, all are canceled on the service. */
export async function watchSetOrCancel(
  session: Session,
  started: StartedSet,
  options: Patience,
): Promise<readonly TitledRun[]> {
  try {
    const runs: TitledRun[] = [];
    for (const { id, title } of started.runs) {
      const run = await session.api.testRun(id);
      for (const warning of run.warnings) session.output.warn(`${oneLine(title)}: ${oneLine(warning)}`);
      runs.push({ title, run });
    }
    return await watchRuns(session, runs, {
      patienceMs: options.patience * 1_000,
      timeoutMs: options.timeout === undefined ? null : options.timeout * 60_000,
    });
  } catch (error) {
    const isOurs = error instanceof InterruptedFailure || error instanceof RunTimeout;
    if (isOurs) throw await cancelSetOnService(session, started, error);
    session.output.remark(`The runs may continue. Look at ${pageOf(session, started)}`);
    throw error;
  }
}

/** The page of a set. */
export function pageOf({ api }: Session, { id }: Pick<StartedSet, 'id'>): string {
  return `${api.url}/sets/${id}`;
}

interface TitledResult extends RunResult {
  readonly title: string;
}

/** Says how the runs of a set ended and how they compare, writes the requested files, and returns the exit code: each has to hold its gate. */
export async function reportSet(
  session: Session,
  set: Pick<StartedSet, 'id'>,
  ended: readonly TitledRun[],
  { bar, junit, gates, minCoverage }: SetReportOptions,
): Promise<number> {
  const { output } = session;
  const results: TitledResult[] = [];
  for (const [place, { title, run }] of ended.entries()) {
    const gate = gates[place];
    results.push({ title: oneLine(title), ...(await resultOf(session, run, { bar, ...(gate && { gate }) })) });
  }
  const comparisons = await comparisonsOf(session, set, minCoverage);
  const exitCode = gravestOf(results.map((result) => result.exitCode));
  const answer = {
    run_set_id: set.id,
    exit_code: exitCode,
    runs: results.map(({ title, answer: one }) => ({ title, ...one })),
    comparisons,
  };
  output.answer(answer, (screen) => {
    for (const { title, printSummary } of results) {
      screen.line(screen.colors.bold(title));
      printSummary(screen);
      screen.line();
    }
    if (comparisons !== null) printComparisons(screen, comparisons);
    for (const line of failedLines(results)) screen.line(screen.colors.red(line));
    screen.line(`Side by side: ${pageOf(session, set)}`);
  });
  for (const warning of warningsOf(results, comparisons)) output.warn(warning);
  if (junit !== null) {
    for (const [place, result] of results.entries()) {
      await saveJunit(session, result, numbered(junit, place + 1), gates[place]);
    }
  }
  return exitCode;
}

/** Null, with a warning, when a run was deleted meanwhile or the service does not compare sets: the results of the runs stay. */
export async function comparisonsOf(
  { api, output }: Session,
  { id }: Pick<StartedSet, 'id'>,
  minCoverage: number | null,
): Promise<SetComparisons | null> {
  try {
    return await api.compareRunSet(id, minCoverage ?? undefined);
  } catch (error) {
    if (!(error instanceof RefusedFailure)) throw error;
    output.warn(`The runs were not compared with each other: ${oneLine(error.message)}`);
    return null;
  }
}

export function printComparisons(screen: Screen, { sentence, pairs }: SetComparisons): void {
  screen.line(screen.colors.bold(oneLine(sentence)));
  for (const pair of pairs) screen.line(`  ${oneLine(pair.sentence)}`);
}

/** Which of the runs did not hold the gate, and of which nothing can be said. */
function failedLines(results: readonly TitledResult[]): string[] {
  const named = (code: number): string =>
    results
      .filter(({ exitCode }) => exitCode === code)
      .map(({ title }) => title)
      .join('; ');
  const [failed, open] = [named(EXIT.belowBar), named(EXIT.harnessFailed)];
  return [
    ...(failed === '' ? [] : [`Did not hold the gate: ${failed}.`]),
    ...(open === '' ? [] : [`Nothing can be said about: ${open}.`]),
  ];
}

/** Each once, whichever runs and pairs it is about. */
function warningsOf(results: readonly TitledResult[], comparisons: SetComparisons | null): Set<string> {
  const doubts = (comparisons?.pairs ?? []).flatMap((pair) => pair.doubts);
  return new Set([...results.flatMap(({ warnings }) => warnings), ...doubts.map(({ sentence }) => oneLine(sentence))]);
}

/** `results-2.xml` of `results.xml`. */
export function numbered(file: string, number: number): string {
  const ending = /\.[^./\\]+$/.exec(file)?.[0] ?? '';
  return `${file.slice(0, file.length - ending.length)}-${number}${ending}`;
}
