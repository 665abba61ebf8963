import type { Command } from 'commander';
import type { DerivedRun } from '../connection/derived-run-calls';
import { EXIT } from '../exit-codes';
import { percentage, positiveNumber } from '../option-values';
import { oneLine } from '../output/harmless-text';
import { prepareFile } from '../output/save-file';
import type { Session } from '../session';
import { reportRun } from './report-run';
import { startOnce, watchOrCancel } from './started-run';

export interface FollowOptions {
  readonly watch: boolean;
  readonly failUnder?: number;
  readonly junit?: string;
  readonly timeout?: number;
  readonly patience: number;
}

/** The options of every command that begins a derived run. */
export function addFollowOptions(command: Command): Command {
  return command
    .option('-w, --watch', 'follow the run to its end and print its result', true)
    .option('--no-watch', 'answer as soon as the run is stored')
    .option('--fail-under <percent>', 'the bar: exit with 1 when fewer scenarios pass', percentage)
    .option('--junit <file>', 'write the result as JUnit XML when the run is over')
    .option('--timeout <minutes>', 'cancel the run when it takes longer, and exit with 2', positiveNumber)
    .option('--patience <seconds>', 'how long the service may be out of reach', positiveNumber, 120);
}

/**
 * Begins a derived run, says where it comes from, and follows it as `osce run --watch` does.
 * @param source the source of the run, in words
 * @returns the exit code
 */
export async function followDerived(
  session: Session,
  options: FollowOptions,
  source: string,
  begin: (signal: AbortSignal) => Promise<DerivedRun>,
): Promise<number> {
  const { output, interrupts } = session;
  if (options.junit !== undefined) await prepareFile(options.junit);
  const started = await startOnce(session, begin);
  const { test_run_id, scenarios_launched: launched, scenarios_carried: carried } = started;
  const label = oneLine(test_run_id);
  const kept = carried === 0 ? '' : `, ${carried} carried over with their verdicts`;
  output.remark(
    `Run ${label} has started, ${source}: ${launched} scenario run${launched === 1 ? '' : 's'} to carry out${kept}.`,
  );
  if (!options.watch && !interrupts.signal.aborted) {
    output.remark(`Follow it with: osce runs watch ${label}`);
    output.answer(started, (screen) => screen.line(test_run_id));
    return EXIT.passed;
  }
  return reportRun(session, await watchOrCancel(session, started, options), {
    bar: options.failUnder ?? null,
    junit: options.junit ?? null,
  });
}
