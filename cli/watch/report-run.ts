import { downloadExport } from '../connection/download';
import type { TestRun } from '../connection/answers';
import { saveFile } from '../output/save-file';
import type { Session } from '../session';
import { isOffline, passRateLine, printResults } from './results';
import { verdictOf } from './verdict';

export interface ReportOptions {
  /** Minimum pass rate in percent; null for none. */
  readonly bar: number | null;
  /** Where to write JUnit XML; null for nowhere. */
  readonly junit: string | null;
}

/** Says how a run ended, writes the requested files, and returns the exit code. */
export async function reportRun(session: Session, run: TestRun, { bar, junit }: ReportOptions): Promise<number> {
  const { api, output } = session;
  const scenarioRuns = await api.scenarioRuns(run.id);
  const { outcome, exitCode, sentence } = verdictOf(run, bar);
  const answer = { outcome, exit_code: exitCode, fail_under: bar, run, scenario_runs: scenarioRuns };
  output.answer(answer, (screen) => {
    printResults(screen, scenarioRuns);
    screen.line(passRateLine(screen, run));
    const paint = exitCode === 0 ? screen.colors.green : screen.colors.red;
    screen.line(paint(sentence));
  });
  if (isOffline(scenarioRuns)) {
    output.warn('The patient or the judge ran on rules, not on a language model: the marks have no clinical meaning.');
  }
  if (run.error_count > 0 && exitCode === 0) {
    output.warn(`${run.error_count} scenarios ended in error and count as not passed.`);
  }
  if (junit !== null) {
    await downloadExport(api.http, run.id, 'junit', (chunks) => saveFile(junit, chunks));
    output.remark(`Written: ${junit}`);
  }
  return exitCode;
}
