import { Option, type Command } from 'commander';
import { exitOf, gravestOf } from '../comparison/exit-code-of';
import { printComparison } from '../comparison/print-comparison';
import { printTwins } from '../comparison/print-twins';
import type { TestRun } from '../connection/run-answers';
import { EXIT } from '../exit-codes';
import { CommandFailure } from '../failure';
import { findRun } from '../named-resources';
import { comparisonHarm, failOnCollected, percentage, runHarm, type FailOn, type Harm } from '../option-values';
import { oneLine } from '../output/harmless-text';
import type { Host, Session } from '../session';
import { exitOfHarm, printHarm } from '../watch/harm';
import { harmOf } from '../watch/report-run';
import { passRateLine, titleOf } from '../watch/results';

const EXAMPLES = `
The verdict is better, worse, mixed, no evidence of a change, or that these runs cannot tell. It rests on how often scenarios passed,
what they scored, and how many must-pass criteria were violated. Only scenarios that were graded in both runs with the same text and
rubric are compared. One run alone is compared with its agent's baseline: osce agents baseline --help

--fail-on takes what osce run takes: worse; violation (worse, or a must-pass criterion violated that was met before); and, for the
second run alone, must-pass, critical and high. Separate several with commas. A mixed verdict counts as worse: an improvement does not
make up for harm.

Exit codes: 0 compared; with --fail-on, 0 no harm is shown, 1 harm is shown, 2 these runs cannot tell.

Examples:
  $ osce compare run_20270130090000_1f0c9a2e latest
  $ osce compare run_20270130090000_1f0c9a2e latest --fail-on violation --json
  $ osce compare latest
  $ osce compare "$IN_TEXT" "$BY_VOICE" --twins`;

interface CompareOptions {
  readonly failOn?: readonly (FailOn | Harm)[];
  readonly failOnWorse?: boolean;
  readonly confidence?: number;
  readonly minCoverage?: number;
  readonly twins?: boolean;
}

export function addCompareCommand(program: Command, host: Host): void {
  program
    .command('compare')
    .argument('<before>', 'the run to compare with; default: the agent’s baseline')
    .argument('[after]', 'the run to compare with it')
    .usage('[options] [before] <after>')
    .summary('show whether an agent got better or worse between two runs')
    .description('Compare two runs: whether the agent got better or worse, in which scenarios, and by which criteria.')
    .addOption(
      new Option(
        '--fail-on <harm>',
        'worse, violation, must-pass, critical or high: exit with 1 on it, and with 2 when these runs cannot tell',
      ).argParser(failOnCollected),
    )
    .addOption(new Option('--fail-on-worse', 'the same as --fail-on worse').conflicts('failOn'))
    .option(
      '--confidence <percent>',
      'confidence level of the verdict and the interval, from 50 to below 100 (default 95)',
      percentage,
    )
    .option(
      '--min-coverage <percent>',
      'share of the conversations of each run that need a verdict (default 95)',
      percentage,
    )
    .option('--twins', 'as twins, pair by pair: refused where the second was not started with --twin-of or --both')
    .addHelpText('after', EXAMPLES)
    .action((before: string, after: string | undefined, options: CompareOptions, command: Command) =>
      host.run(command, (session) => compare(session, before, after, options)),
    );
}

async function compare(
  session: Session,
  first: string,
  second: string | undefined,
  options: CompareOptions,
): Promise<number> {
  const { api, output } = session;
  const after = await findRun(api, second ?? first);
  const before = second === undefined ? await baselineFor(api, after) : await findRun(api, first);
  const comparison = await api.compare(before.id, after.id, { ...options, asTwins: options.twins ?? false });
  for (const { sentence } of comparison.doubts) output.warn(oneLine(sentence));
  const failOn = options.failOn ?? (options.failOnWorse === true ? (['worse'] as const) : []);
  const asked = runHarm(failOn);
  const harm = asked === null ? null : await harmOf(session, await api.scenarioRuns(after.id), asked);
  output.answer({ ...comparison, ...(harm && { harm: harm.harmed }) }, (screen) => {
    for (const [side, run] of [['Before: ', before] as const, ['After:  ', after] as const]) {
      screen.line(`${side}${titleOf(run)}, ${oneLine(run.agent_name)}. ${passRateLine(screen, run)}`);
    }
    printComparison(screen, comparison);
    printTwins(screen, comparison);
    if (harm !== null) printHarm(screen, harm, after.trials);
  });
  return gravestOf([exitOf(comparison, comparisonHarm(failOn)), harm === null ? EXIT.passed : exitOfHarm(harm)]);
}

async function baselineFor(
  api: Session['api'],
  { agent_name, test_run_id, baseline_test_run_id }: TestRun,
): Promise<TestRun> {
  if (baseline_test_run_id !== null && baseline_test_run_id !== undefined) return api.testRun(baseline_test_run_id);
  throw new CommandFailure(
    `${oneLine(test_run_id)} has no baseline to be compared with: name both runs, or another run of ${oneLine(agent_name)} ` +
      'as its baseline with osce agents baseline.',
  );
}
