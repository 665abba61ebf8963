import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { MutationRange } from '@stryker-mutator/api/core';
import type { Logger } from '@stryker-mutator/api/logging';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import type { Area } from './areas';

const ROOT = join(__dirname, '..', '..');

/** One fault, which the instrumented code has when its process is told the id. */
export interface Mutant {
  readonly id: string;
  /** What the fault is, whatever is written above it in its file. */
  readonly key: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly kind: string;
  readonly replacement: string;
  /** Of the text of its file. */
  readonly fileHash: string;
}

export interface Faults {
  readonly mutants: readonly Mutant[];
  readonly sources: readonly (readonly [path: string, text: string])[];
}

/** What only says how parts are put together, what fields a row has or what a model is told: specs of its own would repeat it. */
const NOT_MUTATED = /(\.module|\.entity|\.d|^index|^prompts|-prompt)\.ts$/;

/** @param only a file, or a folder, of the area; with a range of lines, as `src/a.ts:20-40` */
export async function faultsOf(area: Area, only: string | undefined): Promise<Faults> {
  const [onlyPath = '', lines] = only?.split(':') ?? [];
  const paths = filesOf(area.mutated, '.ts').filter((path) => path.startsWith(onlyPath));
  const mutated = paths.filter((path) => !NOT_MUTATED.test(path.split('/').at(-1) ?? ''));
  const texts = mutated.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
  const files = texts.map(({ path, text }) => ({ name: join(ROOT, path), content: text, mutate: rangesOf(lines) }));
  // What a log line or an error says is read by people; whether it is said at all, other mutants ask.
  const options = { plugins: null, excludedMutations: ['StringLiteral'], ignorers: [] };
  const { files: instrumented, mutants } = await new Instrumenter(silent).instrument(files, options);
  const seen = new Map<string, number>();
  return {
    sources: instrumented.map(({ name, content }) => [name, content]),
    mutants: mutants
      .filter(({ status }) => status === undefined)
      .map(({ id, fileName, location, mutatorName, replacement }) => {
        const path = relative(ROOT, fileName);
        const text = texts.find((file) => file.path === path)?.text ?? '';
        const what = `${path} ${mutatorName} ${cut(text, location)} -> ${replacement}`;
        const nth = (seen.get(what) ?? 0) + 1;
        seen.set(what, nth);
        // Stryker counts lines and columns from 0 here.
        const place = { line: location.start.line + 1, column: location.start.column + 1 };
        return { id, key: `${what} #${nth}`, path, ...place, kind: mutatorName, replacement, fileHash: hashOf(text) };
      }),
  };
}

/** The files that an area names: folders end with a slash, what is left out begins with an exclamation mark. */
export function filesOf(names: readonly string[], ending: string): string[] {
  const left = names.filter((name) => name.startsWith('!')).map((name) => name.slice(1));
  const named = names.filter((name) => !name.startsWith('!')).flatMap((name) => below(name, ending));
  return [...new Set(named)].filter((path) => !left.some((name) => path.startsWith(name))).sort();
}

function below(name: string, ending: string): string[] {
  const path = join(ROOT, name);
  if (!existsSync(path)) throw new Error(`An area names ${name}, which is not there: correct test/mutation/areas.ts.`);
  if (!statSync(path).isDirectory()) return [name];
  const all = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending));
  return all.map((file) => relative(ROOT, join(path, file)));
}

function rangesOf(lines: string | undefined): true | MutationRange[] {
  if (lines === undefined) return true;
  const [first = 1, last = first] = lines.split('-').map(Number);
  return [{ start: { line: first - 1, column: 0 }, end: { line: last, column: 0 } }];
}

type Location = { readonly start: Position; readonly end: Position };
type Position = { readonly line: number; readonly column: number };

function cut(text: string, { start, end }: Location): string {
  const lines = text.split('\n').slice(start.line, end.line + 1);
  const last = lines.length - 1;
  return lines
    .map((line, at) => line.slice(at === 0 ? start.column : 0, at === last ? end.column : undefined))
    .join('\n');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** In an order that the seed alone decides: a larger sample contains a smaller one. */
export function inOrderOf(seed: number, mutants: readonly Mutant[]): Mutant[] {
  const placed = mutants.map((mutant) => ({ mutant, place: hashOf(`${seed} ${mutant.key}`) }));
  return placed.sort((one, other) => (one.place < other.place ? -1 : 1)).map(({ mutant }) => mutant);
}

const no = (): boolean => false;
const nothing = (): void => undefined;
const silent: Logger = {
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};
