import Table from 'cli-table3';

export type Unit = 'ms' | 'MB' | 'requests/s' | 'share' | 'calls' | 'tokens';

/** One line of the report. */
export interface Measurement {
  readonly section: string;
  readonly what: string;
  readonly load: string;
  readonly unit: Unit;
  readonly value: number;
  /** The spread of the rounds of which `value` is the median; null when it is no median. */
  readonly range: readonly [number, number] | null;
  /** The value of the same load without the service or the measured part, taken in the same minutes; null where there is none. */
  readonly floor: number | null;
  readonly goal: Goal | null;
}

export interface Goal {
  /** `ratio` is value / floor. */
  readonly of: 'value' | 'ratio';
  readonly is: 'at least' | 'at most';
  readonly limit: number;
}

export function ratioOf({ value, floor }: Measurement): number | null {
  return floor === null ? null : value / floor;
}

/** Null without a goal. */
export function meetsGoal(measurement: Measurement): boolean | null {
  const { goal, value } = measurement;
  if (goal === null) return null;
  const measured = goal.of === 'value' ? value : (ratioOf(measurement) ?? NaN);
  return goal.is === 'at least' ? measured >= goal.limit : measured <= goal.limit;
}

const HEADINGS = ['measured', 'load', 'value', 'floor', 'ratio', 'goal', 'met'];

/** One line, printed as soon as a measurement is done. */
export function lineOf(measurement: Measurement): string {
  const [what, load, value, floor, ratio, goal, met] = cellsOf(measurement);
  return `${what} (${load}): ${value}; floor ${floor}, ratio ${ratio}; goal ${goal}: ${met}`;
}

export function terminalTable(measurements: readonly Measurement[]): string {
  const table = new Table({ head: HEADINGS, style: { head: [], border: [], compact: true }, wordWrap: true });
  table.push(...measurements.map(cellsOf));
  return table.toString();
}

export function markdownTable(measurements: readonly Measurement[]): string {
  const rows = [HEADINGS, HEADINGS.map(() => '---'), ...measurements.map(cellsOf)];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellsOf(measurement: Measurement): string[] {
  const { what, load, unit, value, range, floor, goal } = measurement;
  const ratio = ratioOf(measurement);
  const met = meetsGoal(measurement);
  const spread = range === null ? '' : ` (${numberText(range[0], unit)} to ${numberText(range[1], unit)})`;
  const limit = goal === null ? '' : goal.of === 'ratio' ? `ratio ${goal.is} ${goal.limit}` : limitText(goal, unit);
  return [
    what,
    load,
    `${quantity(value, unit)}${spread}`,
    floor === null ? '–' : quantity(floor, unit),
    ratio === null || !Number.isFinite(ratio) ? '–' : ratioText(ratio),
    goal === null ? '–' : limit,
    met === null ? '–' : met ? 'yes' : 'no',
  ];
}

/** Shares near 1 differ in the third place. */
function ratioText(ratio: number): string {
  return ratio < 2 ? ratio.toFixed(3) : significant(ratio);
}

function limitText({ is, limit }: Goal, unit: Unit): string {
  return `${is} ${unit === 'share' ? limit : `${limit} ${unit}`}`;
}

function quantity(value: number, unit: Unit): string {
  return unit === 'share' ? numberText(value, unit) : `${numberText(value, unit)} ${unit}`;
}

function numberText(value: number, unit: Unit): string {
  return unit === 'share' ? value.toFixed(3) : significant(value);
}

function significant(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}
