import { oneLine } from './harmless-text';

/** Characters with which a formula begins for spreadsheets, full-width forms included. */
const FORMULA = /^[=+\-@\uff0b\uff0d\uff1d\uff20]/;
const NEEDS_QUOTES = /[",]|^\s|\s$/;

/** One line of comma-separated values (RFC 4180). Each cell is only text: no spreadsheet executes it, and no terminal interprets it. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  // Control characters go first, so that none can hide a formula.
  const text = oneLine(value);
  const inert = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
