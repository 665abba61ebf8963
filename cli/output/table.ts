import Table from 'cli-table3';
import { shortened } from './harmless-text';
import type { Screen } from './terminal';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string | number;
  readonly align?: 'left' | 'right';
  /** Takes the remaining width and wraps; without one the table is as wide as its texts. At most one per table. */
  readonly flexible?: boolean;
  /** Colours a cell's text, after it was made harmless. */
  readonly paint?: (text: string, row: Row) => string;
}

const LEAST_FLEXIBLE = 22;
const LEAST_FIXED = 12;
/** Spaces on both sides of a cell. */
const PADDING = 2;
const MOST_FIXED = 44;
/** The most characters of one cell; the time to wrap it grows with the square of its length. */
const MOST_SHOWN = 1_000;

/** Rows as a table that fits the screen's width, or as blocks of lines where no table fits. Every text is made harmless here. */
export function tableOf<Row>(screen: Screen, columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const texts = rows.map((row) => columns.map(({ cell }) => shortened(String(cell(row)), MOST_SHOWN)));
  const widths = columnWidths(screen.width, columns, texts);
  if (widths === null) return blocksOf(screen, columns, rows, texts);
  const table = new Table({
    head: columns.map(({ title }) => screen.colors.bold(title)),
    colWidths: widths,
    colAligns: columns.map(({ align }) => align ?? 'left'),
    wordWrap: true,
    wrapOnWordBoundary: true,
    style: { head: [], border: [] },
  });
  rows.forEach((row, index) => {
    table.push(
      columns.map(({ paint }, at) => {
        const text = texts[index]?.[at] ?? '';
        return paint === undefined ? text : paint(text, row);
      }),
    );
  });
  return table.toString();
}

function columnWidths<Row>(
  total: number,
  columns: readonly Column<Row>[],
  texts: readonly (readonly string[])[],
): number[] | null {
  const natural = columns.map(({ title }, at) =>
    texts.reduce((widest, row) => Math.max(widest, (row[at] ?? '').length), title.length),
  );
  const flexibleAt = columns.findIndex(({ flexible }) => flexible === true);
  const widths = natural.map((width, at) => (at === flexibleAt ? width : Math.min(width, MOST_FIXED)) + PADDING);
  const frame = columns.length + 1;
  let over = widths.reduce((sum, width) => sum + width, frame) - total;
  // The flexible column shrinks first, then the widest of the others.
  const order = columns.map((_, at) => at).sort((a, b) => rank(b) - rank(a));
  function rank(at: number): number {
    return at === flexibleAt ? Number.MAX_SAFE_INTEGER : (widths[at] ?? 0);
  }
  for (const at of order) {
    if (over <= 0) break;
    const width = widths[at] ?? 0;
    const least = Math.min(width, (at === flexibleAt ? LEAST_FLEXIBLE : LEAST_FIXED) + PADDING);
    const given = Math.min(over, width - least);
    widths[at] = width - given;
    over -= given;
  }
  return over > 0 ? null : widths;
}

/** For screens too narrow for columns: each row as lines of title and text. */
function blocksOf<Row>(
  { colors }: Screen,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  texts: readonly (readonly string[])[],
): string {
  const blocks = rows.map((row, index) =>
    columns.flatMap(({ title, paint }, at) => {
      const text = texts[index]?.[at] ?? '';
      return text === '' ? [] : [`${colors.bold(title)}: ${paint === undefined ? text : paint(text, row)}`];
    }),
  );
  return blocks.map((lines) => lines.join('\n')).join('\n\n');
}
