import Table from 'cli-table3';
import pc from 'picocolors';
import { MUST_PASS_TAG } from '../machines/rubric';
import { plainText } from './plain-text';
import type { ScenarioRun, TestRun } from './service-api';

type CriterionResult = NonNullable<ScenarioRun['criteria_results']>[number];

/** Widths of the columns but the last, and the frame around all of them. */
const WIDTHS = [38, 9, 8, 7] as const;
const FRAME = WIDTHS.length + 2;
const LEAST_LAST_WIDTH = 24;
const DEFAULT_TERMINAL_WIDTH = 110;

/** The scenarios of a run as a table, with why each failed. */
export function resultsTable(scenarioRuns: readonly ScenarioRun[], terminalWidth = DEFAULT_TERMINAL_WIDTH): string {
  const used = WIDTHS.reduce((sum, width) => sum + width, FRAME);
  const table = new Table({
    head: ['Scenario', 'Verdict', 'Score', 'Turns', 'First missed criterion'].map((title) => pc.bold(title)),
    colWidths: [...WIDTHS, Math.max(LEAST_LAST_WIDTH, terminalWidth - used)],
    colAligns: ['left', 'left', 'right', 'right', 'left'],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const run of scenarioRuns) {
    const score = run.score_percent === null ? '–' : `${run.score_percent} %`;
    table.push([plainText(run.scenario_name), verdictOf(run), score, run.turns, whatWentWrong(run)]);
  }
  return table.toString();
}

function verdictOf({ status }: ScenarioRun): string {
  if (status === 'passed') return pc.green(status);
  return status === 'failed' ? pc.red(status) : pc.yellow(status);
}

function whatWentWrong(run: ScenarioRun): string {
  if (run.error_message !== null) return plainText(run.error_message);
  const missed = firstMissed(run.criteria_results ?? []);
  if (missed === undefined) return '';
  return plainText(missed.max_points < 0 ? `must not: ${missed.criterion}` : missed.criterion);
}

/** What failed the scenario by itself comes before what only cost points. */
function firstMissed(results: readonly CriterionResult[]): CriterionResult | undefined {
  const missed = results.filter(({ max_points, decision }) => decision === (max_points < 0 ? 'MET' : 'NOT MET'));
  return missed.find(({ tags }) => tags.includes(MUST_PASS_TAG)) ?? missed[0];
}

/** The number at the end, and what it is made of. */
export function passRateLine(run: TestRun): string {
  const parts = [`${run.passed_count} passed`, `${run.failed_count} failed`];
  if (run.error_count > 0) parts.push(`${run.error_count} ended in error`);
  return `Pass rate ${pc.bold(`${run.pass_rate} %`)} (${parts.join(', ')} of ${run.total_scenarios})`;
}
