import { kindInWords } from '../../src/domain';
import type { Comparison } from '../connection/run-answers';
import { oneLine } from '../output/harmless-text';
import { tableOf } from '../output/table';
import type { Screen } from '../output/terminal';
import { movement } from './print-comparison';

interface Row {
  readonly name: string;
  readonly passed: string;
  readonly difference: string;
  readonly chance: string;
}

/** Prints what one way of holding the conversations costs against the other, with the sentence last; nothing for runs that are no twins. */
export function printTwins(screen: Screen, { twins, groups, by_category: categories }: Comparison): void {
  if (twins === null || twins === undefined) return;
  const rows: Row[] = [
    ...twins.criteria.map((kind) => rowOf(oneLine(kindInWords(kind)), kind)),
    ...groups.map((kind) => rowOf(`criteria: ${kind.group ?? 'without a tag'}`, kind)),
    ...categories.map(({ category, before, after, value, low, high }) => ({
      name: `scenarios: ${category ?? 'no longer there'}`,
      passed: movement(before * 100, after * 100),
      difference: signed(value),
      chance: `${signed(low)} to ${signed(high)}`,
    })),
  ];
  if (rows.length > 0) screen.line(tableOfRows(screen, `${oneLine(twins.before)} → ${oneLine(twins.after)}`, rows));
  screen.line(pairsText(twins));
  if (twins.adjustment !== '') screen.line(oneLine(twins.adjustment));
  screen.line(screen.colors.bold(oneLine(twins.sentence)));
}

function rowOf(name: string, { before, after, difference, adjusted_p_value: p }: Kind): Row {
  return {
    name,
    passed: movement(before * 100, after * 100),
    difference: signed(difference),
    chance: p === null ? 'too few' : `p ${Number(p.toPrecision(2))}`,
  };
}

type Kind = Pick<Twins['criteria'][number], 'before' | 'after' | 'difference' | 'adjusted_p_value'>;

type Twins = NonNullable<Comparison['twins']>;

function pairsText({ before, after, pairs, not_compared: missing }: Twins): string {
  const { total, compared, both_passed, only_before_passed, only_after_passed, neither_passed } = pairs;
  const reasons = missing.map(
    ({ run, status, error_code, count }) =>
      `${count} ${oneLine(run === 'before' ? before : after)}: ${oneLine(error_code ?? status)}`,
  );
  return (
    `Of ${compared} pairs of conversations, ${both_passed} passed both ways, ${only_before_passed} only ${oneLine(before)}, ` +
    `${only_after_passed} only ${oneLine(after)}, ${neither_passed} neither way.` +
    (compared === total ? '' : ` ${total - compared} could not be compared (${reasons.join('; ')}).`)
  );
}

function tableOfRows(screen: Screen, title: string, rows: readonly Row[]): string {
  return tableOf<Row>(
    screen,
    [
      { title: 'What', cell: ({ name }) => name, flexible: true },
      { title, cell: ({ passed }) => passed, align: 'right' },
      { title: 'Points', cell: ({ difference }) => difference, align: 'right' },
      { title: 'Chance', cell: ({ chance }) => chance, align: 'right' },
    ],
    rows,
  );
}

/** One decimal at most, with its sign. */
function signed(points: number): string {
  const rounded = Math.round(points * 10) / 10;
  if (rounded === 0) return '0';
  return `${rounded > 0 ? '+' : '−'}${Math.abs(rounded)}`;
}
