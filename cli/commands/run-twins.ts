import type { Command } from 'commander';
import { isOver } from '../watch/watch-run';
import { twinsInOrder, wayInWords } from '../../src/domain';
import type { Comparison, TestRun } from '../connection/run-answers';
import { findRun } from '../named-resources';
import { oneLine } from '../output/harmless-text';
import { tableOf } from '../output/table';
import type { Host, Session } from '../session';

/** More than the lines there are, each with noise and without. */
const MOST_COMPARED = 12;

const EXAMPLES = `
One line for each way in which the same conversations were held: in text, over each line, with noise. The difference is from the first line,
over the pairs of conversations that both have a verdict of, and its p-value is adjusted for all lines together; osce compare FIRST OTHER --twins
says more, such as which kinds of criteria were met less well. Start another: osce run --twin-of RUN.

Examples:
  $ osce runs twins latest
  $ osce runs twins run_20270130090000_1f0c9a2e --json`;

/** Adds `twins` to the commands of runs. */
export function addRunTwinsCommand(runs: Command, host: Host): void {
  runs
    .command('twins <run>')
    .description('Show a run beside its twins: what voice costs, and what each line does.')
    .addHelpText('after', EXAMPLES)
    .action((run: string, _: object, command: Command) => host.run(command, (session) => showTwins(session, run)));
}

interface Way {
  readonly run: TestRun;
  readonly way: string;
  /** Of this one against the first; null for the first, and where one of the two has not ended. */
  readonly comparison: Comparison | null;
}

async function showTwins({ api, output }: Session, named: string): Promise<void> {
  const run = await findRun(api, named);
  const { runs } = await api.testRuns(100, { twin_of: run.id });
  const family = twinsInOrder(
    [run, ...runs].map((one) => ({ run: one, spoken: one.spoken ?? null, created_at: one.created_at ?? '' })),
  );
  const [first] = family;
  const ways: Way[] = [];
  for (const [place, { run: one, spoken }] of family.entries()) {
    const isCompared = first !== undefined && place > 0 && place <= MOST_COMPARED && isOver(first.run) && isOver(one);
    const comparison = isCompared ? await api.compare(first.run.id, one.id, { asTwins: true }) : null;
    ways.push({ run: one, way: wayInWords(spoken), comparison });
  }
  const answer = ways.map(({ run: one, way, comparison }) => ({
    ...{
      way,
      id: one.id,
      test_run_id: one.test_run_id,
      status: one.status,
      graded_pass_rate: one.graded_pass_rate ?? null,
    },
    twins: comparison?.twins ?? null,
    tests: comparison?.tests ?? null,
  }));
  output.answer({ twins: answer }, (screen) => {
    if (ways.length === 1) {
      screen.line(
        `${oneLine(run.test_run_id)} has no twins. Start one: osce run --twin-of ${oneLine(run.test_run_id)}`,
      );
      return;
    }
    screen.line(
      tableOf<Way>(
        screen,
        [
          { title: 'Held', cell: ({ way }) => oneLine(way), flexible: true },
          { title: 'Run', cell: ({ run: one }) => one.test_run_id },
          { title: 'Passed', cell: ({ run: one }) => rateOf(one), align: 'right' },
          {
            title: `Points, from ${first === undefined ? '' : wayInWords(first.spoken)}`,
            cell: differenceOf,
            align: 'right',
          },
        ],
        ways,
      ),
    );
    const adjustment = ways.find(({ comparison }) => comparison !== null)?.comparison?.twins?.adjustment ?? '';
    if (adjustment !== '') screen.line(oneLine(adjustment));
  });
}

/** `75 % (41 to 93)`; the status of a run that has no rate. */
function rateOf({ status, graded_pass_rate: rate }: TestRun): string {
  if (rate === null || rate === undefined) return status;
  const [value, low, high] = [rate.value, rate.low, rate.high].map(Math.round);
  return `${value} % (${low} to ${high})`;
}

function differenceOf({ comparison }: Way): string {
  const passed = comparison?.tests.find(({ on }) => on === 'passed');
  const { difference = null, low = null, high = null, adjusted_p_value: p = null } = passed ?? {};
  if (difference === null || low === null || high === null) return '';
  const interval = `${signed(difference)} (${signed(low)} to ${signed(high)})`;
  return p === null ? `${interval}, too few` : `${interval}, adjusted p ${Number(p.toPrecision(2))}`;
}

function signed(points: number): string {
  const rounded = Math.round(points);
  if (rounded === 0) return '0';
  return `${rounded > 0 ? '+' : '−'}${Math.abs(rounded)}`;
}
