import { harmlessLines } from './harmless-text';
import type { Screen } from './terminal';

export type Field = readonly [title: string, value: string | number | boolean | null | undefined];

/** A resource as `title  value` lines; fields without a value are left out. Every text is made harmless here. */
export function printFields(screen: Screen, fields: readonly Field[]): void {
  const shown = fields.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(0, ...shown.map(([title]) => title.length));
  for (const [title, value] of shown) {
    const [first = '', ...rest] = harmlessLines(String(value));
    screen.line(`${screen.colors.dim(title.padEnd(width))}  ${first}`);
    for (const line of rest) screen.line(`${' '.repeat(width)}  ${line}`);
  }
}
