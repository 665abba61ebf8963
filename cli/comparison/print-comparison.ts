import type { Comparison } from '../connection/run-answers';
import { oneLine } from '../output/harmless-text';
import { tableOf } from '../output/table';
import type { Screen } from '../output/terminal';

const MOST_SCENARIOS = 100;
/** The most scenarios listed where only the score moved, as it does by chance in most. */
const MOST_SCORED = 20;
const MOST_VIOLATIONS = 20;
const CRITERIA_EACH = 3;

interface Row {
  readonly change: 'worse' | 'better';
  readonly name: string;
  readonly passed: string;
  readonly score: string;
  readonly criteria: string;
}

/** Prints the comparison of two runs, with the verdict last: a reader looks there first. */
export function printComparison(screen: Screen, comparison: Comparison): void {
  const { colors } = screen;
  const { worse, better } = comparison;
  const [shownWorse, shownBetter] = [mostOf(worse), mostOf(better)];
  const rows = [...rowsOf(comparison, 'worse', shownWorse), ...rowsOf(comparison, 'better', shownBetter)];
  if (rows.length > 0) screen.line(tableOfRows(screen, rows));
  const rest = worse.length + better.length - rows.length;
  if (rest > 0) screen.line(`${rest} more moved, most of them by their score alone: --json gives all of them.`);
  const { new_must_pass_violations: violations } = comparison;
  for (const { scenario_name, trial, criterion, kind } of violations.slice(0, MOST_VIOLATIONS)) {
    const what = kind === 'committed' ? 'did' : 'missed';
    screen.line(
      `${colors.red('New must-pass violation')}: ${oneLine(scenario_name)}, trial ${trial}: ${what}: ${oneLine(criterion)}`,
    );
  }
  if (violations.length > MOST_VIOLATIONS) screen.line(`${violations.length - MOST_VIOLATIONS} more new violations.`);
  screen.line(oneLine(comparison.criteria_summary.sentence));
  screen.line(movedText(comparison));
  screen.line(paintOf(screen, comparison.verdict)(oneLine(comparison.sentence)));
}

/** A scenario of which only the score moved counts as worse or better, but not as passed less or more often. */
export function movedText({ scenarios: { compared }, worse, better }: Comparison): string {
  const inPasses = (all: Comparison['worse']): number => all.filter(hasPassMoved).length;
  return (
    `Of ${compared} scenarios compared, ${worse.length} worse (${inPasses(worse)} passed less often), ` +
    `${better.length} better (${inPasses(better)} passed more often), ${compared - worse.length - better.length} the same.`
  );
}

function hasPassMoved({ before, after }: Comparison['worse'][number]): boolean {
  return before !== after;
}

/** Those whose pass share moved come first. */
function mostOf(scenarios: Comparison['worse']): Comparison['worse'] {
  const passed = scenarios.filter(hasPassMoved);
  return scenarios.slice(0, Math.min(MOST_SCENARIOS, Math.max(passed.length, MOST_SCORED)));
}

function paintOf({ colors }: Screen, verdict: string): (text: string) => string {
  if (verdict === 'worse' || verdict === 'mixed') return colors.red;
  return verdict === 'better' ? colors.green : colors.yellow;
}

function rowsOf({ criteria }: Comparison, change: Row['change'], scenarios: Comparison['worse']): Row[] {
  return scenarios.map(({ scenario_id, scenario_name, before, after, score_before, score_after }) => {
    const changed = criteria
      .filter((one) => one.scenario_id === scenario_id && one.after < one.before === (change === 'worse'))
      .map(({ criterion }) => `${change === 'worse' ? '-' : '+'} ${criterion}`);
    const rest = changed.length - CRITERIA_EACH;
    const shown = [...changed.slice(0, CRITERIA_EACH), ...(rest > 0 ? [`and ${rest} more`] : [])];
    return {
      change,
      name: scenario_name,
      passed: movement(before * 100, after * 100),
      score: movement(score_before, score_after),
      criteria: shown.join('; '),
    };
  });
}

function tableOfRows(screen: Screen, rows: readonly Row[]): string {
  return tableOf<Row>(
    screen,
    [
      { title: 'Change', cell: ({ change }) => change, paint: (text, { change }) => paintOf(screen, change)(text) },
      { title: 'Scenario', cell: ({ name }) => name },
      { title: 'Passed', cell: ({ passed }) => passed, align: 'right' },
      { title: 'Score', cell: ({ score }) => score, align: 'right' },
      { title: 'Criteria', cell: ({ criteria }) => criteria, flexible: true },
    ],
    rows,
  );
}

/** Percent; an empty text where there is no value. */
export function movement(before: number | null, after: number | null): string {
  if (before === null || after === null) return '';
  const [was, is] = [before, after].map((value) => Math.round(value * 10) / 10);
  return was === is ? `${is} %` : `${was} → ${is} %`;
}
