import { yamlOf } from '../../src/features/scenarios/files/scenario-file-text';
import { harmlessDocument, oneLine } from '../output/harmless-text';
import { lineDiff, type DiffLine } from '../../src/domain';
import type { Screen } from '../output/terminal';
import type { ChangedField } from './compare';

/** Lines around a change that have not changed. */
const CONTEXT = 2;

/** A scenario that an import would change. */
export interface Changed {
  readonly name: string;
  readonly scenario_id: string;
  readonly where: string;
  readonly fields: readonly ChangedField[];
}

export function printTitle(screen: Screen, what: string, name: string, where: string): void {
  screen.line(`${what}: ${screen.colors.bold(oneLine(name))} (${oneLine(where)})`);
}

export function printChanged(screen: Screen, { name, where, fields }: Changed): void {
  printTitle(screen, 'changed', name, where);
  for (const { field, service, file } of fields) {
    screen.line(`  ${screen.colors.cyan(oneLine(field))}`);
    for (const line of shownOf(lineDiff(linesOf(service), linesOf(file)))) printLine(screen, line);
  }
  screen.line();
}

/** The value as a file shows it; a script line by line. */
function linesOf(value: unknown): readonly string[] {
  if (value === undefined) return [];
  const yaml = yamlOf(value).trimEnd();
  return typeof value === 'string' && yaml.startsWith('|') ? value.replace(/\n$/, '').split('\n') : yaml.split('\n');
}

/** The changed lines with the lines around them; null for a part that is left out. */
function shownOf(lines: readonly DiffLine[]): readonly (DiffLine | null)[] {
  const near = new Set<number>();
  for (const [at, { kind }] of lines.entries()) {
    if (kind === 'same') continue;
    for (let each = at - CONTEXT; each <= at + CONTEXT; each += 1) near.add(each);
  }
  return lines.flatMap((line, at) => {
    if (near.has(at)) return [line];
    return at > 0 && near.has(at - 1) ? [null] : [];
  });
}

function printLine(screen: Screen, line: DiffLine | null): void {
  if (line === null) return screen.line('    …');
  const text = harmlessDocument(line.text);
  if (line.kind === 'same') screen.line(`    ${text}`.trimEnd());
  else if (line.kind === 'old') screen.line(screen.colors.red(`  - ${text}`));
  else screen.line(screen.colors.green(`  + ${text}`));
}
