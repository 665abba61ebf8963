import type { Comparison } from '../connection/answers';
import { oneLine } from '../output/harmless-text';
import { tableOf } from '../output/table';
import type { Screen } from '../output/terminal';

const MOST_SCENARIOS = 100;
const MOST_VIOLATIONS = 20;
const CRITERIA_EACH = 3;

interface Row {
  readonly change: 'worse' | 'better';
  readonly name: string;
  readonly before: number;
  readonly after: number;
  readonly criteria: string;
}

/** What two runs say about a change, the verdict last: there a reader looks first. */
export function printComparison(screen: Screen, comparison: Comparison): void {
  const { colors } = screen;
  const rows = rowsOf(comparison);
  if (rows.length > 0) screen.line(tableOfRows(screen, rows.slice(0, MOST_SCENARIOS)));
  if (rows.length > MOST_SCENARIOS) screen.line(`${rows.length - MOST_SCENARIOS} more: --json gives all of them.`);
  const { new_must_pass_violations: violations } = comparison;
  for (const { scenario_name, trial, criterion, kind } of violations.slice(0, MOST_VIOLATIONS)) {
    const what = kind === 'committed' ? 'did' : 'missed';
    screen.line(
      `${colors.red('New must-pass violation')}: ${oneLine(scenario_name)}, trial ${trial}: ${what}: ${oneLine(criterion)}`,
    );
  }
  if (violations.length > MOST_VIOLATIONS) screen.line(`${violations.length - MOST_VIOLATIONS} more new violations.`);
  const { compared } = comparison.scenarios;
  screen.line(
    `Of ${compared} scenarios compared, ${comparison.worse.length} worse, ${comparison.better.length} better, ` +
      `${compared - comparison.worse.length - comparison.better.length} the same.`,
  );
  screen.line(paintOf(screen, comparison.verdict)(oneLine(comparison.sentence)));
}

function paintOf({ colors }: Screen, verdict: string): (text: string) => string {
  if (verdict === 'worse') return colors.red;
  return verdict === 'better' ? colors.green : colors.yellow;
}

function rowsOf({ worse, better, criteria }: Comparison): Row[] {
  const rowsFor = (change: Row['change'], scenarios: Comparison['worse']): Row[] =>
    scenarios.map(({ scenario_id, scenario_name, before, after }) => {
      const changed = criteria
        .filter((one) => one.scenario_id === scenario_id && one.after < one.before === (change === 'worse'))
        .map(({ criterion }) => `${change === 'worse' ? '-' : '+'} ${criterion}`);
      const rest = changed.length - CRITERIA_EACH;
      const shown = [...changed.slice(0, CRITERIA_EACH), ...(rest > 0 ? [`and ${rest} more`] : [])];
      return { change, name: scenario_name, before, after, criteria: shown.join('; ') };
    });
  return [...rowsFor('worse', worse), ...rowsFor('better', better)];
}

function tableOfRows(screen: Screen, rows: readonly Row[]): string {
  return tableOf<Row>(
    screen,
    [
      { title: 'Change', cell: ({ change }) => change, paint: (text, { change }) => paintOf(screen, change)(text) },
      { title: 'Scenario', cell: ({ name }) => name },
      { title: 'Before', cell: ({ before }) => shareText(before), align: 'right' },
      { title: 'After', cell: ({ after }) => shareText(after), align: 'right' },
      { title: 'Criteria', cell: ({ criteria }) => criteria, flexible: true },
    ],
    rows,
  );
}

function shareText(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`;
}
