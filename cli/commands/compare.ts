import type { Command } from 'commander';
import { doubtsAbout } from '../compare/comparability';
import { compareRuns, type Change, type ComparedScenario, type Mark } from '../compare/comparison';
import type { ScenarioRun, TestRun } from '../connection/answers';
import { EXIT } from '../exit-codes';
import { findRun } from '../named-resources';
import { oneLine } from '../output/harmless-text';
import { tableOf } from '../output/table';
import type { Screen } from '../output/terminal';
import type { Host, Session } from '../session';
import { passRateLine, percent, titleOf } from '../watch/results';

const EXAMPLES = `
Exit codes: 0 compared; with --fail-on-worse, 1 when any scenario got worse; 2 it could not be compared.

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
    .option('--all', 'also list scenarios that fared the same')
    .option('--fail-on-worse', 'exit with 1 when any scenario got worse')
    .addHelpText('after', EXAMPLES)
    .action((before: string, after: string, options: CompareOptions, command: Command) =>
      host.run(command, (session) => compare(session, before, after, options)),
    );
}

async function compare(session: Session, first: string, second: string, options: CompareOptions): Promise<number> {
  const { output } = session;
  const before = await examined(session, first);
  const after = await examined(session, second);
  const scenarios = compareRuns(before.scenarioRuns, after.scenarioRuns);
  const doubts = doubtsAbout(before, after);
  const counts = countsOf(scenarios);
  for (const doubt of doubts) output.warn(doubt);
  const rateChange = Math.round((after.run.pass_rate - before.run.pass_rate) * 100) / 100;
  const answer = { before: before.run, after: after.run, pass_rate_change: rateChange, counts, doubts, scenarios };
  output.answer(answer, (screen) => {
    screen.line(
      `Before: ${titleOf(before.run)}, ${oneLine(before.run.agent_name)}. ${passRateLine(screen, before.run)}`,
    );
    screen.line(`After:  ${titleOf(after.run)}, ${oneLine(after.run.agent_name)}. ${passRateLine(screen, after.run)}`);
    const shown = options.all === true ? scenarios : scenarios.filter(({ change }) => change !== 'same');
    if (shown.length > 0) screen.line(comparisonTable(screen, shown));
    screen.line(`${counts.better} better, ${counts.worse} worse, ${counts.same} the same${othersOf(counts)}.`);
  });
  return options.failOnWorse === true && counts.worse > 0 ? EXIT.belowBar : EXIT.passed;
}

async function examined({ api }: Session, given: string): Promise<Examined> {
  const run = await findRun(api, given);
  return { run, scenarioRuns: await api.scenarioRuns(run.id) };
}

function countsOf(scenarios: readonly ComparedScenario[]): Record<Change, number> {
  const counts = { better: 0, worse: 0, same: 0, unknown: 0, only_before: 0, only_after: 0 };
  for (const { change } of scenarios) counts[change] += 1;
  return counts;
}

function othersOf({ unknown, only_before, only_after }: Readonly<Record<Change, number>>): string {
  const parts = [
    ...(unknown > 0 ? [`${unknown} without a verdict in one of them`] : []),
    ...(only_before > 0 ? [`${only_before} only before`] : []),
    ...(only_after > 0 ? [`${only_after} only after`] : []),
  ];
  return parts.map((part) => `, ${part}`).join('');
}

function comparisonTable(screen: Screen, scenarios: readonly ComparedScenario[]): string {
  const { colors } = screen;
  const paint: Partial<Record<Change, (text: string) => string>> = { better: colors.green, worse: colors.red };
  return tableOf<ComparedScenario>(
    screen,
    [
      {
        title: 'Change',
        cell: ({ change }) => WORDS[change],
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

const WORDS: Readonly<Record<Change, string>> = {
  better: 'better',
  worse: 'worse',
  same: 'same',
  unknown: 'unknown',
  only_before: 'only before',
  only_after: 'only after',
};

function markText(mark: Mark | null): string {
  if (mark === null) return '';
  return mark.score_percent === null ? mark.status : `${mark.status} ${percent(mark.score_percent)}`;
}

function criteriaText({ lost, won }: ComparedScenario): string {
  return [...lost.map((criterion) => `- ${criterion}`), ...won.map((criterion) => `+ ${criterion}`)].join('; ');
}
