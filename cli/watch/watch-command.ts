import { Option, type Command } from 'commander';
import { HARMS, harmsCollected, percentage, positiveNumber, runHarm, type Harm } from '../option-values';
import { OPEN, type ReportOptions } from './report-run';
import type { WatchOptions } from './watch-run';

/** The options of a command that follows what is under way. */
interface Given {
  readonly failUnder?: number;
  readonly failOn?: readonly Harm[];
  readonly timeout?: number;
  readonly patience: number;
}

/** How it is followed, and what each run has to reach. */
export interface Watching {
  readonly options: WatchOptions;
  readonly bar: ReportOptions['bar'];
  readonly gate: NonNullable<ReportOptions['gate']>;
}

/** Adds its options to a command, and runs it. @param of what the pass rate is required of, such as ` of each` */
export function withWatchOptions(
  command: Command,
  of: string,
  action: (given: string, watching: Watching, command: Command) => Promise<void>,
): void {
  command
    .option('--fail-under <percent>', `the pass rate that is required${of}: exit with 1 below it`, percentage)
    .addOption(
      new Option(
        '--fail-on <harm>',
        'exit with 1 on must-pass: a missed must-pass criterion; critical or high: that, or a failed scenario of that severity or above',
      )
        .choices([...HARMS])
        .argParser(harmsCollected),
    )
    .option('--timeout <minutes>', 'stop watching when it takes longer, and exit with 2', positiveNumber)
    .option('--patience <seconds>', 'how long the service may be out of reach', positiveNumber, 120)
    .action((given: string, { failUnder, failOn = [], timeout, patience }: Given, self: Command) => {
      const options = { patienceMs: patience * 1_000, timeoutMs: timeout === undefined ? null : timeout * 60_000 };
      return action(given, { options, bar: failUnder ?? null, gate: { ...OPEN, harm: runHarm(failOn) } }, self);
    });
}
