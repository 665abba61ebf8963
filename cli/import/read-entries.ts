import { createReadStream } from 'node:fs';
import { UsageFailure } from '../failure';
import { isObject, nameOf, readText } from '../read-input';
import { isProblem, type ImportDefaults, type ImportEntry, type ImportProblem, type LineFormat } from './entry';
import { isHealthBenchLine, readHealthBenchLine } from './healthbench-format';
import { linesOf } from './lines';
import { readOsceLine } from './osce-format';

export const IMPORT_FORMATS = ['auto', 'osce', 'healthbench'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** More must be split into several imports: all entries are held in memory until the last line has been checked. */
const MOST_ENTRIES = 20_000;
/** The service accepts requests of up to 1 MiB. */
const LARGEST_REQUEST = 1024 * 1024;

export interface ReadEntries {
  readonly entries: readonly ImportEntry[];
  readonly problems: readonly ImportProblem[];
}

/**
 * Reads and checks all lines of all files before anything is sent. A file named *.json holds one scenario or a list of them;
 * any other, and standard input (`-`), one JSON object a line; empty lines are skipped.
 * @throws UsageFailure when a file cannot be read
 */
export async function readEntries(
  paths: readonly string[],
  format: ImportFormat,
  defaults: ImportDefaults,
): Promise<ReadEntries> {
  const entries: ImportEntry[] = [];
  const problems: ImportProblem[] = [];
  const firstByKey = new Map<string, string>();
  for (const path of paths) {
    for await (const { value, where } of valuesIn(path)) {
      const read = readOne(value, where, format, defaults);
      if (isProblem(read)) {
        problems.push(read);
        continue;
      }
      const earlier = firstByKey.get(read.key);
      if (earlier !== undefined) {
        problems.push({
          where,
          problem: `has the same key as ${earlier} (${read.key}): give each line a \`key\` of its own`,
        });
        continue;
      }
      firstByKey.set(read.key, where);
      entries.push(read);
      if (entries.length > MOST_ENTRIES)
        throw new UsageFailure(`More than ${MOST_ENTRIES} scenarios: import them in parts.`);
    }
  }
  return { entries, problems };
}

function readOne(
  value: unknown,
  where: string,
  format: ImportFormat,
  defaults: ImportDefaults,
): ImportEntry | ImportProblem {
  if (value instanceof UsageFailure) return { where, problem: value.message };
  if (!isObject(value)) return { where, problem: 'must be a JSON object' };
  const isHealthBench = format === 'healthbench' || (format === 'auto' && isHealthBenchLine(value));
  const read: LineFormat = isHealthBench ? readHealthBenchLine : readOsceLine;
  const entry = read(value, where, defaults);
  if (isProblem(entry)) return entry;
  const size = Buffer.byteLength(JSON.stringify(entry.fields));
  return size > LARGEST_REQUEST ? { where, problem: 'is larger than the 1 MiB that the service accepts' } : entry;
}

/** One value of a file. */
export interface Found {
  /** A UsageFailure where the text is not JSON. */
  readonly value: unknown;
  readonly where: string;
}

/** A file named *.json holds one value or a list of them; any other, and standard input (`-`), one a line. @throws UsageFailure */
export async function* valuesIn(path: string): AsyncGenerator<Found> {
  const file = nameOf(path);
  if (path.toLowerCase().endsWith('.json')) {
    const value = parsed(await readText(path));
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const [index, one] of values.entries()) {
      yield { value: one, where: values.length > 1 ? `${file}[${index}]` : file };
    }
    return;
  }
  const input = path === '-' ? process.stdin : createReadStream(path);
  try {
    for await (const { text, number } of linesOf(input)) {
      if (text instanceof UsageFailure) yield { value: text, where: `${file}:${number}` };
      else if (text.trim() !== '') yield { value: parsed(text), where: `${file}:${number}` };
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new UsageFailure(`${file} cannot be read: ${error.message}`);
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return new UsageFailure(`is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
}
