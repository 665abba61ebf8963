import type { Command } from 'commander';
import type { HistoryPoint } from '../connection/answers';
import { findAgent, findSuite } from '../named-resources';
import { positiveInteger, timeOfDay } from '../option-values';
import { tableOf } from '../output/table';
import type { Screen } from '../output/terminal';
import type { Host, Session } from '../session';

const SHOWN = 25;

const EXAMPLES = `
A change is shown only between runs over the same scenarios, patients, trials and examiners, with a verdict in at least 95 % of the
conversations: other differences of the rate say nothing about the agent. osce compare says whether a change is more than chance.

Examples:
  $ osce agents history "Triage agent"
  $ osce agents history "Triage agent" --tag emergency --from 2027-01-01
  $ osce agents history "Triage agent" --suite "Release gate" --limit 100`;

interface HistoryOptions {
  readonly suite?: string;
  readonly tag?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

export function addAgentHistoryCommand(agents: Command, host: Host): void {
  agents
    .command('history <agent>')
    .description('Show the results of an agent, run after run, and which runs are comparable.')
    .option('--suite <suite>', 'only runs of this suite, by name or id')
    .option('--tag <tag>', 'count only scenarios that have this tag')
    .option('--from <time>', 'only runs that were started then or later', timeOfDay)
    .option('--to <time>', 'only runs that were started before that', timeOfDay)
    .option('--limit <n>', 'at most this many runs, the newest, up to 200', positiveInteger, SHOWN)
    .addHelpText('after', EXAMPLES)
    .action((given: string, options: HistoryOptions, command: Command) =>
      host.run(command, (session) => showHistory(session, given, options)),
    );
}

async function showHistory({ api, output }: Session, given: string, options: HistoryOptions): Promise<void> {
  const { id } = await findAgent(api, given);
  const { suite: named, limit, ...rest } = options;
  const suite = named === undefined ? undefined : (await findSuite(api, named)).id;
  const answer = await api.agentHistory(id, { ...rest, suite, limit });
  const { points, more } = answer;
  output.answer(answer, (screen) => {
    if (points.length === 0) return screen.line('No matching runs have ended.');
    screen.line(historyTable(screen, points));
    if (points.some(isIncomparable))
      screen.line('Where something other than the agent is named, the rate cannot be compared with the one before.');
    if (more) screen.line('There are older runs: --limit shows up to 200, and --to the ones before a time.');
  });
}

function historyTable(screen: Screen, points: readonly HistoryPoint[]): string {
  const known = new Map(points.map((point) => [point.test_run_id, point]));
  const hasVersions = points.some(({ agent_version }) => agent_version !== null && agent_version !== undefined);
  return tableOf<HistoryPoint>(
    screen,
    [
      { title: 'Started', cell: dayOf },
      { title: 'Run', cell: ({ name, label }) => name ?? label, flexible: true },
      ...(hasVersions ? [{ title: 'Version', cell: ({ agent_version }: HistoryPoint) => agent_version ?? '' }] : []),
      {
        title: 'Examined',
        cell: ({ scenarios, trials }) => (trials === 1 ? String(scenarios) : `${scenarios} × ${trials}`),
        align: 'right',
      },
      { title: 'Pass rate', cell: rateOf, align: 'right' },
      { title: '95 %', cell: intervalOf, align: 'right' },
      { title: 'Coverage', cell: ({ coverage }) => `${rounded(coverage)} %`, align: 'right' },
      {
        title: 'Must-pass',
        cell: ({ must_pass_violations: violations }) => violations ?? '?',
        align: 'right',
        paint: (text, { must_pass_violations: violations }) => (violations === 0 ? text : screen.colors.red(text)),
      },
      {
        title: 'Change',
        cell: (point) => changeOf(point, known.get(point.comparable_to ?? '')),
        paint: (text, { comparable_to }) => (comparable_to === null ? screen.colors.dim(text) : text),
      },
    ],
    points,
  );
}

function isIncomparable({ comparable_to, differs_in }: HistoryPoint): boolean {
  return comparable_to === null && differs_in.length > 0;
}

function dayOf({ at }: HistoryPoint): string {
  return at.slice(0, 10);
}

function rateOf({ graded_pass_rate: rate, status }: HistoryPoint): string {
  if (rate === null) return status === 'completed' ? 'no result' : status;
  return `${rounded(rate.value)} %`;
}

function intervalOf({ graded_pass_rate: rate }: HistoryPoint): string {
  return rate === null ? '' : `${Math.round(rate.low)} to ${Math.round(rate.high)}`;
}

/** @param like the newest earlier run under the same conditions, where it is shown */
function changeOf(
  { graded_pass_rate: rate, comparable_to_previous: isNext, differs_in }: HistoryPoint,
  like: HistoryPoint | undefined,
): string {
  if (rate === null) return '';
  const was = like?.graded_pass_rate ?? null;
  if (like !== undefined && was !== null) {
    const change = rounded(rate.value - was.value);
    const points = change === 0 ? 'the same' : `${change > 0 ? '+' : '−'}${Math.abs(change)} points`;
    return isNext ? points : `${points} since ${dayOf(like)}`;
  }
  return differs_in.length === 0 ? '' : differs_in.map(inWords).join(', ');
}

function inWords(difference: string): string {
  return difference === 'coverage' ? 'too few verdicts' : `other ${difference.replaceAll('_', ' ')}`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
