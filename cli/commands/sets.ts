import type { Command } from 'commander';
import type { RunSet, TestRun } from '../connection/run-answers';
import { CommandFailure, InterruptedFailure, RefusedFailure } from '../failure';
import { findRun } from '../named-resources';
import { oneLine } from '../output/harmless-text';
import { tableOf } from '../output/table';
import type { Host, Session } from '../session';
import { rateCell } from '../watch/rate';
import { paintOf } from '../watch/results';
import { comparisonsOf, pageOf, printComparisons, reportSet } from '../watch/run-set';
import { withWatchOptions, type Watching } from '../watch/watch-command';
import { watchRuns } from '../watch/watch-run';

const EXAMPLES = `
A SET is its id, or any of its runs: an id, a label such as run_20270131090000_1f0c9a2e, or the word latest.
Start one with several agents: osce run --agent A --agent B

Examples:
  $ osce sets show latest
  $ osce sets watch latest --fail-under 85
  $ osce sets cancel latest`;

export function addSetsCommand(program: Command, host: Host): void {
  const sets = program
    .command('sets')
    .summary('show, follow and cancel runs that were started together')
    .description('Show, follow and cancel the runs of several agents or versions that were started together.')
    .addHelpText('after', EXAMPLES);
  sets
    .command('show <set>')
    .description('Show the runs of a set and, when all have ended, how they compare.')
    .addHelpText('after', '\nExample:\n  $ osce sets show latest')
    .action((given: string, _: object, command: Command) => host.run(command, (session) => show(session, given)));
  withWatchOptions(
    sets
      .command('watch <set>')
      .description('Follow the runs of a set to their end. Ctrl-C leaves them running.')
      .addHelpText('after', '\nExample:\n  $ osce sets watch latest --fail-under 85'),
    ' of each',
    (set, watching, command) => host.run(command, (session) => watch(session, set, watching)),
  );
  sets
    .command('cancel <set>')
    .description('Cancel all runs of a set. Once it returns, nothing more is sent to the agents.')
    .addHelpText('after', '\nExample:\n  $ osce sets cancel latest')
    .action((given: string, _: object, command: Command) => host.run(command, (session) => cancel(session, given)));
}

/** The set with this id, else the set of the run. @throws CommandFailure for a run that was started alone */
async function findSet({ api }: Session, given: string): Promise<RunSet> {
  try {
    return await api.runSet(given);
  } catch (error) {
    if (!(error instanceof RefusedFailure) || error.status !== 404) throw error;
  }
  const { run_set_id: id = null, test_run_id } = await findRun(api, given);
  if (id === null) throw new CommandFailure(`The run ${oneLine(test_run_id)} was started alone: it is in no set.`);
  return api.runSet(id);
}

async function show(session: Session, given: string): Promise<void> {
  const set = await findSet(session, given);
  const comparisons = set.ended ? await comparisonsOf(session, set, null) : null;
  session.output.answer({ ...set, comparisons }, (screen) => {
    if ((set.name ?? '') !== '') screen.line(screen.colors.bold(oneLine(set.name ?? '')));
    screen.line(
      tableOf<RunSet['runs'][number]>(
        screen,
        [
          { title: 'Agent', cell: ({ title }) => title, flexible: true },
          { title: 'Run', cell: ({ test_run_id }) => test_run_id },
          { title: 'Status', cell: ({ status }) => status, paint: (text, { status }) => paintOf(screen, status)(text) },
          { title: 'Pass rate (95 %)', cell: rateCell, align: 'right' },
          { title: 'Graded', cell: gradedOf, align: 'right' },
        ],
        set.runs,
      ),
    );
    if (comparisons !== null) printComparisons(screen, comparisons);
    screen.line(`Side by side: ${pageOf(session, set)}`);
  });
}

function gradedOf({ passed_count, failed_count, total_scenarios }: TestRun): string {
  return `${passed_count + failed_count}/${total_scenarios}`;
}

async function watch(session: Session, given: string, { options, bar, gate }: Watching): Promise<number> {
  const set = await findSet(session, given);
  session.output.remark(`Watching ${set.runs.length} runs: ${pageOf(session, set)}`);
  const runs = set.runs.map(({ title, ...run }) => ({ title, run }));
  const ended = await watchRuns(session, runs, options).catch((error: unknown) => {
    if (!(error instanceof InterruptedFailure)) throw error;
    throw new InterruptedFailure(
      `No longer watching. The runs continue; cancel them with: osce sets cancel ${oneLine(set.id)}`,
    );
  });
  return reportSet(session, set, ended, { bar, junit: null, gates: ended.map(() => gate), minCoverage: null });
}

async function cancel(session: Session, given: string): Promise<void> {
  const { id } = await findSet(session, given);
  const answer = await session.api.cancelRunSet(id);
  const { canceled_scenarios: stopped } = answer;
  session.output.answer(answer, (screen) =>
    screen.line(
      stopped === 0
        ? 'All had ended already.'
        : `Canceled; ${stopped} ${stopped === 1 ? 'scenario was' : 'scenarios were'} not finished.`,
    ),
  );
}
