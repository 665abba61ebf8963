import type { Command } from 'commander';
import { doubtsAbout } from '../../machines/comparison-doubts';
import {
  CHANGE_WORDS,
  compareRuns,
  gradedInBoth,
  type Change,
  type ComparedScenario,
} from '../../machines/run-comparison';
import type { ScenarioRun, TestRun } from '../connection/answers';
import { EXIT } from '../exit-codes';
import { findRun } from '../named-resources';
import { oneLine } from '../output/harmless-text';
import { tableOf } from '../output/table';
import type { Screen } from '../output/terminal';
import type { Host, Session } from '../session';
import { passRateLine, percent, titleOf } from '../watch/results';

const EXAMPLES = `
Exit codes: 0 compared; with --fail-on-worse, 1 when any scenario got worse, and 2 when not one scenario could be compared.
Only scenarios that were graded in both runs are compared: errors and cancellations say nothing about the agent.

Examples:
  $ osce compare run_20270130090000_1f0c9a2e latest
  $ osce compare run_20270130090000_1f0c9a2e latest --fail-on-worse --json`;

interface CompareOptions {
  readonly all?: boolean;
  readonly failOnWorse?: boolean;
}

interface Examined {
  readonly run: TestRun;
  readonly scenarioRuns: readonly ScenarioRun[];
}

export function addCompareCommand(program: Command, host: Host): void {
  program
    .command('compare <before> <after>')
    .summary('what got better and what got worse between two runs')
    .description('Compare two runs, scenario by scenario: what got better, what got worse, and by which criteria.')
    .option('--all', 'also list scenarios with the same outcome')
    .option('--fail-on-worse', 'exit with 1 when any scenario got worse')
    .addHelpText('after', EXAMPLES)
    .action((before: string, after: string, options: CompareOptions, command: Command) =>
      host.run(command, (session) => compare(session, before, after, options)),
    );
}

type Compared = ComparedScenario<ScenarioRun>;

async function compare(session: Session, first: string, second: string, options: CompareOptions): Promise<number> {
  const { output } = session;
  const before = await examined(session, first);
  const after = await examined(session, second);
  const scenarios = compareRuns(before.scenarioRuns, after.scenarioRuns);
  const doubts = doubtsAbout(before, after);
  const counts = countsOf(scenarios);
  const both = gradedInBoth(scenarios);
  for (const doubt of doubts) output.warn(doubt);
  const answer = {
    before: before.run,
    after: after.run,
    pass_rate_change: Math.round((after.run.pass_rate - before.run.pass_rate) * 100) / 100,
    graded_in_both: both,
    counts,
    doubts,
    scenarios: scenarios.map((one) => ({ ...one, before: markOf(one.before), after: markOf(one.after) })),
  };
  output.answer(answer, (screen) => {
    screen.line(
      `Before: ${titleOf(before.run)}, ${oneLine(before.run.agent_name)}. ${passRateLine(screen, before.run)}`,
    );
    screen.line(`After:  ${titleOf(after.run)}, ${oneLine(after.run.agent_name)}. ${passRateLine(screen, after.run)}`);
    const shown = options.all === true ? scenarios : scenarios.filter(({ change }) => change !== 'same');
    if (shown.length > 0) screen.line(comparisonTable(screen, shown));
    screen.line(
      `Of ${both.scenarios} graded in both, ${both.passed_before} passed before and ${both.passed_after} after.`,
    );
    screen.line(`${counts.better} better, ${counts.worse} worse, ${counts.same} the same${otherText(scenarios)}.`);
  });
  if (options.failOnWorse !== true) return EXIT.passed;
  if (both.scenarios === 0) {
    output.warn('No scenario was graded in both runs: they cannot be compared.');
    return EXIT.harnessFailed;
  }
  return counts.worse > 0 ? EXIT.belowBar : EXIT.passed;
}

async function examined({ api }: Session, given: string): Promise<Examined> {
  const run = await findRun(api, given);
  return { run, scenarioRuns: await api.scenarioRuns(run.id) };
}

function countsOf(scenarios: readonly Compared[]): Record<Change, number> {
  const counts = { better: 0, worse: 0, same: 0, not_comparable: 0 };
  for (const { change } of scenarios) counts[change] += 1;
  return counts;
}

/** `, 3 not comparable (2 error after, 1 only before)`, or nothing. */
function otherText(scenarios: readonly Compared[]): string {
  const reasons = new Map<string, number>();
  for (const { reason } of scenarios) if (reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const count = [...reasons.values()].reduce((sum, one) => sum + one, 0);
  if (count === 0) return '';
  const parts = [...reasons].map(([reason, number]) => `${number} ${oneLine(reason)}`);
  return `, ${count} ${CHANGE_WORDS.not_comparable} (${parts.join('; ')})`;
}

function comparisonTable(screen: Screen, scenarios: readonly Compared[]): string {
  const { colors } = screen;
  const paint: Partial<Record<Change, (text: string) => string>> = { better: colors.green, worse: colors.red };
  return tableOf<Compared>(
    screen,
    [
      {
        title: 'Change',
        cell: ({ change }) => CHANGE_WORDS[change],
        paint: (text, { change }) => (paint[change] ?? colors.yellow)(text),
      },
      { title: 'Scenario', cell: ({ name }) => name },
      { title: 'Before', cell: ({ before }) => markText(before) },
      { title: 'After', cell: ({ after }) => markText(after) },
      { title: 'Criteria', cell: criteriaText, flexible: true },
    ],
    scenarios,
  );
}

interface Mark {
  readonly scenario_run_id: string;
  readonly status: string;
  readonly score_percent: number | null;
}

function markOf(run: ScenarioRun | null): Mark | null {
  return run && { scenario_run_id: run.id, status: run.status, score_percent: run.score_percent };
}

function markText(run: ScenarioRun | null): string {
  if (run === null) return '';
  return run.score_percent === null ? run.status : `${run.status} ${percent(run.score_percent)}`;
}

function criteriaText({ lost, won, reason }: Compared): string {
  return (
    reason ?? [...lost.map((criterion) => `- ${criterion}`), ...won.map((criterion) => `+ ${criterion}`)].join('; ')
  );
}
